import { memoryOf } from './processes.js';

interface Watched {
  /** Whether the process has ended, or was ended above its limit. */
  failed(): boolean;
  stop(): void;
  /** Lines for bench/README.md. */
  verdict(): string[];
}

/** Share by which the largest memory of the last quarter may exceed that of the quarter before: the rest is the garbage collector. */
const MAX_GROWTH = 1.1;
const EVERY_MS = 500;

/** Watches the resident memory of a process for some time, and ends the process above its limit, MiB, as a kubelet would. */
export function watchMemory(
  child: {
    pid?: number | undefined;
    exitCode: number | null;
    signalCode: string | null;
    kill(signal: 'SIGKILL'): unknown;
  },
  limit: number,
  seconds: number,
): Watched {
  const start = performance.now();
  const seen: { at: number; mib: number }[] = [];
  let over: string | undefined;
  const before = memoryOf(child).now;
  const timer = setInterval(() => {
    const at = (performance.now() - start) / 1000;
    if (over !== undefined) return;
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) over = `ended with ${end} after ${at.toFixed(0)} s`;
    else {
      const mib = memoryOf(child).now;
      seen.push({ at, mib });
      if (mib <= limit) return;
      over = `${mib.toFixed(0)} MiB after ${at.toFixed(0)} s`;
      child.kill('SIGKILL');
    }
  }, EVERY_MS);
  const most = (from: number, to: number): number =>
    Math.max(0, ...seen.filter(({ at }) => at >= from && at < to).map(({ mib }) => mib));

  return {
    failed: () => over !== undefined,
    stop: () => clearInterval(timer),
    verdict() {
      const minutes = Array.from({ length: Math.ceil(seconds / 60) }, (_, i) => most(i * 60, (i + 1) * 60));
      const [third, fourth] = [most(seconds / 2, (seconds * 3) / 4), most((seconds * 3) / 4, Infinity)];
      const grows = fourth > third * MAX_GROWTH;
      return [
        `Memory: ${before.toFixed(0)} MiB before; max of each minute ${minutes.map((mib) => mib.toFixed(0)).join(', ')} MiB; max ${most(0, Infinity).toFixed(0)} of ${limit} MiB: ${over === undefined ? 'met' : `**missed**: ${over}`}.`,
        `Growth in the second half: max ${third.toFixed(0)} MiB in the third quarter, ${fourth.toFixed(0)} in the last: ${grows ? '**missed**' : 'none: met'}.`,
      ];
    },
  };
}
