/** Days, weeks and months (UTC). Each has a number, counted from that of 1970-01-01, which is a Thursday: weeks begin on Thursdays. */
import { DAY_MS } from './day.js';

export type Step = 'day' | 'week' | 'month';

const MONTHS = 12;

/** Number of the interval that a time is in, ms since 1970. */
export function intervalAt(step: Step, time: number): number {
  if (step === 'month') {
    const date = new Date(time);
    return (date.getUTCFullYear() - 1970) * MONTHS + date.getUTCMonth();
  }
  return Math.floor(time / (step === 'week' ? 7 * DAY_MS : DAY_MS));
}

/** When an interval begins, ms since 1970. */
export function beginOf(step: Step, number: number): number {
  if (step === 'month') return Date.UTC(1970 + Math.floor(number / MONTHS), number % MONTHS);
  return number * (step === 'week' ? 7 * DAY_MS : DAY_MS);
}
