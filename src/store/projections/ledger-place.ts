/** Up to which block movements are written: it must be a stored block, and no row may be above it. */
import type { DbTransaction, Queryable } from '../connection/database.js';
import { compareRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { readLedger } from './ledger-blocks.js';
import { deleteRows } from './movement-write.js';

interface Place {
  /** Position of the last stored block up to a position; -1 if there is none. */
  block: bigint;
  /** Position after the last transaction of that block. */
  end: bigint;
}

async function placeOf(db: Queryable, position: bigint): Promise<Place> {
  const { rows } = await db.query<{ block: string; end: string }>({
    name: 'ledger.place',
    text: `
      WITH micro AS (
        SELECT position, position + GREATEST(tx_count, 1) AS after FROM micro_blocks WHERE position <= $1 ORDER BY position DESC LIMIT 1
      ), key AS (
        SELECT height << 33 AS position, (height << 33) + 1 AS after FROM key_blocks WHERE height <= $1 >> 33 ORDER BY height DESC LIMIT 1
      ), blocks AS (SELECT * FROM micro UNION ALL SELECT * FROM key)
      SELECT COALESCE(max(position), -1) AS block, COALESCE(max(after), 0) AS end FROM blocks`,
    values: [position],
  });
  const { block, end } = rows[0]!;
  return { block: BigInt(block), end: BigInt(end) };
}

async function hasRowsFrom(db: Queryable, position: bigint): Promise<boolean> {
  const { rows } = await db.query<{ has_rows: boolean }>({
    name: 'verify.rows-above-ledger',
    text: `
      SELECT EXISTS (SELECT FROM movement_rows WHERE position >= $1) OR EXISTS (SELECT FROM held WHERE position >= $1 OR released >= $1)
        OR EXISTS (SELECT FROM earnings WHERE position >= $1) OR EXISTS (SELECT FROM ledger_gaps WHERE position >= $1)
        OR EXISTS (SELECT FROM unseen_held WHERE position >= $1) AS has_rows`,
    values: [position],
  });
  return rows[0]!.has_rows;
}

export async function verifyPlace(db: Queryable): Promise<Difference[]> {
  const ledger = await readLedger(db, false);
  const { block, end } = await placeOf(db, ledger?.position ?? -1n);
  const differences = (key: string, expected: object | undefined, stored: object | undefined): Difference[] =>
    compareRows({ table: 'ledger', key: [key], height: null }, expected, stored);
  return [
    ...(ledger === undefined ? [] : differences('position', { position: block }, { position: ledger.position })),
    ...differences('rows above it', undefined, (await hasRowsFrom(db, end)) ? {} : undefined),
  ];
}

/** Deletes the rows above the last block up to the stored position: they are written again. */
export async function mendPlace(tx: DbTransaction): Promise<void> {
  const ledger = await readLedger(tx, true);
  const { block, end } = await placeOf(tx, ledger?.position ?? -1n);
  await deleteRows(tx, { from: end, to: null });
  await tx.query({ name: 'ledger.mend', text: 'UPDATE ledger SET position = $1', values: [block] });
}
