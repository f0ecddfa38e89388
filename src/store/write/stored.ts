import { derive } from '../../chain/derive.js';
import { readTransaction } from '../../chain/facts.js';
import { heightOf } from '../../chain/position.js';
import type { Queryable } from '../database.js';
import type { PlacedTransaction } from './blocks.js';

/** The stored transactions of some lists, in chain order, derived anew from their texts. */
export async function storedTransactions(
  db: Queryable,
  lists: readonly { kind: number; id: string }[],
): Promise<PlacedTransaction[]> {
  if (lists.length === 0) return [];
  const { rows } = await db.query<{ position: string; body: string; info: string | null; version: number }>({
    name: 'transactions.of-lists',
    text: `
      SELECT t.position, t.body, i.body AS info, k.version
      FROM (
        SELECT DISTINCT e.position
        FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
        JOIN lists l ON l.kind = w.kind AND l.id = w.id
        JOIN entries e ON e.list = l.key
      ) e
      JOIN transactions t ON t.position = e.position
      JOIN key_blocks k ON k.height = t.position >> 33
      LEFT JOIN infos i ON i.position = t.position
      ORDER BY t.position`,
    values: [lists.map((list) => list.kind), lists.map((list) => list.id)],
  });
  return rows.map((row) => {
    const position = BigInt(row.position);
    const transaction = { ...readTransaction(row.body), info: row.info };
    return { position, height: heightOf(position), version: row.version, transaction, derived: derive(transaction) };
  });
}
