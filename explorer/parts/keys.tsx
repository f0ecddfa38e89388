import { useEffect, useRef, useState } from 'preact/hooks';
import { KEYS, areKeysOn, onKey, switchKeys } from '../keys.js';

/** Rows of tables and lists, as far as they are shown. */
const ROWS = 'main tbody tr:not(.group, .sub), main .list > li, main .life > li';

/** The link that opens a row: the marked one, or the first that is shown. */
function linkOf(row: Element): HTMLElement | undefined {
  const links = [...row.querySelectorAll<HTMLElement>('[data-opens] a, a')].filter(
    (link) => link.offsetParent !== null,
  );
  return links.find((link) => link.closest('[data-opens]') !== null) ?? links[0];
}

function goBy(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => linkOf(row) !== undefined);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const to = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  const row = rows.at(to);
  if (to >= rows.length || (at === 0 && step < 0) || row === undefined) return;
  linkOf(row)!.focus();
}

/** Opens the list of keys. What they do is said there, and here for the keys of the whole page. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(areKeysOn);
  const open = (): void => dialog.current?.showModal();
  useEffect(() => {
    const follow = (rel: string) => (): void =>
      document.querySelector<HTMLElement>(`main nav.seg a[rel=${rel}]`)?.click();
    const closes = [
      onKey('j', () => goBy(1)),
      onKey('k', () => goBy(-1)),
      onKey('[', follow('prev')),
      onKey(']', follow('next')),
      onKey('?', open),
    ];
    return () => {
      for (const close of closes) close();
    };
  }, []);
  return (
    <>
      <button type="button" class="plainbtn" onClick={open}>
        Keys
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <section class="card">
          <header>
            <h2 id="keys-title">Keys</h2>
          </header>
          <div class="in">
            <dl class="facts">
              {KEYS.map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => (
                      <>
                        <kbd>{key}</kbd>{' '}
                      </>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
            <p class="bar">
              <label>
                <input
                  type="checkbox"
                  checked={isOn}
                  onChange={({ currentTarget }) => {
                    switchKeys(currentTarget.checked);
                    setOn(currentTarget.checked);
                  }}
                />{' '}
                Use these keys
              </label>
              <button type="button" class="btn right" onClick={() => dialog.current?.close()}>
                Close
              </button>
            </p>
          </div>
        </section>
      </dialog>
    </>
  );
}
