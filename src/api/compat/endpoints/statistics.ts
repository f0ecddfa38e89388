/** What happened in each day, week or month, and in the last 24 hours. */
import { z } from 'zod';
import { DAY_MS } from '../../../chain/day.js';
import { LISTS_BACKFILL } from '../../../store/backfills.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/series.js';
import { compatMiners } from '../../../store/queries/compat/transfers.js';
import { compatible, valuesOf } from '../endpoint.js';
import { notAvailable, notFound, refused } from '../errors.js';
import { requireFilled } from '../filled.js';
import { isHyperchain } from '../hyperchain.js';
import { datesOf } from '../intervals.js';
import { inOrder, list, partOf } from '../page.js';
import type { Row } from '../page.js';
import { word } from '../parameters.js';
import { bigNumber } from '../../schemas/scalars.js';
import * as s from '../schemas.js';
import { parseScope, positionsOf } from '../scope.js';
import { DATES, INTERVALS, MAX_INTERVALS, intervalsOf, series, timesBetween } from '../series.js';
import { type } from '../transaction-filter.js';

export const counts = [
  series({
    path: 'transactions',
    id: 'GetTransactionsStats',
    summary: 'Transactions of each interval',
    query: { tx_type: type },
    count: (db, times, { tx_type: types }) =>
      types === undefined
        ? queries.countsIn(db, 'transactions', times)
        : queries.typeCountsIn(db, [...new Set(types)], times),
  }),
  series({
    path: 'blocks',
    id: 'GetBlocksStats',
    summary: 'Key blocks, micro blocks or both of each interval',
    query: { type: word('type', 'Only blocks of this kind.', ['key', 'micro']) },
    count: (db, times, { type: kind }) =>
      queries.countsIn(db, kind === undefined ? 'blocks' : kind === 'key' ? 'key_blocks' : 'micro_blocks', times),
  }),
  series({
    path: 'difficulty',
    id: 'GetDifficultyStats',
    summary: 'Average difficulty of the key blocks of each interval',
    count: (db, times) => queries.countsIn(db, 'difficulty', times),
  }),
  series({
    path: 'hashrate',
    id: 'GetHashrateStats',
    summary: 'Average hash rate of each interval, from the difficulty and the time between key blocks of the network',
    count: (db, times) => queries.countsIn(db, 'hashrate', times),
  }),
  series({
    path: 'names',
    id: 'GetNamesStats',
    summary: 'Names that became active in each interval',
    count: (db, times) => queries.countsIn(db, 'names', times),
  }),
  series({
    path: 'contracts',
    id: 'GetContractsStats',
    summary: 'Contracts that transactions created in each interval',
    count: (db, times) => queries.countsIn(db, 'contracts', times),
  }),
  series({
    path: 'aex9-transfers',
    id: 'GetAex9TransfersStats',
    summary: 'Events `Transfer` and `Mint` of tokens of AEX-9 of each interval',
    async count(db, times) {
      await requireFilled(db, ['contract-logs', 'tokens']);
      return queries.countsIn(db, 'aex9_transfers', times);
    },
  }),
  series({
    path: 'total-accounts',
    id: 'GetTotalAccountsStats',
    summary: 'Accounts that a transaction named for the first time in each interval',
    async count(db, times) {
      await requireFilled(db, [LISTS_BACKFILL, 'seen-accounts']);
      return queries.countsIn(db, 'accounts', times);
    },
  }),
  series({
    path: 'active-accounts',
    id: 'GetActiveAccountsStats',
    summary: 'Accounts that transactions of each interval named',
    async count(db, times, _query, step) {
      await requireFilled(db, [LISTS_BACKFILL]);
      const { rows, head } = await queries.activeAccountsIn(db, step, times);
      const counted = rows.flatMap(({ number, count }) => (count === null ? [] : [{ number, count }]));
      if (counted.length < rows.length) throw notAvailable();
      return { rows: counted, head };
    },
  }),
].flat();

export const transactionsTotal = compatible({
  v3: { path: '/stats/transactions/total', id: 'GetTransactionsTotalStats' },
  tag: 'Statistics',
  summary: 'Number of transactions between two days, or within a scope',
  query: { ...DATES, tx_type: type },
  strict: true,
  answer: s.bareCount,
  async handle({ ctx, query }, { db }) {
    const text = valuesOf(ctx.query, 'scope').at(-1);
    const scope = await positionsOf(db, text === undefined ? undefined : parseScope(text, ['gen', 'time']));
    const days = await intervalsOf(db, query, undefined);
    const [low, high] = [Number(days.low), Number(days.high)];
    const types = query.tx_type === undefined ? null : [...new Set(query.tx_type)];
    const { times, fromBeginning } = timesBetween(days, low, Math.max(high, low - 1));
    // One interval, from the first day to the last one.
    const ends = { times: [times[0]!, times.at(-1)!], fromBeginning };
    const { row, head } = await queries.transactionsBetween(db, { low: scope.low, high: scope.high + 1n }, ends, types);
    return { value: Number(row?.count ?? 0), head };
  },
});

/** Throws for a chain whose key blocks are not mined. */
async function requireMiners(db: Queryable): Promise<void> {
  if (await isHyperchain(db)) throw refused('This endpoint is not available on a hyperchain node');
}

const minerRow = z.object({ miner: z.string(), blocks_mined: s.bareCount });

/** Intervals that one statement reads. */
const INTERVALS_AT_ONCE = 12;

export const topMiners = list({
  v3: { path: '/stats/miners/top', id: 'GetTopMinersStats' },
  tag: 'Statistics',
  summary: 'Miners of each interval, those of the most key blocks first',
  query: INTERVALS,
  strict: true,
  row: minerRow.extend({ start_date: z.iso.date(), end_date: z.iso.date() }).meta({ id: 'CompatTopMiner' }),
  key: ['int', 'int', 'text'],
  scopes: ['gen', 'time'],
  maxLimit: MAX_INTERVALS,
  cost: () => 'heavy',
  async open({ query, scope }, { db }) {
    await requireMiners(db);
    const intervals = await intervalsOf(db, query, scope);
    const [first, last] = [Number(intervals.low), Number(intervals.high)];
    return {
      forward: intervals.forward,
      async read(part) {
        const step = part.ascending ? 1 : -1;
        const found: Row[] = [];
        let head = null;
        let at = part.from === undefined ? (part.ascending ? first : last) : Number(part.from[0]);
        at = part.ascending ? Math.max(at, first) : Math.min(at, last);
        do {
          const end = at + step * (INTERVALS_AT_ONCE - 1);
          const [low, high] = [Math.max(Math.min(at, end), first), Math.min(Math.max(at, end), last)];
          const times = high < low ? { times: [], fromBeginning: false } : timesBetween(intervals, low, high);
          const { rows, head: seen } = await queries.minersIn(db, times);
          head = seen;
          for (const { number, miner, blocks } of rows) {
            const interval = low + Number(number) - 1;
            found.push({
              key: [BigInt(interval), BigInt(blocks), miner],
              value: { ...datesOf(intervals.step, interval), miner, blocks_mined: Number(blocks) },
            });
          }
          at = end + step;
        } while (at >= first && at <= last && partOf(found, part).length < part.take);
        return { rows: partOf(inOrder(found, part), part), head };
      },
    };
  },
});

export const miners = list({
  v3: { path: '/stats/miners', id: 'GetMinersStats' },
  v2: { path: '/minerstats', id: 'get_miner_stats' },
  tag: 'Statistics',
  summary: 'Beneficiaries of key blocks, with the rewards that were paid to them, by account',
  strict: true,
  row: z.object({ miner: z.string(), total_reward: bigNumber }).meta({ id: 'CompatMiner' }),
  key: ['text'],
  maxLimit: MAX_INTERVALS,
  cost: () => 'heavy',
  async open(_request, { db }) {
    await requireMiners(db);
    return {
      async read({ from, ...part }) {
        const { rows, head } = await compatMiners(db, { ...part, from: from?.[0] as string | undefined });
        const found = rows.map(({ miner, total }) => ({ key: [miner], value: { miner, total_reward: BigInt(total) } }));
        return { rows: inOrder(found, { ...part, from }), head };
      },
    };
  },
});

/** The time of the newest block, and as many days before it as there are ends. */
async function lastDays(db: Queryable, ...ago: readonly number[]) {
  const { row } = await queries.chainTimes(db);
  const end = Number(row?.last ?? 0) + 1;
  return { row, times: { times: ago.map((days) => BigInt(end - days * DAY_MS)), fromBeginning: false } };
}

export const miners24h = compatible({
  v3: { path: '/stats/miners/top-24h', id: 'GetTopMiners24hStats' },
  tag: 'Statistics',
  summary: 'Miners of the 24 hours before the newest block, by account',
  answer: z.array(minerRow),
  cost: 'heavy',
  async handle(_request, { db }) {
    await requireMiners(db);
    const { times } = await lastDays(db, 1, 0);
    const { rows, head } = await queries.minersIn(db, times);
    const sorted = rows.map(({ miner, blocks }) => ({ miner, blocks_mined: Number(blocks) }));
    return { value: sorted.sort((a, b) => (a.miner < b.miner ? -1 : 1)), head };
  },
});

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** The change since the day before, as a part of the last day. */
const trend = (last: number, before: number): number => (last === 0 ? 0 : round((last - before) / last, 2));

/** A sum has more digits than a number holds, so only the rest of the division is one with a fraction. */
const averageOf = (sum: bigint, count: bigint): number => Number(sum / count) + Number(sum % count) / Number(count);

const schema = z
  .looseObject({
    max_transactions_per_second: z.number().nullable(),
    max_transactions_per_second_block_hash: z.string().nullable(),
    last_24hs_transactions: s.bareCount,
    transactions_trend: z.number(),
    last_24hs_average_transaction_fees: z.number(),
    fees_trend: z.number(),
    milliseconds_per_block: s.bareCount,
    holders_count: s.bareCount.nullable(),
  })
  .meta({ id: 'CompatStats' });

export const stats = compatible({
  v3: { path: '/stats', id: 'GetStats' },
  v2: { path: '/stats', id: 'get_stats' },
  tag: 'Statistics',
  summary: 'The 24 hours before the newest block, the day before, and records of the chain',
  answer: schema,
  cost: 'heavy',
  async handle(_request, { db }) {
    const { row: chain, times } = await lastDays(db, 2, 1, 0);
    if (chain === null) throw notFound('no stats');
    const [{ rows, head }, { row: records }, hasValidators] = await Promise.all([
      queries.feesIn(db, times),
      queries.records(db),
      isHyperchain(db),
    ]);
    const of = (number: number) => {
      const row = rows.find((one) => Number(one.number) === number);
      const transactions = Number(row?.transactions ?? 0);
      return { transactions, fee: transactions === 0 ? 0 : averageOf(BigInt(row?.fees ?? 0), BigInt(transactions)) };
    };
    const [before, last] = [of(1), of(2)];
    const blocks = Number(chain.height) - 1;
    const producers = records?.producers == null ? null : Number(records.producers);
    return {
      head,
      value: {
        max_transactions_per_second: producers === null ? null : Number(records?.rate ?? 0),
        max_transactions_per_second_block_hash: records?.fastest ?? null,
        last_24hs_transactions: last.transactions,
        transactions_trend: trend(last.transactions, before.transactions),
        last_24hs_average_transaction_fees: last.fee,
        fees_trend: trend(last.fee, before.fee),
        milliseconds_per_block: blocks > 0 ? Math.round((Number(chain.newest) - Number(chain.first)) / blocks) : 0,
        holders_count: records?.holders == null ? null : Number(records.holders),
        [hasValidators ? 'validators_count' : 'miners_count']: producers,
      },
    };
  },
});
