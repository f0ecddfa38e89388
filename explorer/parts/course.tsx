/** The course of an amount over time, from one change to the next. */
import { clock, moment } from '../format.js';
import type { Integer } from '../json.js';

export interface Point {
  time: Integer;
  /** After a change. */
  amount: Integer;
}

/** Height of the drawing. */
const TALL = 28;

const day = (time: number): string => moment(time).slice(0, 10);

/** `points`: oldest first. The amount stays the same from one to the next. Nothing is drawn of a single one. */
export function Course({ what, points }: { what: string; points: readonly Point[] }) {
  if (points.length < 2) return null;
  // The times of blocks may go back, the course does not.
  const times: number[] = [];
  for (const { time } of points) times.push(Math.max(Number(time), times.at(-1) ?? 0));
  const [start, end] = [times[0]!, times.at(-1)!];
  const amounts = points.map(({ amount }) => Number(amount));
  const [least, most] = [Math.min(0, ...amounts), Math.max(...amounts)];
  const x = (time: number): string => (((time - start) / Math.max(1, end - start)) * 100).toFixed(1);
  const y = (amount: number): string => (TALL - ((amount - least) / (most - least || 1)) * TALL).toFixed(1);
  const line = amounts.map((amount, i) => `H${x(times[i]!)}V${y(amount)}`).join('');
  const isOneDay = day(start) === day(end);
  const from = `0 ${y(amounts[0]!)}`;
  return (
    <>
      <svg
        class="spark tall pay"
        viewBox={`0 0 100 ${TALL}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${what} after the last ${points.length} changes, from ${moment(start)} to ${moment(end)}`}
      >
        <path class="area" d={`M${from}${line}L100 ${y(0)}L0 ${y(0)}z`} />
        <path d={`M${from}${line}`} />
      </svg>
      <p class="more ends">
        <span>{isOneDay ? moment(start) : day(start)}</span>
        <span>{isOneDay ? clock(end) : day(end)}</span>
      </p>
    </>
  );
}
