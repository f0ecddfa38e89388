import { useEffect, useRef, useState } from 'preact/hooks';
import { integer } from '../format.js';
import { writeExactly } from '../json.js';
import { onKey } from '../keys.js';
import { followEvents } from '../stream.js';
import type { ChainEvent, Placed } from '../stream.js';
import { useRead } from './read.js';
import type { Loaded } from './read.js';

/** Shortest time between two readings of the same, ms: the transactions of a block come as one event each. */
const PAUSE_MS = 1_000;

/** Grows with events since the page was shown, and with connections since which some may have been missed. */
function useEvents(touches: (event: ChainEvent) => boolean, key: string): number {
  const [count, setCount] = useState(0);
  const test = useRef(touches);
  test.current = touches;
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined;
    let isMore = false;
    const add = (): void => {
      isMore = pause !== undefined;
      if (isMore) return;
      setCount((before) => before + 1);
      pause = setTimeout(() => {
        pause = undefined;
        if (isMore) add();
      }, PAUSE_MS);
    };
    // If the stream is open already, it says so before this is true.
    let isFollowing = false;
    const close = followEvents({
      onEvent: (event) => test.current(event) && add(),
      onConnected: (connected) => connected && isFollowing && add(),
    });
    isFollowing = true;
    return () => {
      clearTimeout(pause);
      close();
    };
  }, [key]);
  return count;
}

/** As `useRead`, and again at each event that touches what is shown. */
export function useLiveRead<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
  touches: (event: ChainEvent) => boolean,
): Loaded<Value> {
  return useRead(load, key, { round: useEvents(touches, JSON.stringify(key)) });
}

/** Whether an event is of a transaction that this is true of. */
export const ofTransaction =
  (isIt: (placed: Placed) => boolean) =>
  ({ kind, payload }: ChainEvent): boolean =>
    (kind === 'transactions' || kind === 'tx_update') && isIt(payload);

/** Whether a transaction, or one within it, names one of these. */
export const mentions =
  (...ids: readonly string[]) =>
  ({ tx }: Placed): boolean => {
    const text = writeExactly(tx);
    return ids.some((id) => text.includes(`"${id}"`));
  };

/** As `mentions`, for an account: the oracle of an account has its key. */
export const mentionsAccount = (account: string) => mentions(account, account.replace(/^ak_/, 'ok_'));

/**
 * A list. After a fork, rows of transactions that `adds` is true of leave and return in place. New ones wait behind the bar
 * until somebody asks for them, so that nothing jumps; `one` is one of them, in the bar's words.
 */
export function useLiveList<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
  one: string,
  adds: (placed: Placed) => boolean,
): { loaded: Loaded<Value>; bar: preact.JSX.Element } {
  const [asked, setAsked] = useState(0);
  const [count, setCount] = useState(0);
  const test = useRef(adds);
  test.current = adds;
  /** Of the events that add a row: how many came, and before the answer that is shown was asked for. */
  const events = useRef({ all: 0, shown: 0 });
  const countNew = (): void => setCount(events.current.all - events.current.shown);
  const moved = useEvents(({ kind, payload }) => kind === 'tx_update' && adds(payload), JSON.stringify(key));
  const loaded = useRead(
    async (signal) => {
      const { all } = events.current;
      const value = await load(signal);
      if (!signal.aborted) events.current.shown = all;
      return value;
    },
    key,
    { round: asked + moved, list: `${location.hash} ${one}` },
  );
  useEffect(countNew, [loaded.state === 'loaded' ? loaded.value : undefined]);
  useEffect(
    () =>
      followEvents({
        onEvent({ kind, payload }) {
          if (kind !== 'transactions' || !test.current(payload)) return;
          events.current.all++;
          countNew();
        },
      }),
    [],
  );
  return { loaded, bar: <NewBar of={one} count={count} show={() => setAsked((n) => n + 1)} /> };
}

/** The key `n` does the same as the button. */
function NewBar({ of, count, show }: { of: string; count: number; show: () => void }) {
  const now = useRef({ show, count });
  now.current = { show, count };
  useEffect(() => onKey('n', () => now.current.count > 0 && now.current.show()), []);
  return (
    <div role="status">
      {count > 0 && (
        <button type="button" class="newbar" onClick={show}>
          {integer(count)} new {of}
          {count === 1 ? '' : 's'}
        </button>
      )}
    </div>
  );
}
