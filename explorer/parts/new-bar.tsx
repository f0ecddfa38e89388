import { useEffect, useRef, useState } from 'preact/hooks';
import { integer } from '../format.js';
import { followEvents } from '../stream.js';
import type { ChainEvent } from '../stream.js';
import { useRead } from './read.js';
import type { Loaded } from './read.js';

/** Counts events since the page was shown, and connections since which some may have been missed. */
export function useEvents(touches: (event: ChainEvent) => boolean, key: string): number {
  const [count, setCount] = useState(0);
  const test = useRef(touches);
  test.current = touches;
  useEffect(() => {
    const add = (): void => setCount((before) => before + 1);
    // If the stream is open already, it says so before this is true.
    let isFollowing = false;
    const close = followEvents({
      onEvent: (event) => test.current(event) && add(),
      onConnected: (connected) => connected && isFollowing && add(),
    });
    isFollowing = true;
    return close;
  }, [key]);
  return count;
}

/** As `useRead`, and again at each event that touches what is shown. */
export function useLiveRead<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
  touches: (event: ChainEvent) => boolean,
): Loaded<Value> {
  return useRead(load, key, undefined, useEvents(touches, JSON.stringify(key)));
}

/**
 * Rows that came since the list was read: they wait until somebody asks for them, so that nothing jumps. `seen` changes when
 * the list is read again. The key `n` does the same as the button.
 */
export function NewBar(props: {
  of: string;
  touches: (event: ChainEvent) => boolean;
  seen: unknown;
  show: () => void;
}) {
  const { of, touches, seen, show } = props;
  const [count, setCount] = useState(0);
  const now = useRef({ touches, show, count });
  now.current = { touches, show, count };
  useEffect(() => setCount(0), [seen]);
  useEffect(() => followEvents({ onEvent: (event) => now.current.touches(event) && setCount((n) => n + 1) }), []);
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent): void => {
      const isField = target instanceof Element && target.matches('input, select, textarea');
      if (key === 'n' && !isField && now.current.count > 0) now.current.show();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
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
