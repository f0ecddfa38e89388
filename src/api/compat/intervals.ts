/** Days, weeks and months (UTC) of the series, as dates. */
import { beginOf } from '../../chain/intervals.js';
import type { Step } from '../../chain/intervals.js';
import { invalid } from './errors.js';
import type { Parameter } from './parameters.js';
import { z } from 'zod';

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
