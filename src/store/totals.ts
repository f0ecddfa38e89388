import type { Queryable } from './connection/database.js';

/** Numbers of stored rows up to and including a height. */
export interface Totals {
  keyBlocks: number;
  microBlocks: number;
  transactions: number;
  /** Hash of the key block at the height; null when it is not stored. */
  hash: string | null;
}

export async function totalsUpTo(db: Queryable, height: number): Promise<Totals> {
  const { rows } = await db.query<{
    key_blocks: string;
    micro_blocks: string;
    transactions: string;
    hash: string | null;
  }>({
    name: 'totals.up-to',
    text: `
      SELECT
        (SELECT count(*) FROM key_blocks WHERE height <= $1) AS key_blocks,
        (SELECT count(*) FROM micro_blocks WHERE position < ($1::bigint + 1) << 33) AS micro_blocks,
        (SELECT count(*) FROM transactions WHERE position < ($1::bigint + 1) << 33) AS transactions,
        (SELECT hash FROM key_blocks WHERE height = $1) AS hash`,
    values: [height],
  });
  const row = rows[0]!;
  return {
    keyBlocks: Number(row.key_blocks),
    microBlocks: Number(row.micro_blocks),
    transactions: Number(row.transactions),
    hash: row.hash,
  };
}
