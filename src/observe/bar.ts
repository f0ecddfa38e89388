/** Formats the progress of work as one line: pure functions. */

const MAX_BAR = 30;
const MIN_BAR = 8;

/** `[######------]` */
export function bar(done: number, total: number, width = MAX_BAR): string {
  const filled = Math.floor(share(done, total) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}

/** Rounded down, so that 100 % is shown only at the end. */
export const percent = (done: number, total: number): string => `${Math.floor(share(done, total) * 100)} %`;

const share = (done: number, total: number): number => (total === 0 ? 1 : Math.min(done / total, 1));

export interface Pace {
  heightsPerSecond: number;
  /** Undefined if transactions are not counted. */
  transactionsPerSecond: number | undefined;
  /** Undefined before the first height is done. */
  secondsLeft: number | undefined;
}

/** One line of at most `columns` characters. Fields for which there is no room are left out, the least important ones first. */
export function progressLine(
  { what, done, total, pace }: { what: string; done: number; total: number; pace: Pace },
  columns: number,
): string {
  const { heightsPerSecond, transactionsPerSecond, secondsLeft } = pace;
  const facts = [
    percent(done, total),
    `${secondsLeft === undefined ? '?' : formatSeconds(secondsLeft)} left`,
    `${done}/${total} heights`,
    `${heightsPerSecond.toFixed(1)} heights/s`,
    ...(transactionsPerSecond === undefined ? [] : [`${Math.round(transactionsPerSecond)} tx/s`]),
  ];
  while (facts.length > 1 && widthOf(what, facts) > columns) facts.pop();
  // 3 for two brackets and a space.
  const room = Math.min(MAX_BAR, columns - widthOf(what, facts) - 3);
  const line = [what, ...(room >= MIN_BAR ? [bar(done, total, room)] : []), facts.join(', ')].join(' ');
  return line.slice(0, columns);
}

const widthOf = (what: string, facts: readonly string[]): number => `${what} ${facts.join(', ')}`.length;

/** `1h02m`, `3m20s`, `15s` */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (part: number) => String(part).padStart(2, '0');
  if (hours > 0) return `${hours}h${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m${two(whole % 60)}s` : `${whole}s`;
}
