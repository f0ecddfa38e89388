import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Logger } from '../observe/logger.js';
import { backoffMs } from './backoff.js';
import { withTimeout } from './with-timeout.js';
import { createLink } from './link.js';
import type { Answers, Link } from './link.js';
import { waitOrAbort } from './repeat.js';

interface WorkersOptions {
  count: number;
  /** Environment variables to set in the workers. */
  env: Record<string, string>;
  /** The functions that a worker can call. */
  answers: (id: number) => Answers;
  /** Called when a worker has ended. `ready` is the number of workers that still serve. */
  onEnd: (id: number, ready: number) => void;
  onReady: () => void;
  logger: Logger;
  signal: AbortSignal;
}

export interface Workers {
  /** Resolves when all workers are ready, with the message of the last one; or with the exit status of a worker that ended before. */
  readonly started: Promise<{ ready: unknown } | { status: number }>;
  /** Calls a function of all workers that are ready, and returns the answers that arrive in time, by the numbers of the workers. */
  ask(what: string): Promise<[id: number, answer: unknown][]>;
  /** Drains all workers and waits until they have ended. */
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** If a worker ends after a longer time than this, the pause before the restart is short again, ms. */
const STABLE_MS = 60_000;
/** Max time for an answer of a worker, ms. */
const ANSWER_MS = 2_000;

interface Running {
  worker: Worker;
  link: Link;
  ready: boolean;
}

/** Starts processes that run this program with the same arguments and share its ports. If one ends, another one is started. */
export function startWorkers(options: WorkersOptions): Workers {
  const { count, logger, signal, onEnd, onReady } = options;
  const running = new Map<number, Running>();
  const ends = new Set<Promise<void>>();
  let resolveStarted: (how: { ready: unknown } | { status: number }) => void = () => undefined;
  const started = new Promise<{ ready: unknown } | { status: number }>((resolve) => (resolveStarted = resolve));
  let begun = false;
  const ready = (): Running[] => [...running.values()].filter((one) => one.ready);

  function start(failures: number): void {
    const worker = cluster.fork(options.env);
    const { id } = worker;
    const since = performance.now();
    const link = createLink(worker, {
      ...options.answers(id),
      // A worker that is just starting does not hear `drain` before.
      listening() {
        if (signal.aborted) void link.ask('drain');
      },
      ready(message) {
        running.get(id)!.ready = true;
        onReady();
        if (begun || ready().length < count) return;
        begun = true;
        resolveStarted({ ready: message });
      },
    });
    running.set(id, { worker, link, ready: false });
    const end = new Promise<void>((resolve) => {
      worker.once('exit', (code: number | null, by: string | null) => {
        running.delete(id);
        onEnd(id, ready().length);
        resolve();
        if (signal.aborted) return;
        if (!begun) return resolveStarted({ status: code ?? 1 });
        logger.error({ worker: id, status: code, signal: by }, 'A worker ended; another one is started');
        void restart(performance.now() - since > STABLE_MS ? 0 : failures + 1);
      });
    });
    ends.add(end);
    void end.then(() => ends.delete(end));
  }

  async function restart(failures: number): Promise<void> {
    await waitOrAbort(backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS), signal);
    if (!signal.aborted) start(failures);
  }

  // Each worker accepts connections itself. If this process handed them out, a connection given to a worker that was just killed would be
  // neither answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  for (let i = 0; i < count; i++) start(0);

  return {
    started,
    async ask(what) {
      const asked = ready().map(
        async ({ worker, link }) => [worker.id, await withTimeout(ANSWER_MS, link.ask(what))] as [number, unknown],
      );
      return (await Promise.all(asked)).filter(([, answer]) => answer !== undefined);
    },
    async close() {
      for (const { link } of running.values()) void link.ask('drain');
      await Promise.all(ends);
    },
  };
}

/** The link of a worker to the process that started it; undefined in a process that is no worker. */
export function linkOfWorker(answers: Answers): Link | undefined {
  if (!cluster.isWorker) return undefined;
  const link = createLink(process, answers);
  // What was asked before is lost: nothing read it.
  void link.ask('listening');
  return link;
}

/** Number of this worker, from 1; undefined in a process that is no worker. */
export const workerNumber = (): number | undefined => cluster.worker?.id;
