interface Limiter {
  /** Runs `job` as soon as fewer than `limit` others run; waiting jobs keep their order. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** Call it when a job that started at `startedAt` (`performance.now()`) was answered fast enough. */
  succeeded(startedAt: number): void;
  /** Call it when a job that started at `startedAt` was refused or timed out. */
  overloaded(startedAt: number): void;
  readonly limit: number;
}

/**
 * Adapts the number of concurrent requests to a node: adds one after each full round of good answers and halves the number on overload. Answers
 * to requests sent before the last halving say nothing about the new limit and are ignored.
 */
export function createLimiter(options: { initial: number; max: number }): Limiter {
  let limit = Math.min(options.initial, options.max);
  let running = 0;
  let halvedAt = -Infinity;
  const waiting: (() => void)[] = [];

  const release = () => {
    running -= 1;
    while (waiting.length > 0 && running < Math.floor(limit)) {
      running += 1;
      waiting.shift()!();
    }
  };

  return {
    async run(job) {
      if (running < Math.floor(limit)) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await job();
      } finally {
        release();
      }
    },
    succeeded(startedAt) {
      // If the limit is not reached, a good answer does not show that the node could take more.
      if (startedAt > halvedAt && running >= Math.floor(limit)) limit = Math.min(options.max, limit + 1 / limit);
    },
    overloaded(startedAt) {
      if (startedAt <= halvedAt) return;
      halvedAt = performance.now();
      limit = Math.max(1, limit / 2);
    },
    get limit() {
      return Math.floor(limit);
    },
  };
}
