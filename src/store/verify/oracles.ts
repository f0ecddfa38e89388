/** Verifies oracles: computes them again from their registrations and extensions. */
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { headOf, listed } from './names.js';

export async function verifyOracles(db: Queryable, ids: readonly string[]): Promise<Difference[]> {
  const head = await headOf(db);
  const found = new Map<string, { position: string; expires: bigint }>();
  for await (const row of listed(db, 7, ids)) {
    const { body, info, tx_start: txStart, tx_length: txLength } = row;
    const effect = recompute({ body, info, txStart, txLength })?.effect;
    if (effect?.on !== 'oracle' || effect.id !== row.id) continue;
    const value = BigInt(effect.value);
    const before = found.get(row.id);
    if (effect.does === 'extend') {
      if (before !== undefined) before.expires += value;
    } else {
      const height = BigInt(row.position) >> 33n;
      found.set(row.id, { position: row.position, expires: effect.relative ? height + value : value });
    }
  }
  const { rows } = await db.query<{ id: string; position: string }>({
    name: 'verify.oracles',
    text: 'SELECT * FROM oracles WHERE id = ANY ($1::text[])',
    values: [ids],
  });
  const stored = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const oracle = found.get(id);
    const expected = oracle && {
      position: oracle.position,
      expires_at: oracle.expires,
      active: oracle.expires >= head,
    };
    const position = oracle?.position ?? stored.get(id)?.position;
    const height = position === undefined ? null : heightOfPosition(position);
    return compareRows({ table: 'oracles', key: [id], height }, expected, stored.get(id));
  });
}
