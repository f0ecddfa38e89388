import { waitOrAbort } from '../runtime/repeat.js';

/** Resolves at a deadline that may be extended meanwhile, or when the signal aborts. */
async function passed(deadline: () => number, signal: AbortSignal): Promise<void> {
  for (let ms = deadline() - performance.now(); ms > 0 && !signal.aborted; ms = deadline() - performance.now()) {
    await waitOrAbort(ms, signal);
  }
}

const never = new Promise<never>(() => undefined);

interface HeadPollOptions {
  /** Hash of the last block of the followed node; undefined when the node does not answer. */
  headHash: () => Promise<string | undefined>;
  signal: AbortSignal;
}

interface Pause {
  /** Length, ms: from the start, and again from each answer that the head is still `knownHash`. */
  ms: number;
  /** Max length with all extensions, ms. */
  maxMs: number;
  /** Time between two requests for the head, ms. */
  everyMs: number;
  /** Hash of the node's head when the pause begins; undefined: the node is not polled. */
  knownHash: string | undefined;
  /** When this resolves, the pause ends too. */
  until: Promise<void> | undefined;
}

interface HeadPoll {
  /** Returns `moved` when the node's head changed, `quiet` when the pause ended for another reason. */
  pause(options: Pause): Promise<'moved' | 'quiet'>;
}

/**
 * Pauses between two rounds. A pause ends early when the node's head changes, and is extended while the node reports the same head.
 * The request is cheap and only controls the length of the pause: if a node does not answer or answers wrongly, the round after the
 * pause detects it.
 */
export function createHeadPoll({ headHash, signal }: HeadPollOptions): HeadPoll {
  /** At most one request at a time, so that a node that stalls does not get more of them. */
  let pending: Promise<string | undefined> | undefined;

  async function pollHead(
    knownHash: string,
    everyMs: number,
    end: AbortSignal,
    onSame: () => void,
  ): Promise<'moved' | 'quiet'> {
    for (;;) {
      await waitOrAbort(everyMs, end);
      if (end.aborted) return 'quiet';
      pending ??= headHash().finally(() => (pending = undefined));
      const hash = await pending;
      if (hash === undefined) return never;
      if (hash !== knownHash) return 'moved';
      onSame();
    }
  }

  return {
    async pause({ ms, maxMs, everyMs, knownHash, until }) {
      const latest = performance.now() + maxMs;
      const nextDeadline = (): number => Math.min(latest, performance.now() + ms);
      let deadline = nextDeadline();
      const extend = (): void => void (deadline = nextDeadline());
      const end = new AbortController();
      const abort = (): void => end.abort();
      // Not AbortSignal.any: Node 20 keeps the signals that it makes as long as their source, which here lives as long as the process.
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([
          passed(() => deadline, end.signal).then(() => 'quiet' as const),
          ...(until === undefined ? [] : [until.then(() => 'quiet' as const)]),
          ...(knownHash === undefined ? [] : [pollHead(knownHash, everyMs, end.signal, extend)]),
        ]);
      } finally {
        abort();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
