/** Parts of a page, each with an address of its own. One stop of the tab key; arrows go from one to the next. */
import { addressOf } from '../address.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';

export interface Tab {
  /** In the address; the first tab needs none. */
  name: string;
  title: string;
  count?: Integer | undefined;
}

export const tabOf = (route: Route, tabs: readonly Tab[]): string =>
  tabs.find(({ name }) => name === route.query.get('tab'))?.name ?? tabs[0]!.name;

export function Tabs({ route, label, tabs }: { route: Route; label: string; tabs: readonly Tab[] }) {
  const chosen = tabOf(route, tabs);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = links.findIndex((link) => link === document.activeElement);
    const next = links[(at + step + links.length) % links.length]!;
    next.focus();
    next.click();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title, count }, i) => (
        <a
          key={name}
          role="tab"
          href={addressOf({ ...route, query: new URLSearchParams() }, { tab: i === 0 ? undefined : name })}
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
        >
          {title}
          {count !== undefined && <i>{integer(count)}</i>}
        </a>
      ))}
    </div>
  );
}
