import { formatSeconds, progressLine } from './bar.js';
import type { Pace } from './bar.js';
import type { Logger } from './logger.js';
import type { Screen } from './screen.js';

/** Progress of work. */
interface State {
  /** Heights done and to do in this run. */
  done: number;
  total: number;
  /** Height of the stored head, or the last height that was done. */
  height: number;
  /** Transactions written or read in this run; absent if they are not counted. */
  transactions?: number;
}

interface ProgressOptions {
  /** Name of the work in the bar and the log. */
  what: string;
  logger: Logger;
  /** A terminal gets a progress bar; otherwise there is a log line every ten seconds. */
  screen: Screen;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

interface Progress {
  update(state: State): void;
  /** Removes the bar from the terminal. */
  end(): void;
}

const BAR_PAUSE_MS = 250;
const LOG_PAUSE_MS = 10_000;
/** Min remaining heights for which progress is shown: fewer are normal while the head is followed. */
const MIN_WORK = 3;

/** Shows heights done, rate and time left. A bar is replaced at the end by a line with the result. */
export function createProgress({ what, logger, screen, now = () => performance.now() }: ProgressOptions): Progress {
  const pause = screen.hasBars ? BAR_PAUSE_MS : LOG_PAUSE_MS;
  let start: { at: number; state: State } | undefined;
  let last: { at: number; state: State } | undefined;
  let reportedAt = -Infinity;

  function paceOf(state: State, at: number): Pace {
    const seconds = start === undefined ? 0 : (at - start.at) / 1000;
    const rate = (from: number, to: number) => (seconds > 0 ? (to - from) / seconds : 0);
    const heightsPerSecond = rate(start?.state.done ?? 0, state.done);
    const { transactions } = state;
    return {
      heightsPerSecond,
      transactionsPerSecond: transactions && rate(start?.state.transactions ?? 0, transactions),
      secondsLeft: heightsPerSecond > 0 ? (state.total - state.done) / heightsPerSecond : undefined,
    };
  }

  function log({ done, total, height }: State, pace: Pace): void {
    const { heightsPerSecond, transactionsPerSecond, secondsLeft } = pace;
    logger.info(
      {
        done,
        total,
        height,
        heights_per_second: Math.round(heightsPerSecond * 10) / 10,
        ...(transactionsPerSecond !== undefined && { transactions_per_second: Math.round(transactionsPerSecond) }),
        seconds_left: secondsLeft === undefined ? null : Math.round(secondsLeft),
      },
      what,
    );
  }

  function summarize(begun: { at: number; state: State }, ended: { at: number; state: State }): void {
    const heights = ended.state.done - begun.state.done;
    const seconds = (ended.at - begun.at) / 1000;
    const rate = seconds > 0 ? `, ${(heights / seconds).toFixed(1)} heights/s` : '';
    screen.print('stderr', `${what}: ${heights} heights in ${formatSeconds(seconds)}${rate}\n`);
  }

  function end(): void {
    if (screen.hasBars && start !== undefined && last !== undefined) {
      screen.removeBar();
      summarize(start, last);
    }
    start = last = undefined;
    reportedAt = -Infinity;
  }

  return {
    update(state) {
      const left = state.total - state.done;
      if (start === undefined && left < MIN_WORK) return;
      const at = now();
      start ??= { at, state };
      last = { at, state };
      if (left > 0 && at - reportedAt < pause) return;
      reportedAt = at;
      const pace = paceOf(state, at);
      if (!screen.hasBars) log(state, pace);
      else screen.showBar((columns) => progressLine({ what, ...state, pace }, columns));
      if (left <= 0) end();
    },
    end,
  };
}
