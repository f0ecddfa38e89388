/**
 * Counts between times, from the running totals of generations. The times of blocks are those of `moments`, which do not go back. So
 * each count is a difference of two totals, and the counts of all intervals add up to that of the chain.
 */
import { eventHash } from '../../../chain/event-names.js';
import type { Step } from '../../../chain/intervals.js';
import type { Queryable } from '../../connection/database.js';
import { inGeneration } from '../../positions.js';
import { accountsNamed } from '../active-accounts.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { heightOfTime, positionOfTime } from '../moments.js';
import { below } from './places.js';
import { HEAD } from './times.js';

interface ChainTimesRow {
  /** Of the first key block above genesis; of genesis, if it is alone. */
  first: string;
  /** Of the newest key block, and its height. */
  newest: string;
  height: string;
  /** Of the newest block. */
  last: string;
}

/** Times of the chain, ms. */
export function chainTimes(db: Queryable): Promise<Answer<ChainTimesRow>> {
  return answer(db, {
    name: 'compat.chain_times',
    text: `
      SELECT COALESCE(
        (SELECT max_time FROM generations WHERE height > 0 ORDER BY height LIMIT 1), newest.max_time
      ) AS first, newest.max_time AS newest, GREATEST(newest.max_time, last_micro.time) AS last, newest.height
      FROM (SELECT height, max_time FROM generations ORDER BY height DESC LIMIT 1) AS newest
      LEFT JOIN LATERAL (
        SELECT max(m.time) AS time FROM micro_blocks AS m WHERE ${inGeneration('m.position', 'newest.height')}
      ) AS last_micro ON true`,
  });
}

/** The greatest time of a key block up to a height, ms; of the highest one if there is none at the height. */
export function timesOfHeights(db: Queryable, heights: readonly bigint[]): Promise<Answers<{ time: string }>> {
  return answers(db, {
    name: 'compat.times_of_heights',
    text: `
      SELECT (
        SELECT g.max_time FROM generations AS g WHERE g.height <= h.height ORDER BY g.height DESC LIMIT 1
      ) AS time
      FROM unnest($1::bigint[]) AS h (height)`,
    values: [heights],
  });
}

/**
 * Tables of the intervals between the times `$1`, the first of which is that of the beginning if `$2`. `steps` has the number of each interval from
 * 1, the positions from `low` to below `high`, and the heights of key blocks from `first` to below `next`.
 */
const STEPS = `
  bounds AS (
    SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE ${heightOfTime('b.at')} END AS height
    FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
  ), places AS (
    -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
    SELECT b.number, b.height, ${positionOfTime('b.at', 'b.height')} AS position
    FROM bounds AS b OFFSET 0
  ), steps AS (
    SELECT * FROM (
      SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
      FROM places WINDOW w AS (ORDER BY number)
    ) AS pairs
    WHERE high IS NOT NULL
  )`;

/** Fees of the transactions below a position, of those of the intervals `s`. */
const FEES = `
  COALESCE((SELECT sum(g.fees) FROM generations AS g WHERE g.height >= s.low >> 33 AND g.height < s.high >> 33), 0)
  - COALESCE((SELECT sum(t.fee) FROM transactions AS t WHERE t.position > (s.low >> 33) << 33 AND t.position < s.low), 0)
  + COALESCE((SELECT sum(t.fee) FROM transactions AS t WHERE t.position > (s.high >> 33) << 33 AND t.position < s.high), 0)`;

const KEY_BLOCKS = 's.next - s.first';

const MICRO_BLOCKS = '(SELECT count(*) FROM micro_blocks AS m WHERE m.position >= s.low AND m.position < s.high)';

/** The work of the easiest target, times its mantissa: see `chain/work/target.ts`. */
const EASIEST = 2n ** 24n * 0xffffn;
/** Exponents of targets that occur: of the easiest one, and of those that are harder. */
const EXPONENTS = Array.from({ length: 12 }, (_, i) => 0x21 - i);

/** The difficulty that the compact target `k.target` means. With an exponent that occurs it is one division. */
const DIFFICULTY = `
  CASE
    WHEN k.target & 8388607 = 0 THEN 0
    ${EXPONENTS.map((e) => `WHEN k.target >> 24 = ${e} THEN div(${EASIEST * 256n ** BigInt(0x21 - e)}, k.target & 8388607)`).join('\n    ')}
    WHEN k.target >> 24 < 3 THEN COALESCE(
      div(${EASIEST * 256n ** 30n}, NULLIF((k.target & 8388607) >> (8 * (3 - (k.target >> 24)))::int, 0)), 0
    )
    ELSE div(${EASIEST * 256n ** 30n}, (k.target & 8388607) * power(256::numeric, (k.target >> 24) - 3))
  END`;

/** Average difficulty of the key blocks of the interval `s`. */
const AVERAGE = `
  COALESCE((
    SELECT round(avg(${DIFFICULTY})) FROM key_blocks AS k WHERE k.height >= s.first AND k.height < s.next
  ), 0)`;

/** Threads of a graph that a proof of work is found in: so many hashes are one solution. */
const CYCLE = 42;

/** The time between key blocks, ms. */
const BLOCK_MS = `(SELECT top.block_ms FROM ${HEAD})`;

/** Events of an interval `s` with so many topics, by the contracts that emitted them. */
const eventsBy = (event: string, topics: number): string => `
  SELECT l.contract_id, count(*) AS events FROM contract_logs AS l
  WHERE hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended(${eventHash(event)}::numeric, 0)
    AND l.position >= s.low AND l.position < s.high
    AND l.topics[1] = ${eventHash(event)}::numeric AND cardinality(l.topics) = ${topics}
  GROUP BY l.contract_id`;

/** What is counted in each interval. */
const COUNTS = {
  key_blocks: KEY_BLOCKS,
  micro_blocks: MICRO_BLOCKS,
  blocks: `${KEY_BLOCKS} + ${MICRO_BLOCKS}`,
  transactions: `${below('s.high', false)} - (${below('s.low', false)})`,
  difficulty: AVERAGE,
  // A thousandth of the rate at which solutions are tried, rounded.
  hashrate: `div(2 * ${CYCLE} * ${AVERAGE} + 1000 * ${BLOCK_MS}, 2000 * ${BLOCK_MS})`,
  // Before Lima there were no auctions, and no fee for the name.
  names: `
    (
      SELECT count(*) FROM names AS n
      WHERE NOT n.running AND n.winning_bid IS NOT NULL AND n.auction_end_height >= s.first AND n.auction_end_height < s.next
    ) + (
      SELECT count(*) FROM names AS n
      WHERE n.winning_bid IS NULL AND n.position >= s.first << 33 AND n.position < s.next << 33
    )`,
  contracts: `
    (SELECT count(*) FROM contracts AS c WHERE c.position >= s.low AND c.position < s.high AND NOT c.failed)`,
  accounts: '(SELECT count(*) FROM seen_accounts AS a WHERE a.position >= s.low AND a.position < s.high)',
  // Each contract is looked up once, not each event.
  aex9_transfers: `
    COALESCE((
      SELECT sum(e.events) FROM (${eventsBy('Transfer', 4)} UNION ALL ${eventsBy('Mint', 3)}) AS e
      WHERE (SELECT t.kind FROM tokens AS t WHERE t.contract_id = e.contract_id) = 9
    ), 0)`,
} as const;

type Counted = keyof typeof COUNTS;

/** Times that divide the chain into intervals. */
export interface Times {
  /** In ascending order, ms; one more than there are intervals. */
  times: readonly bigint[];
  /** The first interval begins with the chain. */
  fromBeginning: boolean;
}

interface CountRow {
  /** Number of the interval, from 1. */
  number: string;
  count: string;
}

/** Counts in each interval. */
export function countsIn(db: Queryable, what: Counted, { times, fromBeginning }: Times): Promise<Answers<CountRow>> {
  return answers<CountRow>(db, {
    name: `compat.series.${what}`,
    text: `WITH ${STEPS} SELECT s.number, (${COUNTS[what]})::text AS count FROM steps AS s`,
    values: [times, fromBeginning],
  });
}

/** Transactions behind the last counted part that a request counts itself. The populator leaves fewer, but while it counts those of an earlier version. */
const UNCOUNTED = 50_000;

/** Accounts that transactions of each interval name; null where too many of these are not counted yet. */
export function activeAccountsIn(
  db: Queryable,
  step: Step,
  { times, fromBeginning }: Times,
): Promise<Answers<Omit<CountRow, 'count'> & { count: string | null }>> {
  const counted = `COALESCE((SELECT sum(a.in_${step}) FROM active_accounts AS a WHERE a.upto > s.low AND a.upto <= s.high), 0)`;
  return answers(db, {
    name: `compat.series.active_accounts.${step}`,
    text: `
      WITH ${STEPS}, counted AS (
        SELECT c.upto, COALESCE((SELECT g.tx_total FROM generations AS g ORDER BY g.height DESC LIMIT 1), 0) - (${below('c.upto', false)}) AS left_over
        FROM (SELECT COALESCE(max(a.upto), 0) AS upto FROM active_accounts AS a) AS c
      )
      SELECT s.number, CASE
        WHEN s.high <= c.upto THEN ${counted}
        WHEN c.left_over <= ${UNCOUNTED} THEN ${counted} + (
          SELECT count(*) FROM (${accountsNamed('GREATEST(s.low, c.upto)', 's.high')}) AS n WHERE n.before < s.low
        )
      END::text AS count
      FROM steps AS s CROSS JOIN counted AS c`,
    values: [times, fromBeginning],
  });
}

/** Transactions of some types in each interval. */
export function typeCountsIn(
  db: Queryable,
  types: readonly string[],
  { times, fromBeginning }: Times,
): Promise<Answers<CountRow>> {
  return answers<CountRow>(db, {
    name: 'compat.series.transactions_of_types',
    text: `
      WITH ${STEPS}
      SELECT s.number, COALESCE((
        SELECT sum(${below('s.high', true)} - (${below('s.low', true)})) FROM types AS y WHERE y.name = ANY ($3::text[])
      ), 0)::text AS count
      FROM steps AS s`,
    values: [times, fromBeginning, types],
  });
}

/** Key blocks above genesis of each beneficiary in each interval. */
export function minersIn(
  db: Queryable,
  { times, fromBeginning }: Times,
): Promise<Answers<{ number: string; miner: string; blocks: string }>> {
  return answers(db, {
    name: 'compat.series.miners',
    text: `
      WITH ${STEPS}
      SELECT s.number, mined.miner, mined.blocks
      FROM steps AS s
      CROSS JOIN LATERAL (
        SELECT k.beneficiary AS miner, count(*) AS blocks
        FROM key_blocks AS k WHERE k.height >= GREATEST(s.first, 1) AND k.height < s.next GROUP BY k.beneficiary
      ) AS mined`,
    values: [times, fromBeginning],
  });
}

/** Transactions and their fees in each interval. */
export function feesIn(
  db: Queryable,
  { times, fromBeginning }: Times,
): Promise<Answers<{ number: string; transactions: string; fees: string }>> {
  return answers(db, {
    name: 'compat.series.fees',
    text: `WITH ${STEPS} SELECT s.number, (${COUNTS.transactions})::text AS transactions, (${FEES})::text AS fees FROM steps AS s`,
    values: [times, fromBeginning],
  });
}

/** Transactions of some types (null: of all) from a position to below another one, and from a time to below another one, ms. */
export function transactionsBetween(
  db: Queryable,
  { low, high }: { low: bigint; high: bigint },
  { times, fromBeginning }: Times,
  types: readonly string[] | null,
): Promise<Answer<{ count: string }>> {
  const counted = (ofType: boolean): string => `(${below('w.high', ofType)} - (${below('w.low', ofType)}))`;
  return answer(db, {
    name: `compat.transactions_between${types === null ? '' : '.of_types'}`,
    text: `
      WITH ${STEPS}
      SELECT CASE WHEN w.high <= w.low THEN 0 ELSE ${
        types === null
          ? counted(false)
          : `COALESCE((SELECT sum${counted(true)} FROM types AS y WHERE y.name = ANY ($5::text[])), 0)`
      } END AS count
      FROM (SELECT GREATEST(s.low, $3::bigint) AS low, LEAST(s.high, $4::bigint) AS high FROM steps AS s) AS w`,
    values: [times, fromBeginning, low, high, ...(types === null ? [] : [types])],
  });
}

interface RecordsRow {
  /** Transactions a second of the fastest finished generation, and the hash of its key block; null if there is none. */
  rate: string | null;
  fastest: string | null;
  /** Accounts that have a key block; null while older blocks are still being counted. */
  producers: string | null;
  /** Accounts with coins; null while that is not known of all. */
  holders: string | null;
}

/** Records of the whole chain. */
export function records(db: Queryable): Promise<Answer<RecordsRow>> {
  return answer<RecordsRow>(db, {
    name: 'compat.records',
    text: `
      SELECT best.rate, best.hash AS fastest, CASE WHEN NOT f.is_filling THEN (SELECT count(*) FROM miners) END AS producers,
        CASE WHEN NOT EXISTS (SELECT FROM backfills WHERE projection = 'holders') AND EXISTS (SELECT FROM ledger)
        THEN (SELECT count(*) FROM holders) END AS holders
      FROM (SELECT EXISTS (SELECT FROM backfills WHERE projection = 'statistics') AS is_filling) AS f
      LEFT JOIN LATERAL (
        SELECT r.rate, k.hash
        FROM (SELECT height, rate FROM generation_rates ORDER BY rate DESC, height LIMIT 1) AS r
        JOIN key_blocks AS k ON k.height = r.height
        WHERE NOT f.is_filling
      ) AS best ON true`,
  });
}
