import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export const waitOrAbort = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

const never = new Promise<never>(() => undefined);

interface NewsOptions {
  /** Hash of the last block of the followed node; undefined when it does not say. */
  headHash: () => Promise<string | undefined>;
  signal: AbortSignal;
}

interface Wait {
  /** Without news, ms. */
  ms: number;
  /** Between two questions, ms. */
  everyMs: number;
  /** What the node's head was; undefined: it is not asked for. */
  known: string | undefined;
  /** Ends the pause as well. */
  over: Promise<void> | undefined;
}

/**
 * Pauses between two rounds that end early when the node's head is another one. The question is cheap and decides nothing: a
 * node that does not answer it, or answers it wrongly, is found out by the round that comes in any case.
 */
export function createNews({ headHash, signal }: NewsOptions): { wait(wait: Wait): Promise<'moved' | 'quiet'> } {
  /** One at a time: a node that stalls is not asked again meanwhile. */
  let asked: Promise<string | undefined> | undefined;

  async function moved(known: string, everyMs: number, end: AbortSignal): Promise<'moved' | 'quiet'> {
    for (;;) {
      await waitOrAbort(everyMs, end);
      if (end.aborted) return 'quiet';
      asked ??= headHash().finally(() => (asked = undefined));
      const hash = await asked;
      if (hash === undefined) return never;
      if (hash !== known) return 'moved';
    }
  }

  return {
    async wait({ ms, everyMs, known, over }) {
      const end = new AbortController();
      const abort = (): void => end.abort();
      // Not AbortSignal.any: Node 20 keeps what it makes as long as the signal, which is that of the process.
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([
          waitOrAbort(ms, end.signal).then(() => 'quiet' as const),
          ...(over === undefined ? [] : [over.then(() => 'quiet' as const)]),
          ...(known === undefined ? [] : [moved(known, everyMs, end.signal)]),
        ]);
      } finally {
        abort();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
