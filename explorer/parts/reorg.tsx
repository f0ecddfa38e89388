import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { integer } from '../format.js';
import { followReorgs, goneOn } from '../live.js';
import type { Reorg } from '../live.js';
import { Height } from './head.js';
import { Icon } from './icon.js';

interface Reorgs {
  /** The last reorg while this page was shown. */
  last: Reorg | undefined;
  /** Grows with each reorg, and whenever one may have been missed. */
  changes: number;
}

const NONE: Reorgs = { last: undefined, changes: 0 };
const ReorgContext = createContext(NONE);

export const useReorgs = (): Reorgs => useContext(ReorgContext);

/** Follows reorgs and provides them to the page `of`. One stream of events is used for all pages. */
export function WatchReorgs({ of, children }: { of: string; children: ComponentChildren }) {
  const [seen, setSeen] = useState({ ...NONE, of });
  const page = useRef(of);
  page.current = of;
  useEffect(
    () =>
      followReorgs(
        (last) =>
          setSeen((before) => ({
            last: last ?? (before.of === page.current ? before.last : undefined),
            changes: before.changes + 1,
            of: page.current,
          })),
        (placed) =>
          setSeen((before) => (before.last === undefined ? before : { ...before, last: goneOn(before.last, placed) })),
      ),
    [],
  );
  return (
    <ReorgContext.Provider value={seen.of === of ? seen : { ...seen, last: undefined }}>
      {children}
    </ReorgContext.Provider>
  );
}

/** A notice about the last reorg while the page was shown, if it changed what the page shows (`touches`). */
export function ReorgNote({ touches, children }: { touches: (reorg: Reorg) => boolean; children: ComponentChildren }) {
  const { last } = useReorgs();
  return (
    <div aria-live="polite">{last !== undefined && touches(last) && <ReorgText of={last}>{children}</ReorgText>}</div>
  );
}

export function ReorgText({ of, children }: { of: Reorg; children?: ComponentChildren }) {
  const { count, height, removed, back, waits } = of;
  return (
    <div class="note wait reorg">
      <Icon name="info" />
      <div>
        <p>
          <b>
            Reorg: {integer(count)} {count === 1 ? 'block was' : 'blocks were'} replaced
          </b>{' '}
          while you looked. The chain continues from generation <Height height={height} />.{' '}
          {back.size > 0 && `${counted(back.size)} came back${waits.size > 0 ? ', ' : '. '}`}
          {waits.size > 0 && `${counted(waits.size)} ${waits.size === 1 ? 'waits' : 'wait'} again. `}
          {children}
        </p>
        <details>
          <summary>Replaced blocks</summary>
          <ul>
            {removed.slice(0, MAX_LISTED).map((hash) => (
              <li key={hash} class="wrap">
                <s>{hash}</s>
              </li>
            ))}
            {count > MAX_LISTED && <li>and {integer(count - MAX_LISTED)} more</li>}
          </ul>
        </details>
      </div>
    </div>
  );
}

const counted = (count: number): string => `${integer(count)} ${count === 1 ? 'transaction' : 'transactions'}`;

/** Max removed blocks in the list. */
const MAX_LISTED = 5;
