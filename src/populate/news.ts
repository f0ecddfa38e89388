import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export const waitOrAbort = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** Resolves at a time that may be put off meanwhile, or when the signal aborts. */
async function passed(until: () => number, signal: AbortSignal): Promise<void> {
  for (let ms = until() - performance.now(); ms > 0 && !signal.aborted; ms = until() - performance.now()) {
    await waitOrAbort(ms, signal);
  }
}

const never = new Promise<never>(() => undefined);

interface NewsOptions {
  /** Hash of the last block of the followed node; undefined when it does not say. */
  headHash: () => Promise<string | undefined>;
  signal: AbortSignal;
}

interface Wait {
  /** Without word from the node, ms: from the start, and from each answer that its head is the same. */
  ms: number;
  /** In all, ms. */
  maxMs: number;
  /** Between two questions, ms. */
  everyMs: number;
  /** What the node's head was; undefined: it is not asked for. */
  known: string | undefined;
  /** Ends the pause as well. */
  over: Promise<void> | undefined;
}

/**
 * Pauses between two rounds that end early when the node's head is another one, and last longer while the node answers that it is the
 * same. The question is cheap and decides nothing: a node that does not answer it, or answers it wrongly, is found out by the round that
 * comes in any case.
 */
export function createNews({ headHash, signal }: NewsOptions): { wait(wait: Wait): Promise<'moved' | 'quiet'> } {
  /** One at a time: a node that stalls is not asked again meanwhile. */
  let asked: Promise<string | undefined> | undefined;

  async function moved(known: string, everyMs: number, end: AbortSignal, same: () => void): Promise<'moved' | 'quiet'> {
    for (;;) {
      await waitOrAbort(everyMs, end);
      if (end.aborted) return 'quiet';
      asked ??= headHash().finally(() => (asked = undefined));
      const hash = await asked;
      if (hash === undefined) return never;
      if (hash !== known) return 'moved';
      same();
    }
  }

  return {
    async wait({ ms, maxMs, everyMs, known, over }) {
      const latest = performance.now() + maxMs;
      let until = Math.min(latest, performance.now() + ms);
      const same = (): void => void (until = Math.min(latest, performance.now() + ms));
      const end = new AbortController();
      const abort = (): void => end.abort();
      // Not AbortSignal.any: Node 20 keeps what it makes as long as the signal, which is that of the process.
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([
          passed(() => until, end.signal).then(() => 'quiet' as const),
          ...(over === undefined ? [] : [over.then(() => 'quiet' as const)]),
          ...(known === undefined ? [] : [moved(known, everyMs, end.signal, same)]),
        ]);
      } finally {
        abort();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
