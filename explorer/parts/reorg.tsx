import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { integer } from '../format.js';
import { followReorgs } from '../live.js';
import type { Reorg } from '../live.js';
import { Height } from './values.js';

interface Reorgs {
  /** The last one since the page was opened. */
  last: Reorg | undefined;
  /** Grows with each, and whenever one may have gone unnoticed. */
  changes: number;
}

const NONE: Reorgs = { last: undefined, changes: 0 };
const Seen = createContext(NONE);

export const useReorgs = (): Reorgs => useContext(Seen);

/** Watches for reorgs while the page `of` is shown, and the pages after it. */
export function WatchReorgs({ of, children }: { of: string; children: ComponentChildren }) {
  const [seen, setSeen] = useState({ ...NONE, of });
  const page = useRef(of);
  page.current = of;
  useEffect(
    () =>
      followReorgs((last) =>
        setSeen((before) => ({
          last: last ?? (before.of === page.current ? before.last : undefined),
          changes: before.changes + 1,
          of: page.current,
        })),
      ),
    [],
  );
  return <Seen.Provider value={seen.of === of ? seen : { ...seen, last: undefined }}>{children}</Seen.Provider>;
}

/** Says that a reorg replaced what is shown, if one did that while it was shown. */
export function ReorgNote({ touches, children }: { touches: (reorg: Reorg) => boolean; children: ComponentChildren }) {
  const { last } = useReorgs();
  return (
    <div aria-live="polite">{last !== undefined && touches(last) && <ReorgText of={last}>{children}</ReorgText>}</div>
  );
}

export function ReorgText({ of, children }: { of: Reorg; children?: ComponentChildren }) {
  const { count, height, removed } = of;
  return (
    <div class="note reorg">
      <p>
        Reorg: {integer(count)} {count === 1 ? 'block was' : 'blocks were'} replaced. The chain continues from
        generation <Height height={height} />. {children}
      </p>
      <ul>
        {removed.slice(0, SHOWN).map((hash) => (
          <li key={hash}>
            <s>{hash}</s>
          </li>
        ))}
        {count > SHOWN && <li>and {integer(count - SHOWN)} more</li>}
      </ul>
    </div>
  );
}

/** Removed blocks that are named. */
const SHOWN = 5;
