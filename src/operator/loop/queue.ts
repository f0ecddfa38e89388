import { backoffMs } from '../../runtime/backoff.js';
import type { OperatorMetrics } from '../metrics.js';

interface Queue {
  /** Queues the key. A key that is added several times before its turn is processed once. */
  add(key: string): void;
  /** Queues the key after a time, ms. An earlier time that is already set stays. */
  addAfter(key: string, ms: number): void;
  /** Starts the workers; they run until `stop`. */
  start(): void;
  /** Starts no more work, and waits for running work. Queued keys stay. */
  stop(): Promise<void>;
  /** Removes a key with its timer and its failures. */
  forget(key: string): void;
  size(): number;
  /** Sets the gauges about running work: their values change with time alone. */
  measure(): void;
}

interface QueueOptions {
  /** Processes one key and returns the time until the next pass, ms. Throwing counts as a failure. */
  work: (key: string) => Promise<number | undefined>;
  onFailure: (key: string, error: unknown, failures: number) => void;
  concurrency: number;
  metrics: OperatorMetrics['queue'];
  firstPauseMs?: number;
  maxPauseMs?: number;
}

/** Max pause after a failure if the key was added while it was processed, ms. */
const CHANGED_MS = 2_000;

/** A work queue. A key is never processed by two workers at once. A key that fails waits, longer each time, and delays no other. */
export function createQueue(options: QueueOptions): Queue {
  const { work, onFailure, concurrency, metrics, firstPauseMs = 200, maxPauseMs = 30_000 } = options;
  /** Waiting keys, with the time at which they were added. */
  const waiting = new Map<string, number>();
  const running = new Map<string, number>();
  const again = new Set<string>();
  const timers = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  const failures = new Map<string, number>();
  const tasks = new Set<Promise<void>>();
  let started = false;

  const measure = (): void => {
    metrics.depth.set(waiting.size);
    const since = [...running.values()].map((begun) => (performance.now() - begun) / 1000);
    metrics.unfinished.set(since.reduce((sum, seconds) => sum + seconds, 0));
    metrics.maxRunning.set(Math.max(0, ...since));
  };

  const clear = (key: string): void => {
    clearTimeout(timers.get(key)?.timer);
    timers.delete(key);
  };

  const add = (key: string): void => {
    clear(key);
    if (running.has(key)) again.add(key);
    else if (!waiting.has(key)) {
      waiting.set(key, performance.now());
      metrics.adds.inc();
    }
    next();
  };

  const addAfter = (key: string, ms: number): void => {
    const at = performance.now() + ms;
    const known = timers.get(key);
    if (known !== undefined && known.at <= at) return;
    clear(key);
    const timer = setTimeout(() => add(key), Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    timers.set(key, { timer, at });
  };

  const run = async (key: string, added: number): Promise<void> => {
    const begun = performance.now();
    metrics.waited.observe((begun - added) / 1000);
    try {
      const after = await work(key);
      failures.delete(key);
      if (after !== undefined) addAfter(key, after);
    } catch (error) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      metrics.retries.inc();
      onFailure(key, error, count);
      const backoff = backoffMs(count - 1, firstPauseMs, maxPauseMs);
      // The key was added meanwhile: the change may have solved the problem, or the failed attempt wrote it itself.
      const wait = again.delete(key) ? Math.min(backoff, CHANGED_MS) : backoff;
      addAfter(key, wait * (0.75 + Math.random() / 2));
    } finally {
      running.delete(key);
      metrics.worked.observe((performance.now() - begun) / 1000);
      if (again.delete(key)) add(key);
    }
  };

  const next = (): void => {
    while (started && running.size < concurrency) {
      const first = waiting.entries().next();
      if (first.done === true) break;
      const [key, added] = first.value;
      waiting.delete(key);
      running.set(key, performance.now());
      const task = run(key, added).finally(() => {
        tasks.delete(task);
        next();
      });
      tasks.add(task);
    }
    measure();
  };

  return {
    add,
    addAfter,
    start() {
      started = true;
      next();
    },
    async stop() {
      started = false;
      await Promise.all(tasks);
    },
    forget(key) {
      clear(key);
      waiting.delete(key);
      again.delete(key);
      failures.delete(key);
    },
    size: () => waiting.size,
    measure,
  };
}
