interface Limiter {
  /** Runs `job` as soon as fewer than `limit` others run; waiting jobs keep their order. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** A job that started at `startedAt` (`performance.now()`) came back in good time. */
  succeeded(startedAt: number): void;
  /** A job that started at `startedAt` was refused or timed out. */
  overloaded(startedAt: number): void;
  readonly limit: number;
}

/**
 * Finds out how many requests a node takes at once: one more for every full round of good answers, half as many on a
 * sign of overload. Answers to requests sent before the last halving say nothing about the new limit and are ignored.
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
      // Growing while the limit is not reached would learn nothing about the node.
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
