import { derive } from '../../chain/derive.js';
import { readTransaction } from '../../chain/facts.js';
import { MAX_HEIGHT, keyPosition } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import { microHeight } from '../micro-height.js';
import type { PlacedTransaction } from './blocks.js';

/** Transactions that are read at a time. */
const PAGE = 1_000;

/** Positions from (inclusive) and below (exclusive). */
export interface Between {
  from: bigint;
  below: bigint;
}

/** The stored transactions of some lists, in chain order, derived from their texts; at most one page is in memory. */
export async function* storedTransactions(
  db: Queryable,
  lists: readonly { kind: number; id: string }[],
  { from = 0n, below = keyPosition(MAX_HEIGHT) }: Partial<Between> = {},
): AsyncGenerator<PlacedTransaction> {
  if (lists.length === 0) return;
  const { rows } = await db.query<{ position: string }>({
    name: 'entries.of-lists',
    text: `
      SELECT DISTINCT e.position
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      CROSS JOIN LATERAL (
        SELECT key, ordinal_from(key, $3) AS first, ordinal_from(key, $4) AS past FROM lists
        WHERE kind = w.kind AND id = w.id LIMIT 1
      ) AS l
      CROSS JOIN LATERAL (
        SELECT position FROM entries WHERE list = l.key AND ordinal >= l.first AND ordinal < l.past OFFSET 0
      ) AS e
      ORDER BY e.position`,
    values: [lists.map((list) => list.kind), lists.map((list) => list.id), from, below],
  });
  yield* transactionsAt(
    db,
    BigInt64Array.from(rows, (row) => BigInt(row.position)),
  );
}

/** The stored transactions at the positions, in chain order, derived from their texts; at most one page is in memory. */
export async function* transactionsAt(db: Queryable, positions: BigInt64Array): AsyncGenerator<PlacedTransaction> {
  for (let from = 0; from < positions.length; from += PAGE) {
    const { rows } = await db.query<{
      position: string;
      body: string;
      info: string | null;
      height: string;
      version: number;
    }>({
      name: 'transactions.at',
      text: `
        SELECT t.position, t.body, (SELECT i.body FROM infos i WHERE i.position = t.position) AS info,
          (SELECT ${microHeight('m')} FROM micro_blocks m WHERE m.position = t.position & (-65536)::bigint) AS height,
          (SELECT k.version FROM key_blocks k WHERE k.height = t.position >> 33) AS version
        FROM transactions t
        WHERE t.position = ANY ($1::bigint[])
        ORDER BY t.position`,
      values: [[...positions.subarray(from, from + PAGE)]],
    });
    for (const row of rows) {
      const position = BigInt(row.position);
      const transaction = { ...readTransaction(row.body), info: row.info };
      yield { position, height: Number(row.height), version: row.version, transaction, derived: derive(transaction) };
    }
  }
}
