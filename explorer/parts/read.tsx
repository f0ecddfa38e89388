import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api.js';
import { useReorgs } from './reorg.js';

export type Loaded<Value> =
  { state: 'loading' } | { state: 'failed'; error: unknown; again: () => void } | { state: 'loaded'; value: Value };

/**
 * Reads when the page is shown, and again when a member of `key` changes, after a reorg, and `everyMs` after each answer.
 * The last value for the same key stays until the next answer.
 */
export function useRead<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
  everyMs?: number,
  /** Each change reads again. */
  round = 0,
): Loaded<Value> {
  const [refreshes, setRefreshes] = useState(0);
  const [tries, setTries] = useState(0);
  const id = JSON.stringify([...key, tries]);
  const { changes } = useReorgs();
  const [read, setRead] = useState<{ id: string; loaded: Loaded<Value> }>();
  const again = useCallback(() => setTries((count) => count + 1), []);
  useEffect(() => {
    const end = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const set = (loaded: Loaded<Value>): void => {
      if (end.signal.aborted) return;
      setRead({ id, loaded });
      if (everyMs !== undefined) next = setTimeout(() => setRefreshes((count) => count + 1), everyMs);
    };
    load(end.signal).then(
      (value) => set({ state: 'loaded', value }),
      (error: unknown) => set({ state: 'failed', error, again }),
    );
    return () => {
      clearTimeout(next);
      end.abort();
    };
  }, [id, round, refreshes, changes]);
  return read?.id === id ? read.loaded : { state: 'loading' };
}

/**
 * Shows a value that was read, or that it is loading, missing or failed. What was shown before, for example another page of
 * the same list, stays greyed out until the next value is there.
 */
export function Shown<Value>(props: {
  of: Loaded<Value>;
  /** Text that is shown if the server answers 404. */
  missing?: string;
  children: (value: Value) => ComponentChildren;
}) {
  const { of, missing, children } = props;
  const shown = useRef<ComponentChildren>(undefined);
  if (of.state === 'loaded') shown.current = children(of.value);
  // Something that no longer exists must not stay on the page.
  if (of.state === 'failed' && isMissing(of.error, missing)) shown.current = undefined;
  const isOld = of.state !== 'loaded' && shown.current !== undefined;
  return (
    <>
      {of.state === 'failed' && <Fault error={of.error} missing={missing} again={of.again} />}
      {of.state === 'loading' && !isOld && (
        <p class="quiet" role="status">
          Loading…
        </p>
      )}
      <div class={isOld ? 'old' : undefined} aria-busy={of.state === 'loading'}>
        {shown.current}
      </div>
    </>
  );
}

export function Fault({ error, missing, again }: { error: unknown; missing?: string | undefined; again: () => void }) {
  if (isMissing(error, missing))
    return (
      <div class="note" role="alert">
        <p>{missing}</p>
      </div>
    );
  return (
    <div class="note bad" role="alert">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {!isMalformed(error) && <button onClick={again}>Try again</button>}
    </div>
  );
}

/** Whether the request itself is wrong, so that a second attempt cannot help. */
export const isMalformed = (error: unknown): boolean => error instanceof Refusal && error.status === 400;

const isMissing = (error: unknown, missing: string | undefined): boolean =>
  missing !== undefined && error instanceof Refusal && error.status === 404;
