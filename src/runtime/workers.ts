import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../observe/logger.js';
import { backoffMs } from './backoff.js';
import { inTime } from './deadline.js';
import { createLink } from './link.js';
import type { Answers, Link } from './link.js';

interface WorkersOptions {
  count: number;
  /** Changes of the environment. */
  env: Record<string, string>;
  /** Answers to one worker. */
  answers: (id: number) => Answers;
  /** A worker has ended; `ready` says how many are left that have begun their work. */
  onEnd: (id: number, ready: number) => void;
  onReady: () => void;
  logger: Logger;
  signal: AbortSignal;
}

export interface Workers {
  /** What the first worker said of itself when it had begun, or the exit status of one that ended before all had. */
  readonly started: Promise<{ ready: unknown } | { status: number }>;
  /** Asks all that have begun; the answers of those that answer in time. */
  ask(what: string): Promise<unknown[]>;
  /** Lets all end, and waits for it. */
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** A worker that worked for longer ended for a new reason, ms. */
const SETTLED_MS = 60_000;
/** Time to answer a question, ms. */
const ANSWER_MS = 2_000;

interface Running {
  worker: Worker;
  link: Link;
  ready: boolean;
}

/** Processes that run this program with the same arguments and share its ports. One that ends is started again. */
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
      ready(said) {
        running.get(id)!.ready = true;
        onReady();
        if (begun || ready().length < count) return;
        begun = true;
        resolveStarted({ ready: said });
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
        void restart(performance.now() - since > SETTLED_MS ? 0 : failures + 1);
      });
    });
    ends.add(end);
    void end.then(() => ends.delete(end));
  }

  async function restart(failures: number): Promise<void> {
    await pause(backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) start(failures);
  }

  // Workers accept for themselves: a connection that was handed to a worker just killed would be
  // neither answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  for (let i = 0; i < count; i++) start(0);

  return {
    started,
    async ask(what) {
      const answers = await Promise.all(ready().map(({ link }) => inTime(ANSWER_MS, link.ask(what))));
      return answers.filter((answer) => answer !== undefined);
    },
    async close() {
      for (const { link } of running.values()) void link.ask('drain');
      await Promise.all(ends);
    },
  };
}

/** The link of a worker to the process that started it; undefined in all other processes. */
export function linkOfWorker(answers: Answers): Link | undefined {
  return cluster.isWorker ? createLink(process, answers) : undefined;
}

/** Undefined in a process that is no worker. */
export const workerNumber = (): number | undefined => cluster.worker?.id;
