import type { Logger } from './logger.js';

/** How far a load has got. */
interface LoadState {
  /** Heights done and to do in this run. */
  done: number;
  total: number;
  /** Height of the head in the database. */
  height: number;
  /** Transactions written in this run. */
  transactions: number;
}

interface ProgressOptions {
  logger: Logger;
  /** A terminal gets one line that renews itself, anything else a log line every ten seconds. */
  terminal?: { write(text: string): unknown; isTTY?: boolean | undefined };
  /** Milliseconds of a clock that never runs backwards. */
  now?: () => number;
}

const TERMINAL_PAUSE_MS = 250;
const LOG_PAUSE_MS = 10_000;
/** Fewer heights left than this is following the head: there is nothing to report. */
const MIN_LOAD = 3;

/** Prints heights done, rate and time left. `end` leaves the terminal on a fresh line. */
export function createProgress(options: ProgressOptions): { update(state: LoadState): void; end(): void } {
  const { logger, terminal, now = () => performance.now() } = options;
  const onTerminal = terminal?.isTTY === true;
  const pause = onTerminal ? TERMINAL_PAUSE_MS : LOG_PAUSE_MS;
  let start: { at: number; state: LoadState } | undefined;
  let reportedAt = -Infinity;
  let open = false;

  const report = (state: LoadState, at: number) => {
    const seconds = start === undefined ? 0 : (at - start.at) / 1000;
    const rate = (from: number, to: number) => (seconds > 0 ? (to - from) / seconds : 0);
    const heightsPerSecond = rate(start?.state.done ?? 0, state.done);
    const transactionsPerSecond = rate(start?.state.transactions ?? 0, state.transactions);
    const left = heightsPerSecond > 0 ? (state.total - state.done) / heightsPerSecond : undefined;
    if (onTerminal) {
      const counts = `${state.done}/${state.total} heights, at ${state.height}`;
      const rates = `${heightsPerSecond.toFixed(1)} heights/s, ${Math.round(transactionsPerSecond)} tx/s`;
      terminal.write(`\r\x1b[K${counts}, ${rates}, ${left === undefined ? '?' : formatSeconds(left)} left`);
      open = true;
    } else {
      logger.info(
        {
          done: state.done,
          total: state.total,
          height: state.height,
          heights_per_second: Math.round(heightsPerSecond * 10) / 10,
          transactions_per_second: Math.round(transactionsPerSecond),
          seconds_left: left === undefined ? null : Math.round(left),
        },
        'Loading',
      );
    }
  };

  const end = () => {
    if (open) terminal?.write('\n');
    open = false;
    start = undefined;
    reportedAt = -Infinity;
  };

  return {
    update(state) {
      const left = state.total - state.done;
      if (start === undefined && left < MIN_LOAD) return;
      const at = now();
      start ??= { at, state };
      if (left > 0 && at - reportedAt < pause) return;
      reportedAt = at;
      report(state, at);
      if (left <= 0) end();
    },
    end,
  };
}

/** `1h02m`, `3m20s`, `15s` */
function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (part: number) => String(part).padStart(2, '0');
  if (hours > 0) return `${hours}h${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m${two(whole % 60)}s` : `${whole}s`;
}
