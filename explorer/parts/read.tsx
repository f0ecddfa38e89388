import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Refusal } from '../api.js';

export type Loaded<Value> =
  { state: 'loading' } | { state: 'failed'; error: unknown; again: () => void } | { state: 'loaded'; value: Value };

/** Reads when the page is shown, and again when one of `key` changes. What was read for another key is not shown. */
export function useRead<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: readonly (string | number)[],
): Loaded<Value> {
  const [tries, setTries] = useState(0);
  const id = JSON.stringify([...key, tries]);
  const [read, setRead] = useState<{ id: string; loaded: Loaded<Value> }>();
  const again = useCallback(() => setTries((count) => count + 1), []);
  useEffect(() => {
    const end = new AbortController();
    const set = (loaded: Loaded<Value>): void => {
      if (!end.signal.aborted) setRead({ id, loaded });
    };
    load(end.signal).then(
      (value) => set({ state: 'loaded', value }),
      (error: unknown) => set({ state: 'failed', error, again }),
    );
    return () => end.abort();
  }, [id]);
  return read?.id === id ? read.loaded : { state: 'loading' };
}

/** What is read, or what there is instead: nothing yet, nothing at all, or a fault. */
export function Shown<Value>(props: {
  of: Loaded<Value>;
  /** Said where the server answers 404. */
  missing?: string;
  children: (value: Value) => ComponentChildren;
}) {
  const { of, missing, children } = props;
  if (of.state === 'loading')
    return (
      <p class="quiet" role="status">
        Loading…
      </p>
    );
  if (of.state === 'loaded') return <>{children(of.value)}</>;
  return <Fault error={of.error} missing={missing} again={of.again} />;
}

export function Fault({ error, missing, again }: { error: unknown; missing?: string | undefined; again: () => void }) {
  const status = error instanceof Refusal ? error.status : undefined;
  const isMissing = status === 404 && missing !== undefined;
  return (
    <div class={isMissing ? 'note' : 'note bad'} role="alert">
      <p>{isMissing ? missing : `${error instanceof Error ? error.message : String(error)}`}</p>
      {!isMissing && status !== 400 && <button onClick={again}>Try again</button>}
    </div>
  );
}
