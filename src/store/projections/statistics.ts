/** Records of the chain that no total tells: how fast each generation was, and how many key blocks above genesis each beneficiary has. */
import { heightOf, keyPosition } from '../../chain/position.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Block } from '../facts/blocks.js';
import { compareAll, comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Afterwards, CheckedWindow, Projection, Replaced } from './projection.js';

const NAME = 'statistics';

/** SELECT of `height` and `rate` of the finished generations from height `$1` to `$2`. Those in which no time passed have none. */
const RATES = `
  SELECT g.height, round(g.tx_count * 1000::numeric / (m.time - k.time), 2) AS rate
  FROM generations AS g
  JOIN key_blocks AS k ON k.height = g.height
  CROSS JOIN LATERAL (
    SELECT time FROM micro_blocks AS b
    WHERE b.position > g.height << 33 AND b.position < (g.height + 1) << 33 ORDER BY b.position DESC LIMIT 1
  ) AS m
  WHERE g.height BETWEEN $1::bigint AND $2::bigint AND g.tx_count > 0 AND m.time > k.time
    AND EXISTS (SELECT FROM key_blocks AS n WHERE n.height = g.height + 1)`;

/** Computes the rates of generations again, from what is stored. */
async function rebuildRates(tx: DbTransaction, from: number, to: number): Promise<void> {
  await clearRates(tx, from, to);
  await tx.query({
    name: 'generation_rates.rebuild',
    text: `INSERT INTO generation_rates (height, rate) ${RATES}`,
    values: [from, to],
  });
}

async function clearRates(tx: DbTransaction, from: number, to: number): Promise<void> {
  await tx.query({
    name: 'generation_rates.clear',
    text: 'DELETE FROM generation_rates WHERE height BETWEEN $1::bigint AND $2::bigint',
    values: [from, to],
  });
}

interface Finished {
  height: number;
  /** Number of transactions. */
  count: number;
  /** From the key block to the last micro block. */
  ms: number;
}

/** The generations that blocks contain whole, and finish. */
function finishedIn(blocks: readonly Block[]): Finished[] {
  const finished: Finished[] = [];
  let running: (Finished & { since: number }) | undefined;
  for (const block of blocks) {
    if (block.kind === 'key') {
      const { height, time } = block.keyBlock;
      if (running?.height === height - 1) finished.push(running);
      running = { height, count: 0, ms: 0, since: Number(time) };
    } else if (running !== undefined) {
      running.count += block.transactions.length;
      running.ms = Number(block.microBlock.time) - running.since;
    }
  }
  return finished.filter(({ count, ms }) => count > 0 && ms > 0);
}

async function insertRates(tx: DbTransaction, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  await tx.query({
    name: 'generation_rates.insert',
    text: `
      INSERT INTO generation_rates (height, rate)
      SELECT height, round(count * 1000::numeric / ms, 2) FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS f (height, count, ms)
      ON CONFLICT (height) DO UPDATE SET rate = EXCLUDED.rate`,
    values: [finished.map(({ height }) => height), finished.map(({ count }) => count), finished.map(({ ms }) => ms)],
  });
}

interface MinedRow {
  id: string;
  blocks: string;
}

/** Adds to the key blocks of beneficiaries; a negative number takes away. */
async function addMined(tx: DbTransaction, mined: readonly (readonly [id: string, blocks: number])[]): Promise<void> {
  if (mined.length === 0) return;
  await tx.query({
    name: 'miners.add',
    text: `
      INSERT INTO miners AS m (id, blocks) SELECT * FROM unnest($1::text[], $2::bigint[])
      ON CONFLICT (id) DO UPDATE SET blocks = m.blocks + EXCLUDED.blocks`,
    values: [mined.map(([id]) => id), mined.map(([, blocks]) => blocks)],
  });
  if (mined.some(([, blocks]) => blocks < 0))
    await tx.query({
      name: 'miners.clear',
      text: 'DELETE FROM miners WHERE id = ANY ($1::text[]) AND blocks <= 0',
      values: [mined.map(([id]) => id)],
    });
}

async function append(tx: DbTransaction, blocks: readonly Block[]): Promise<void> {
  await addMined(tx, minedIn(blocks));
  await insertRates(tx, finishedIn(blocks));
  // The first key block finishes the generation before it, whose blocks are stored.
  const first = blocks.find(({ kind }) => kind === 'key');
  if (first?.kind === 'key') await rebuildRates(tx, first.keyBlock.height - 1, first.keyBlock.height - 1);
}

/** Number of the key blocks above genesis by their beneficiaries. */
function minedIn(blocks: readonly Block[]): [id: string, blocks: number][] {
  const mined = new Map<string, number>();
  for (const block of blocks) {
    if (block.kind !== 'key' || block.keyBlock.height === 0) continue;
    const { beneficiary } = block.keyBlock;
    mined.set(beneficiary, (mined.get(beneficiary) ?? 0) + 1);
  }
  return [...mined];
}

/** The stored rates of the generations before and at the end of the range depend on what is beside it. */
async function replace(tx: DbTransaction, { range: { from, to }, added: { blocks } }: Replaced): Promise<Afterwards> {
  const removed = await minedBetween(tx, keyBlockFrom(from), keyBlockFrom(to));
  return async () => {
    await replaceMined(tx, removed, minedIn(blocks));
    const [first, last] = [keyBlockFrom(from), heightOf(to - 1n)];
    await clearRates(tx, first, last);
    await insertRates(tx, finishedIn(blocks));
    for (const height of new Set([first - 1, last])) await rebuildRates(tx, height, height);
  };
}

/**
 * Adds what fills a gap. Otherwise key blocks are the same again, or were wrong: then nobody knows what of them was counted, and all key blocks are read, which is rare.
 */
async function replaceMined(
  tx: DbTransaction,
  removed: readonly MinedRow[],
  added: readonly (readonly [id: string, blocks: number])[],
): Promise<void> {
  if (removed.length === 0) return addMined(tx, added);
  const before = new Map(removed.map(({ id, blocks }) => [id, Number(blocks)]));
  const isSame = before.size === added.length && added.every(([id, blocks]) => before.get(id) === blocks);
  if (!isSame) await mendMiners(tx, [...new Set([...before.keys(), ...added.map(([id]) => id)])]);
}

/** Beneficiaries of the key blocks from a height to below another one. */
async function minedBetween(tx: DbTransaction, from: number, below: number): Promise<MinedRow[]> {
  const { rows } = await tx.query<MinedRow>({
    name: 'miners.between',
    text: `
      SELECT beneficiary AS id, count(*) AS blocks FROM key_blocks
      WHERE height >= $1::bigint AND height < $2::bigint GROUP BY beneficiary`,
    values: [Math.max(from, 1), below],
  });
  return rows;
}

/** Height of the first key block at or above a position. */
const keyBlockFrom = (position: bigint): number =>
  heightOf(position) + (position === keyPosition(heightOf(position)) ? 0 : 1);

/** Generations whose rates one part of a backfill computes. */
const PART = 5_000;

/** Counts the miners of all stored blocks in the first part, and goes up from height to height with the rates. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const from = after < 0n ? 0 : heightOf(after) + 1;
  if (from === 0) await recountMiners(tx);
  await rebuildRates(tx, from, from + PART - 1);
  const { rows } = await tx.query<{ is_more: boolean }>({
    name: 'statistics.is-more',
    text: 'SELECT EXISTS (SELECT FROM key_blocks WHERE height >= $1::bigint) AS is_more',
    values: [from + PART],
  });
  return rows[0]!.is_more ? keyPosition(from + PART - 1) : null;
}

const MINED = 'SELECT beneficiary AS id, count(*) AS blocks FROM key_blocks WHERE height > 0 GROUP BY beneficiary';

async function recountMiners(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'miners.clear-all', text: 'DELETE FROM miners' });
  await tx.query({ name: 'miners.recount', text: `INSERT INTO miners (id, blocks) ${MINED}` });
}

/** Compares the rates of a window with its blocks. */
async function differences(db: Queryable, { from, to }: CheckedWindow): Promise<Difference[]> {
  const filled = await readBackfill(db, NAME);
  const end = filled === undefined || heightOf(filled) >= Number(to) ? to : BigInt(heightOf(filled));
  if (end < from) return [];
  const values = [from, end];
  const read = async (name: string, text: string) => {
    const { rows } = await db.query<{ height: string; rate: string }>({ name, text, values });
    return rows.map(({ height, rate }) => [[height], { rate }] as const);
  };
  return compareAll(
    'generation_rates',
    ([height]) => Number(height),
    await read('verify.generation-rates-expected', RATES),
    await read(
      'verify.generation-rates',
      'SELECT height, rate FROM generation_rates WHERE height BETWEEN $1::bigint AND $2::bigint',
    ),
  );
}

/** Verifies the key blocks of each beneficiary. */
async function verifyMiners(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const { rows } = await db.query({
    name: 'verify.miners',
    text: comparison({ expected: MINED, stored: 'SELECT id, blocks FROM miners', key: ['id'], columns: ['blocks'] }),
  });
  return fromRows('miners', rows);
}

async function mendMiners(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  await tx.query({
    name: 'miners.mend-delete',
    text: 'DELETE FROM miners WHERE id = ANY ($1::text[])',
    values: [ids],
  });
  await tx.query({
    name: 'miners.mend',
    text: `
      INSERT INTO miners (id, blocks)
      SELECT beneficiary, count(*) FROM key_blocks WHERE beneficiary = ANY ($1::text[]) AND height > 0 GROUP BY beneficiary`,
    values: [ids],
  });
}

export const statistics: Projection = {
  name: NAME,
  written: 'in the commit of the key block',
  tables: [
    { name: 'generation_rates', rows: 'SELECT * FROM generation_rates ORDER BY height', at: 'height' },
    { name: 'miners', rows: 'SELECT * FROM miners ORDER BY id' },
  ],
  writes: {
    append: (tx, { blocks }) => append(tx, blocks),
    undo: async (tx, { range: { from, to } }) => {
      const removed = await minedBetween(tx, keyBlockFrom(from), keyBlockFrom(to));
      return async () => {
        await addMined(
          tx,
          removed.map(({ id, blocks }) => [id, -Number(blocks)]),
        );
        // Without the key block after it, a generation is not finished.
        await rebuildRates(tx, keyBlockFrom(from) - 1, heightOf(to - 1n));
      };
    },
    replace,
  },
  backfill,
  window: differences,
  wholeChecks: [verifyMiners],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong('miners')))
      await write((tx) =>
        mendMiners(
          tx,
          keys.map(([id]) => id),
        ),
      );
  },
};
