import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api.js';
import { answered, isTrouble, settled, waitFor } from '../trouble.js';
import { Icon } from './icon.js';
import { useReorgs } from './reorg.js';

export type Loaded<Value> =
  /** `last`: what was shown at the last visit. */
  | { state: 'loading'; last?: Value | undefined }
  | { state: 'failed'; error: unknown; again: () => void }
  | { state: 'loaded'; value: Value };

/** What lists showed at the last visit, by their addresses. */
const visited = new Map<string, unknown>();
const MAX_VISITED = 30;

function remember(list: string, value: unknown): void {
  visited.delete(list);
  visited.set(list, value);
  if (visited.size > MAX_VISITED) visited.delete(visited.keys().next().value!);
}

interface Reading {
  /** Pause after each answer until the next reading. */
  everyMs?: number;
  /** Each change reads again. */
  round?: number;
  /** A list whose last rows are shown at the next visit, until the new ones are there. */
  list?: string;
}

/**
 * Reads when the page is shown, and again when a member of `key` changes, after a reorg, and when the server answers again after it
 * did not. The last value for the same key stays until the next answer.
 */
export function useRead<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
  { everyMs, round = 0, list }: Reading = {},
): Loaded<Value> {
  const [refreshes, setRefreshes] = useState(0);
  const [tries, setTries] = useState(0);
  const id = JSON.stringify([...key, tries]);
  const { changes } = useReorgs();
  const [read, setRead] = useState<{ id: string; loaded: Loaded<Value> }>();
  const again = useCallback(() => setTries((count) => count + 1), []);
  const part = useRef({}).current;
  useEffect(() => {
    const end = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => setRefreshes((count) => count + 1);
    const set = (loaded: Loaded<Value>): void => {
      if (end.signal.aborted) return;
      if (loaded.state === 'failed' && isTrouble(loaded.error)) waitFor(part, loaded.error, refresh);
      else answered(part);
      if (loaded.state === 'loaded' && list !== undefined) remember(list, loaded.value);
      setRead({ id, loaded });
      if (everyMs !== undefined) next = setTimeout(refresh, everyMs);
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
  useEffect(() => () => settled(part), []);
  return read?.id === id ? read.loaded : { state: 'loading', last: visited.get(list ?? '') as Value | undefined };
}

/**
 * Shows a value that was read, or that it is loading or failed. What was shown before, for example another page of the same list,
 * stays greyed out until the next value is there. Without it `bones` have its form.
 */
export function Shown<Value>(props: {
  of: Loaded<Value>;
  bones?: ComponentChildren;
  /** What is shown if the server answers 404. */
  missing?: ComponentChildren;
  children: (value: Value) => ComponentChildren;
}) {
  const { of, bones = <Bones />, missing, children } = props;
  const shown = useRef<ComponentChildren>(undefined);
  if (of.state === 'loaded') shown.current = children(of.value);
  if (of.state === 'loading' && of.last !== undefined && shown.current === undefined) shown.current = children(of.last);
  // Something that no longer exists must not stay on the page.
  if (missing !== undefined && isUnknown(of)) shown.current = undefined;
  const isOld = of.state !== 'loaded' && shown.current !== undefined;
  const isBare = of.state !== 'loaded' && !isOld;
  // What keeps the server from answering is said once, above the page.
  const isWaiting = of.state === 'loading' || (of.state === 'failed' && isTrouble(of.error));
  return (
    <>
      {isBare && isUnknown(of) && missing}
      {of.state === 'failed' && !isWaiting && !(missing !== undefined && isUnknown(of)) && (
        <Fault error={of.error} again={of.again} />
      )}
      {of.state === 'loading' && !isOld && (
        <p class="skip" role="status">
          Loading…
        </p>
      )}
      {isBare && isWaiting && bones}
      <div class={isOld ? 'old' : undefined} aria-busy={of.state === 'loading'}>
        {shown.current}
      </div>
    </>
  );
}

/** In the place of lines of text that are not there yet. */
const Bones = () => (
  <div class="in bones" aria-hidden="true">
    <span class="bone w20" />
    <span class="bone w12" />
    <span class="bone w20" />
  </div>
);

/** A fault of one part of the page. */
export function Fault({ error, again }: { error: unknown; again: () => void }) {
  return (
    <div class="note bad" role="alert">
      <Icon name="trouble" />
      <p>
        <b>This part failed.</b> {error instanceof Error ? error.message : String(error)}
      </p>
      {!isMalformed(error) && (
        <span class="right">
          <button type="button" class="btn" onClick={again}>
            <Icon name="again" />
            Try again
          </button>
        </span>
      )}
    </div>
  );
}

/** Whether the request itself is wrong, so that a second attempt cannot help. */
export const isMalformed = (error: unknown): boolean => error instanceof Refusal && error.status === 400;

/** Whether the server answered that there is no such thing. */
export const isUnknown = (of: Loaded<unknown>): boolean =>
  of.state === 'failed' && of.error instanceof Refusal && of.error.status === 404;
