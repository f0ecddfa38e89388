/** Lists of a number for each day, week or month, from that of the chain's first block to that of its newest one. */
import { z } from 'zod';
import { beginOf, intervalAt } from '../../chain/intervals.js';
import type { Step } from '../../chain/intervals.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Answers } from '../../store/queries/answer.js';
import * as queries from '../../store/queries/compat/series.js';
import type { Times } from '../../store/queries/compat/series.js';
import { date, datesOf } from './intervals.js';
import { list, rangeOf } from './page.js';
import type { Row } from './page.js';
import { word } from './parameters.js';
import type { Parameters, Values } from './parameters.js';
import * as s from './schemas.js';
import type { Range, Scope } from './scope.js';

/** Rows of a page, as in the original. */
export const MAX_INTERVALS = 1_000;

export const DATES = {
  min_start_date: date('min_start_date', 'Not before the interval of this day.'),
  max_start_date: date('max_start_date', 'Not after the interval of this day.'),
};

export const INTERVALS = {
  interval_by: word('interval_by', 'What an interval is.', ['day', 'week', 'month']),
  ...DATES,
};

type Asked = Partial<Values<typeof INTERVALS>>;

/** The intervals that a request asks for. `low` is above `high` if there are none. */
interface Intervals extends Range {
  step: Step;
  /** The interval in which the chain begins. */
  first: number;
  /** The direction that the scope asks for; undefined if it does not. */
  forward: boolean | undefined;
}

export async function intervalsOf(db: Queryable, asked: Asked, scope: Scope | undefined): Promise<Intervals> {
  const step = asked.interval_by ?? 'day';
  const { row } = await queries.chainTimes(db);
  const at = (time: number): number => intervalAt(step, time);
  const first = at(Number(row?.first ?? 0));
  const [from, to] = scope === undefined ? [undefined, undefined] : await timesOf(db, scope);
  const ends = [from, to].flatMap((time) => (time === undefined ? [] : [time]));
  const lows = [
    first,
    ...(ends.length > 0 ? [at(Math.min(...ends))] : []),
    ...(asked.min_start_date === undefined ? [] : [at(asked.min_start_date)]),
  ];
  const highs = [
    row === null ? first - 1 : at(Number(row.last)),
    ...(ends.length > 0 ? [at(Math.max(...ends))] : []),
    ...(asked.max_start_date === undefined ? [] : [at(asked.max_start_date)]),
  ];
  return {
    step,
    first,
    low: BigInt(Math.max(...lows)),
    high: BigInt(Math.min(...highs)),
    forward: scope === undefined || scope.ends[0] === scope.ends[1] ? undefined : scope.ends[0] < scope.ends[1],
  };
}

/** The last time that dates have. */
const LAST_TIME = 8_640_000_000_000_000 / 2;

/** Times of the ends of a scope, ms; without one of a height above all. */
async function timesOf(db: Queryable, { by, ends }: Scope): Promise<(number | undefined)[]> {
  if (by === 'time') return ends.map((seconds) => Math.min(seconds * 1000, LAST_TIME));
  const heights = ends.map(BigInt);
  const { rows } = await queries.timesOfHeights(db, heights);
  return rows.map(({ time }) => (time === null ? undefined : Number(time)));
}

/** The intervals of a part, in its order, and the times between them. */
export function timesBetween({ step, first }: Intervals, low: number, high: number): Times {
  const times = Array.from({ length: high - low + 2 }, (_, i) => BigInt(beginOf(step, low + i)));
  return { times, fromBeginning: low === first };
}

type Counts = Pick<Answers<{ number: string; count: string }>, 'rows' | 'head'>;

interface SeriesDefinition<Q extends Parameters> {
  path: string;
  id: string;
  summary: string;
  query?: Q;
  count(db: Queryable, times: Times, query: Partial<Values<Q>>, step: Step): Promise<Counts>;
}

const countRow = z
  .object({ start_date: z.iso.date(), end_date: z.iso.date(), count: s.bareCount })
  .meta({ id: 'CompatIntervalCount' });

/** A list of one number for each interval. */
export function series<Q extends Parameters>({ path, id, summary, query, count }: SeriesDefinition<Q>) {
  return list({
    v3: { path: `/stats/${path}`, id },
    tag: 'Statistics',
    summary,
    query: { ...INTERVALS, ...query } as typeof INTERVALS & Q,
    strict: true,
    row: countRow,
    key: ['int'],
    scopes: ['gen', 'time'],
    maxLimit: MAX_INTERVALS,
    cost: () => 'heavy',
    async open({ query: asked, scope }, { db }) {
      const intervals = await intervalsOf(db, asked, scope);
      return {
        forward: intervals.forward,
        async read(part) {
          const range = rangeOf(part, intervals);
          const [low, high] = clipped(range, part);
          const times = high < low ? { times: [], fromBeginning: false } : timesBetween(intervals, low, high);
          const { rows, head } = await count(db, times, asked, intervals.step);
          const counts = new Map(rows.map((row) => [Number(row.number) - 1 + low, BigInt(row.count)]));
          const numbers = Array.from({ length: Math.max(high - low + 1, 0) }, (_, i) => low + i);
          const found = numbers.map((number): Row => ({
            key: [BigInt(number)],
            value: { ...datesOf(intervals.step, number), count: counts.get(number) ?? 0n },
          }));
          return { rows: part.ascending ? found : found.reverse(), head };
        },
      };
    },
  });
}

/** As many intervals of a range as a part takes, from its end on. */
const clipped = (
  { low, high }: Range,
  { ascending, take }: { ascending: boolean; take: number },
): [low: number, high: number] => {
  const [from, to] = [Number(low), Number(high)];
  return ascending ? [from, Math.min(to, from + take - 1)] : [Math.max(from, to - take + 1), to];
};
