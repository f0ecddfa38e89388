/** Days, weeks and months (UTC) of the series. Each has a number, counted from that of 1970-01-01, which is a Thursday: weeks begin on Thursdays. */
import { DAY_MS } from '../../chain/day.js';
import { invalid } from './errors.js';
import type { Parameter } from './parameters.js';
import { z } from 'zod';

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

/** The first day of an interval, and of the one after it: `YYYY-MM-DD`. */
export const datesOf = (step: Step, number: number): { start_date: string; end_date: string } => ({
  start_date: dateOf(beginOf(step, number)),
  end_date: dateOf(beginOf(step, number + 1)),
});

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A day, as the time at which it begins. */
export const date = (name: string, description: string): Parameter<number> => ({
  schema: z.iso.date().meta({ description }),
  read(text) {
    const time = /^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
    // `Date.parse` takes the 31st of a month with 30 days for the next day.
    if (Number.isNaN(time) || dateOf(time) !== text) throw invalid('query', `${name}=${text}`);
    return time;
  },
});
