interface LoadRateOptions {
  /** Called with the transactions per second when they change. */
  set: (perSecond: number) => void;
  /** Aborts when nothing more is written. */
  signal: AbortSignal;
  /** Time over which it is measured, ms. */
  windowMs?: number;
}

/** Measures the transactions written per second, over the last ten seconds. It falls to 0 by itself when nothing is written any more. */
export function createLoadRate({ set, signal, windowMs = 10_000 }: LoadRateOptions): { add: (count: number) => void } {
  const written: { at: number; count: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });

  function measure(): void {
    clearTimeout(timer);
    if (signal.aborted) return;
    const now = performance.now();
    while (written[0] !== undefined && now - written[0].at > windowMs) written.shift();
    const first = written[0];
    const seconds = first === undefined ? 1 : Math.max(1, (now - first.at) / 1000);
    set(written.reduce((sum, { count }) => sum + count, 0) / seconds);
    if (first !== undefined) timer = setTimeout(measure, windowMs / 10).unref();
  }

  return {
    add(count) {
      written.push({ at: performance.now(), count });
      measure();
    },
  };
}
