/** The sums of each generation, over all transactions and by type, with the totals up to it. */
import { MAX_HEIGHT, heightOf } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { mendAllTotals } from './generation-totals.js';
import type { Added, CheckedWindow, Projection, Write, WrongKeys } from './projection.js';

interface Sum {
  count: number;
  size: bigint;
  fees: bigint;
  types: Map<number, number>;
}

/** A stored row of `generations`. */
interface SumsRow {
  height: string;
  tx_count: number;
  size: string;
  fees: string;
  tx_total: string;
  size_total: string;
  max_time: string;
}

/** A stored row of `generation_types`. */
interface TypeSumsRow {
  type: number;
  height: string;
  count: number;
  total: string;
}

/** Sums of blocks, by height. */
interface SumsByHeight {
  sums: Map<number, Sum>;
  /** Times of the key blocks. */
  times: Map<number, number>;
}

function sumByHeight({ blocks, transactions, types }: Added): SumsByHeight {
  const sums = new Map<number, Sum>();
  const times = new Map<number, number>();
  for (const block of blocks) {
    const height = heightOf(block.position);
    if (!sums.has(height)) sums.set(height, { count: 0, size: 0n, fees: 0n, types: new Map() });
    if (block.kind === 'key') times.set(height, block.keyBlock.time);
  }
  for (const { position, transaction } of transactions) {
    const sum = sums.get(heightOf(position))!;
    const type = types.get(transaction.type)!;
    sum.count++;
    sum.size += BigInt(transaction.size);
    sum.fees += transaction.fee;
    sum.types.set(type, (sum.types.get(type) ?? 0) + 1);
  }
  return { sums, times };
}

/**
 * Inserts the sums of heights that have no row yet. Only the first height may have one, of the running generation, whose first blocks were stored before:
 * the sums are added to it.
 */
async function insertSums(tx: DbTransaction, { sums, times }: SumsByHeight): Promise<void> {
  const heights = [...sums.keys()].sort((a, b) => a - b);
  const first = heights[0];
  if (first === undefined) return;
  await appendGenerations(tx, first, heights, sums, times);
  await appendTypes(tx, first, heights, sums);
}

async function appendGenerations(
  tx: DbTransaction,
  first: number,
  heights: readonly number[],
  sums: ReadonlyMap<number, Sum>,
  times: ReadonlyMap<number, number>,
): Promise<void> {
  const { rows: bases } = await tx.query<SumsRow>({
    name: 'generations.base',
    text: `
      SELECT height, tx_count, size, fees, tx_total, size_total, max_time
      FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1`,
    values: [first],
  });
  const base = bases[0];
  let total = BigInt(base?.tx_total ?? 0);
  let sizeTotal = BigInt(base?.size_total ?? 0);
  let maxTime = Number(base?.max_time ?? 0);
  const columns: [bigint[], number[], bigint[], bigint[], bigint[], bigint[], number[]] = [[], [], [], [], [], [], []];
  for (const height of heights) {
    const sum = sums.get(height)!;
    const running = base !== undefined && Number(base.height) === height ? base : undefined;
    total += BigInt(sum.count);
    sizeTotal += sum.size;
    maxTime = Math.max(maxTime, times.get(height) ?? 0);
    columns[0].push(BigInt(height));
    columns[1].push(sum.count + (running?.tx_count ?? 0));
    columns[2].push(sum.size + BigInt(running?.size ?? 0));
    columns[3].push(sum.fees + BigInt(running?.fees ?? 0));
    columns[4].push(total);
    columns[5].push(sizeTotal);
    columns[6].push(maxTime);
  }
  await tx.query({
    name: 'generations.append',
    text: `
      INSERT INTO generations (height, tx_count, size, fees, tx_total, size_total, max_time)
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::numeric[], $5::bigint[], $6::bigint[], $7::bigint[])
      ON CONFLICT (height) DO UPDATE
      SET tx_count = EXCLUDED.tx_count, size = EXCLUDED.size, fees = EXCLUDED.fees,
        tx_total = EXCLUDED.tx_total, size_total = EXCLUDED.size_total, max_time = EXCLUDED.max_time`,
    values: columns,
  });
}

async function appendTypes(
  tx: DbTransaction,
  first: number,
  heights: readonly number[],
  sums: ReadonlyMap<number, Sum>,
): Promise<void> {
  const codes = new Set(heights.flatMap((height) => [...sums.get(height)!.types.keys()]));
  if (codes.size === 0) return;
  const { rows } = await tx.query<TypeSumsRow>({
    name: 'generation_types.base',
    text: `
      SELECT base.type, base.height, base.count, base.total
      FROM unnest($1::smallint[]) AS wanted (type)
      CROSS JOIN LATERAL (
        SELECT g.type, g.height, g.count, g.total FROM generation_types g
        WHERE g.type = wanted.type AND g.height <= $2 ORDER BY g.height DESC LIMIT 1
      ) base`,
    values: [[...codes], first],
  });
  const bases = new Map(rows.map((row) => [row.type, row]));
  const columns: [number[], number[], number[], bigint[]] = [[], [], [], []];
  for (const type of codes) {
    const base = bases.get(type);
    let total = BigInt(base?.total ?? 0);
    for (const height of heights) {
      const count = sums.get(height)!.types.get(type);
      if (count === undefined) continue;
      total += BigInt(count);
      columns[0].push(type);
      columns[1].push(height);
      columns[2].push(count + (base !== undefined && Number(base.height) === height ? base.count : 0));
      columns[3].push(total);
    }
  }
  await tx.query({
    name: 'generation_types.append',
    text: `
      INSERT INTO generation_types (type, height, count, total)
      SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::int[], $4::bigint[])
      ON CONFLICT (type, height) DO UPDATE SET count = EXCLUDED.count, total = EXCLUDED.total`,
    values: columns,
  });
}

/** Sums of the facts of some heights. */
interface Sums {
  /** Transactions by their type. */
  types: Map<number, bigint>;
  size: bigint;
  /** Greatest time of the key blocks. */
  time: number;
}

async function sumsOf(tx: DbTransaction, range: Range): Promise<Sums> {
  const { rows } = await tx.query<{ type: number | null; count: string; size: string; time: string }>({
    name: 'sums.of',
    text: `
      SELECT NULL AS type, 0 AS count, 0 AS size, COALESCE(MAX(time), 0) AS time FROM key_blocks
      WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33
      UNION ALL
      SELECT type, COUNT(*), SUM(size), 0 FROM transactions WHERE position >= $1 AND position < $2 GROUP BY type`,
    values: [range.from, range.to],
  });
  const types = rows.flatMap(({ type, count }) => (type === null ? [] : [[type, BigInt(count)] as const]));
  return {
    types: new Map(types),
    size: rows.reduce((sum, { size }) => sum + BigInt(size), 0n),
    time: Math.max(...rows.map(({ time }) => Number(time))),
  };
}

/**
 * Rebuilds the sums of whole generations, and adds the difference to `before` to the totals of the generations above. `before` are the
 * sums of the facts that these blocks replaced.
 */
async function replace(tx: DbTransaction, blocks: Added, before: Sums): Promise<void> {
  const added = sumByHeight(blocks);
  const heights = [...added.sums.keys()];
  const to = Math.max(...heights);
  await clearSums(tx, Math.min(...heights), to);
  await insertSums(tx, added);
  const after: Sums = { types: new Map(), size: 0n, time: Math.max(...added.times.values()) };
  for (const sum of added.sums.values()) {
    after.size += sum.size;
    for (const [type, count] of sum.types) after.types.set(type, (after.types.get(type) ?? 0n) + BigInt(count));
  }
  await carryUp(tx, to, before, after);
}

/** Rebuilds the sums of the heights `from` to `to` from the facts. Nothing may be stored above. Heights without a stored key block lose their row. */
async function rebuild(tx: DbTransaction, from: number, to: number): Promise<void> {
  await clearSums(tx, from, to);
  await tx.query({
    name: 'generations.rebuild',
    text: `
      INSERT INTO generations (height, tx_count, size, fees, tx_total, size_total, max_time)
      SELECT s.height, s.tx_count, s.size, s.fees,
        COALESCE(base.tx_total, 0) + SUM(s.tx_count) OVER below,
        COALESCE(base.size_total, 0) + SUM(s.size) OVER below,
        GREATEST(COALESCE(base.max_time, 0), MAX(s.time) OVER below)
      FROM (
        SELECT k.height, k.time, COUNT(t.position) AS tx_count, COALESCE(SUM(t.size), 0) AS size, COALESCE(SUM(t.fee), 0) AS fees
        FROM key_blocks k
        LEFT JOIN transactions t ON t.position >= k.height << 33 AND t.position < (k.height + 1) << 33
        WHERE k.height BETWEEN $1 AND $2
        GROUP BY k.height, k.time
      ) s
      LEFT JOIN (
        SELECT tx_total, size_total, max_time FROM generations WHERE height < $1 ORDER BY height DESC LIMIT 1
      ) base ON true
      WINDOW below AS (ORDER BY s.height)`,
    values: [from, to],
  });
  await tx.query({
    name: 'generation_types.rebuild',
    text: `
      INSERT INTO generation_types (type, height, count, total)
      SELECT s.type, s.height, s.count,
        COALESCE((SELECT g.total FROM generation_types g WHERE g.type = s.type AND g.height < $1 ORDER BY g.height DESC LIMIT 1), 0)
          + SUM(s.count) OVER (PARTITION BY s.type ORDER BY s.height)
      FROM (
        SELECT type, position >> 33 AS height, COUNT(*) AS count
        FROM transactions WHERE position >= $1::bigint << 33 AND position < ($2::bigint + 1) << 33
        GROUP BY 1, 2
      ) s`,
    values: [from, to],
  });
}

async function clearSums(tx: DbTransaction, from: number, to: number): Promise<void> {
  await tx.query({
    name: 'generations.clear',
    text: 'DELETE FROM generations WHERE height BETWEEN $1 AND $2',
    values: [from, to],
  });
  await tx.query({
    name: 'generation_types.clear',
    // Deletes by the primary key, type by type: there is no index of heights alone.
    text: `
      WITH RECURSIVE stored (type) AS (
        SELECT min(type) FROM generation_types
        UNION ALL
        SELECT (SELECT min(g.type) FROM generation_types AS g WHERE g.type > s.type) FROM stored AS s WHERE s.type IS NOT NULL
      )
      DELETE FROM generation_types WHERE type = ANY (ARRAY(SELECT type FROM stored)) AND height BETWEEN $1 AND $2`,
    values: [from, to],
  });
}

async function carryUp(tx: DbTransaction, height: number, before: Sums, after: Sums): Promise<void> {
  const size = after.size - before.size;
  let counts = 0n;
  const changed: [type: number, count: bigint][] = [];
  for (const type of new Set([...before.types.keys(), ...after.types.keys()])) {
    const count = (after.types.get(type) ?? 0n) - (before.types.get(type) ?? 0n);
    counts += count;
    if (count !== 0n) changed.push([type, count]);
  }
  if (changed.length > 0) {
    await tx.query({
      name: 'generation_types.carry',
      text: `
        UPDATE generation_types AS g SET total = g.total + c.count
        FROM unnest($1::smallint[], $2::bigint[]) AS c (type, count) WHERE g.type = c.type AND g.height > $3`,
      values: [changed.map(([type]) => type), changed.map(([, count]) => count), height],
    });
  }
  if (counts !== 0n || size !== 0n) {
    await tx.query({
      name: 'generations.carry',
      text: 'UPDATE generations SET tx_total = tx_total + $2, size_total = size_total + $3 WHERE height > $1',
      values: [height, counts, size],
    });
  }
  if (before.time === after.time) return;
  await tx.query({
    name: 'generations.carry-time',
    text: `
      UPDATE generations g SET max_time = s.max_time
      FROM (
        SELECT height, GREATEST(
          (SELECT max_time FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1),
          MAX(time) OVER (ORDER BY height)
        ) AS max_time
        FROM key_blocks WHERE height > $1
      ) s
      WHERE g.height = s.height AND g.max_time <> s.max_time`,
    values: [height],
  });
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const heights = [window.from, window.to];
  const { rows: ofAll } = await db.query<SumsRow>({
    name: 'verify.sums',
    text: `(SELECT * FROM generations WHERE height < $1 ORDER BY height DESC LIMIT 1)
      UNION ALL SELECT * FROM generations WHERE height BETWEEN $1 AND $2 ORDER BY height`,
    values: heights,
  });
  const { rows: ofTypes } = await db.query<TypeSumsRow>({
    name: 'verify.type-sums',
    text: `SELECT base.* FROM types AS t CROSS JOIN LATERAL (
        SELECT * FROM generation_types AS g WHERE g.type = t.code AND g.height < $1 ORDER BY g.height DESC LIMIT 1
      ) AS base
      UNION ALL SELECT * FROM generation_types WHERE height BETWEEN $1 AND $2 ORDER BY height`,
    values: heights,
  });
  return [...sums(window, ofAll), ...typeSums(window, ofTypes)];
}

function sums({ from, keyBlocks: keys, transactions }: CheckedWindow, rows: readonly SumsRow[]): Difference[] {
  const base = rows.find(({ height }) => BigInt(height) < from);
  const inside = new Map<number, { count: number; size: bigint; fees: bigint }>();
  for (const { row } of transactions) {
    const { position, size, fee } = row;
    const height = heightOfPosition(position);
    const sum = inside.get(height) ?? { count: 0, size: 0n, fees: 0n };
    if (sum.count === 0) inside.set(height, sum);
    sum.count++;
    sum.size += BigInt(size);
    sum.fees += BigInt(fee);
  }
  let [total, sizeTotal, maxTime] = [base?.tx_total, base?.size_total, base?.max_time].map((text) =>
    BigInt(text ?? 0),
  ) as [bigint, bigint, bigint];
  const expected: [Key, object][] = [];
  for (const { height, time } of keys) {
    if (BigInt(height) < from) continue;
    const { count, size, fees } = inside.get(Number(height)) ?? { count: 0, size: 0n, fees: 0n };
    total += BigInt(count);
    sizeTotal += size;
    if (BigInt(time) > maxTime) maxTime = BigInt(time);
    const sums = { tx_count: count, size, fees, tx_total: total, size_total: sizeTotal, max_time: maxTime };
    expected.push([[height], sums]);
  }
  const stored = rows.filter((row) => row !== base).map((row) => [[row.height], row] as const);
  return ofNoHeight(compareAll('generations', ([height]) => Number(height), expected, stored));
}

function typeSums({ from, transactions }: CheckedWindow, rows: readonly TypeSumsRow[]): Difference[] {
  const totals = new Map<number, bigint>();
  const stored: [Key, object][] = [];
  for (const row of rows) {
    if (BigInt(row.height) < from) totals.set(row.type, BigInt(row.total));
    else stored.push([[BigInt(row.type), row.height], row]);
  }
  const expected = new Map<string, { key: Key; count: number; total: bigint }>();
  for (const { row } of transactions) {
    const { code, position } = row;
    const key = [BigInt(code), BigInt(heightOfPosition(position))];
    const total = (totals.get(code) ?? 0n) + 1n;
    totals.set(code, total);
    const sum = expected.get(key.join(' '));
    if (sum === undefined) expected.set(key.join(' '), { key, count: 1, total });
    else [sum.count, sum.total] = [sum.count + 1, total];
  }
  const rowsOf = [...expected.values()].map(({ key, ...sum }) => [key, sum] as const);
  return ofNoHeight(compareAll('generation_types', ([, height]) => Number(height), rowsOf, stored));
}

const TOTALS: readonly (string | null)[] = ['tx_total', 'size_total', 'total', 'max_time'];

/** No height mends a wrong total, because it depends on all heights below: a reload would change it and the totals above by the same amount. */
const ofNoHeight = (differences: readonly Difference[]): Difference[] =>
  differences.map((one) => (TOTALS.includes(one.column) ? { ...one, height: null } : one));

async function mend(write: Write, wrong: WrongKeys): Promise<void> {
  // The last column of both keys is the height.
  const heights = [...wrong('generations'), ...wrong('generation_types')].map((key) => Number(key.at(-1)));
  if (heights.length > 0) await mendAllTotals(write, Math.min(...heights), Math.max(...heights));
}

export const generations: Projection = {
  name: 'generations',
  written: 'in the commit of the block',
  tables: [
    { name: 'generations', rows: 'SELECT * FROM generations ORDER BY height', at: 'height' },
    {
      name: 'generation_types',
      rows: `
        SELECT y.name, g.height, g.count, g.total FROM generation_types g JOIN types y ON y.code = g.type ORDER BY 2, 1`,
      at: 'height',
    },
  ],
  writes: {
    append: (tx, added) => insertSums(tx, sumByHeight(added)),
    undo: (tx, { range }) => Promise.resolve(() => rebuild(tx, heightOf(range.from), MAX_HEIGHT - 1)),
    replace: async (tx, { range, added }) => {
      const before = await sumsOf(tx, range);
      return () => replace(tx, added, before);
    },
  },
  window: differences,
  mend,
};
