/** The search in the header, with suggestions below it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { correctedId, mistyped, pageOf, pageOfName, parseRoute, target } from '../address.js';
import type { Route } from '../address.js';
import { orNothing, read } from '../api.js';
import { integer } from '../format.js';
import { onKey } from '../keys.js';
import { aboutIn, useHead } from './head.js';
import type { ChainHead } from './head.js';
import { Icon } from './icon.js';
import { Badge } from './marks.js';
import type { Kind } from './marks.js';

interface Suggestion {
  address: string;
  kind: Kind;
  text: string;
  /** On the right. */
  state: string;
  /** What waits for a time to come. */
  wait?: string;
}

interface Group {
  title: string;
  suggestions: Suggestion[];
}

const NAMES = 6;
const SEEN = 5;
const SEEN_KEY = 'seen';
/** Pages whose subjects are suggested again, with the word for them. */
const REMEMBERED: Record<string, { word: string; kind: Kind }> = {
  account: { word: 'Account', kind: 'pay' },
  transaction: { word: 'Transaction', kind: 'pay' },
  contract: { word: 'Contract', kind: 'call' },
  name: { word: 'Name', kind: 'name' },
  oracle: { word: 'Oracle', kind: 'oracle' },
  channel: { word: 'Channel', kind: 'channel' },
  block: { word: 'Block', kind: 'channel' },
  generation: { word: 'Generation', kind: 'channel' },
};

/** Addresses that were opened on this device, the last one first. A browser may forbid to store them. */
function seen(): string[] {
  try {
    return JSON.parse(localStorage.getItem(SEEN_KEY) ?? '[]') as string[];
  } catch {
    return [];
  }
}

export function remember({ page, subject }: Route): void {
  if (REMEMBERED[page] === undefined || page === 'generation') return;
  const address = `#/${page}/${encodeURIComponent(subject)}`;
  try {
    localStorage.setItem(
      SEEN_KEY,
      JSON.stringify([address, ...seen().filter((one) => one !== address)].slice(0, SEEN)),
    );
  } catch {
    // Without storage nothing is remembered.
  }
}

function suggestionOf(address: string, head?: ChainHead): Suggestion | undefined {
  const { page, subject } = parseRoute(address);
  const known = REMEMBERED[page];
  if (known === undefined) return undefined;
  if (page === 'generation' && head !== undefined && Number(subject) > head.height)
    return {
      address,
      kind: known.kind,
      text: integer(subject),
      state: known.word,
      wait: `not yet, ${timeOf(Number(subject), head)}`,
    };
  return { address, kind: known.kind, text: page === 'generation' ? integer(subject) : subject, state: known.word };
}

/** A name may have been claimed several times: the latest claim says its state. */
async function namesWith(text: string, signal: AbortSignal): Promise<FoundName[]> {
  const found = await orNothing(read('/middleware/names/{name}', { name: text, limit: NAMES, page: 1 }, signal));
  const names = new Map<string, FoundName>();
  for (const { name, auction_end_height, created_at_height, expires_at } of found?.body ?? []) {
    const hasAuction = auction_end_height > created_at_height;
    const one = { name, auctionEnd: hasAuction ? Number(auction_end_height) : undefined, expires: Number(expires_at) };
    if (one.expires > (names.get(name)?.expires ?? -1)) names.set(name, one);
  }
  return [...names.values()];
}

interface FoundName {
  name: string;
  /** Undefined if there was no auction. */
  auctionEnd: number | undefined;
  expires: number;
}

function suggestionOfName({ name, auctionEnd = -1, expires }: FoundName, head: ChainHead | undefined): Suggestion {
  const height = head?.height ?? Infinity;
  const one = { address: pageOfName(name), kind: 'name', text: name } as const;
  if (head !== undefined && auctionEnd >= height)
    return { ...one, state: '', wait: `in auction, ends ${timeOf(auctionEnd, head)}` };
  return { ...one, state: head !== undefined && expires < height ? 'Expired' : 'Owned' };
}

/** When a height to come is reached, without the date. */
const timeOf = (height: number, { height: now, interval }: ChainHead): string =>
  aboutIn((height - now) * interval, Date.now()).replace(/ \(.*/, '');

/** What could be meant by `text`, the best first. */
function groupsOf(text: string, found: readonly FoundName[], head: ChainHead | undefined): Group[] {
  const address = target(text);
  const exact = address === undefined ? undefined : suggestionOf(address, head);
  const names = found.map((name) => suggestionOfName(name, head));
  const others = names.filter((one) => one.address !== exact?.address);
  const list = exact === undefined || exact.kind === 'name' ? [] : [exact];
  const known =
    exact?.kind === 'name' ? [names.find((one) => one.address === exact.address) ?? exact, ...others] : others;
  const before = seen()
    .flatMap((one) => suggestionOf(one) ?? [])
    .filter(contains(text))
    .filter(({ address: one }) => [...list, ...known].every((other) => other.address !== one));
  return [
    { title: 'Found by its address', suggestions: list },
    { title: 'Names', suggestions: known },
    { title: 'Seen before on this device', suggestions: before },
  ];
}

const contains =
  (text: string) =>
  ({ text: other }: Suggestion): boolean =>
    other.toLowerCase().includes(text.trim().toLowerCase());

export function Search() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [names, setNames] = useState<readonly FoundName[]>([]);
  const [meant, setMeant] = useState<{ wrong: string; id: string | undefined }>();
  const head = useHead();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** What had the focus before `/` was pressed. */
  const before = useRef<Element | null>(null);
  const term = text.trim();
  const wrong = mistyped(term);
  const isNamePart = term !== '' && target(term)?.startsWith('#/name') === true && !/^https?:/.test(term);

  useEffect(() => {
    const end = new AbortController();
    if (!isNamePart) setNames([]);
    else
      namesWith(term, end.signal).then(setNames, () => {
        // A newer text is asked for.
      });
    return () => end.abort();
  }, [term]);

  useEffect(() => {
    if (wrong === undefined) return;
    // It takes a tenth of a second: what is typed is there before.
    const timer = setTimeout(() => setMeant({ wrong, id: correctedId(wrong) }));
    return () => clearTimeout(timer);
  }, [wrong]);

  useEffect(
    () =>
      onKey('/', (event) => {
        event.preventDefault();
        before.current = document.activeElement;
        input.current?.focus();
      }),
    [],
  );

  const right = meant?.wrong === wrong && meant?.id !== undefined ? suggestionOf(pageOf(meant.id)!) : undefined;
  const groups =
    wrong === undefined
      ? groupsOf(text, names, head)
      : [{ title: 'Did you mean', suggestions: right === undefined ? [] : [right] }];
  const all = groups.flatMap(({ suggestions }) => suggestions);
  const chosen = all[Math.min(at, all.length - 1)];
  const close = (): void => {
    setOpen(false);
    setText('');
    setAt(0);
  };
  const go = (event: Event): void => {
    event.preventDefault();
    if (wrong !== undefined && chosen === undefined) return;
    const address = term === '' ? chosen?.address : (chosen?.address ?? target(term));
    if (address === undefined) return;
    close();
    input.current?.blur();
    location.hash = address;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (all.length > 0)
        setAt((Math.min(at, all.length - 1) + (key === 'ArrowDown' ? 1 : all.length - 1)) % all.length);
    } else if (key === 'Escape') {
      event.preventDefault();
      close();
      if (before.current instanceof HTMLElement) before.current.focus();
      else input.current?.blur();
    }
  };
  const isShown = isOpen && (wrong !== undefined || all.length > 0);
  return (
    <form
      class={`search${isShown ? ' open' : ''}`}
      role="search"
      ref={form}
      onSubmit={go}
      onFocusOut={(event) => {
        if (!form.current!.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        role="combobox"
        list={undefined}
        aria-label="Search for an identifier, a height, a name or an address of a page"
        aria-expanded={isShown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={isShown && chosen !== undefined ? optionId(chosen) : undefined}
        aria-describedby={wrong === undefined ? undefined : 'search-fault'}
        aria-invalid={wrong !== undefined}
        placeholder="Id, height, name or address of a page"
        value={text}
        spellcheck={false}
        autocomplete="off"
        onFocus={() => setOpen(true)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <div class="suggest" hidden={!isShown}>
        {wrong !== undefined && (
          <p id="search-fault" role="alert">
            <b>The checksum of this identifier is wrong.</b> A character is missing, mistyped or too many:{' '}
            <code class="wrap">{wrong}</code>
            {right !== undefined && ' One letter differs from that below.'}
          </p>
        )}
        <div id="suggestions" role="listbox" aria-label="Suggestions">
          {groups
            .filter(({ suggestions }) => suggestions.length > 0)
            .map(({ title, suggestions }) => (
              <div key={title} role="group" aria-label={title}>
                <h3 role="presentation">{title}</h3>
                {suggestions.map((one) => (
                  <Option key={one.address} of={one} term={term} isChosen={one === chosen} onOpen={close} />
                ))}
              </div>
            ))}
        </div>
        <p class="keys" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>↵</kbd> open
          </span>
          <span>
            <kbd>esc</kbd> close
          </span>
        </p>
      </div>
    </form>
  );
}

const optionId = ({ address }: Suggestion): string => `go-${encodeURIComponent(address)}`;

function Option(props: { of: Suggestion; term: string; isChosen: boolean; onOpen: () => void }) {
  const { of, term, isChosen, onOpen } = props;
  return (
    <a
      id={optionId(of)}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      href={of.address}
      // Otherwise the field would lose the focus, and the suggestions would close before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span class={`type ${of.kind}`}>
        <Marked text={of.text} part={term} isName={of.kind === 'name'} />
      </span>
      {of.wait !== undefined && (
        <Badge tone="wait" small>
          {of.wait}
        </Badge>
      )}
      <span class="right">{of.state}</span>
    </a>
  );
}

/** The text with the part that was searched for. */
function Marked({ text, part, isName }: { text: string; part: string; isName: boolean }) {
  const from = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (!isName) return <code class="id">{text}</code>;
  if (from < 0) return <span class="nm">{text}</span>;
  return (
    <span class="nm">
      {text.slice(0, from)}
      <mark>{text.slice(from, from + part.length)}</mark>
      {text.slice(from + part.length)}
    </span>
  );
}
