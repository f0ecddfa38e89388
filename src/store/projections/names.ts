/**
 * Names are written by `store/write`, together with the lists: which list of an account or oracle an entry belongs to depends on what the names that a
 * transaction uses point to just before it.
 */
import { ListKind } from '../../chain/derive.js';
import { applyEffect, setFlags } from '../../chain/recompute/names.js';
import type { NameRow } from '../../chain/recompute/names.js';
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { headOf, listed } from './listed.js';
import { pagesOf } from './objects.js';
import { pointersBefore } from './pointers.js';
import type { Objects, Projection } from './projection.js';

async function verify(db: Queryable, hashes: readonly string[]): Promise<Difference[]> {
  const head = await headOf(db);
  const records = new Map<string, NameRow[]>();
  for await (const row of listed(db, 6, hashes)) {
    const { body, info, tx_start: txStart, tx_length: txLength } = row;
    const recomputed = recompute({ body, info, txStart, txLength });
    const effect = recomputed?.effect;
    if (effect?.on !== 'name' || effect.hash !== row.id) continue;
    const height = BigInt(recomputed!.blockHeight);
    const position = BigInt(row.position);
    const own = records.get(row.id) ?? [];
    const throughName = effect.does === 'transfer' && effect.recipient.startsWith('nm_');
    const [pointers] = throughName ? await pointersBefore(db, [{ name: effect.recipient, position }]) : [];
    applyEffect(own, effect, { position, height, txHash: row.hash, version: row.version }, pointers?.account);
    records.set(row.id, own);
  }
  const expected = [...records.values()].flat();
  for (const record of expected) setFlags(record, head);
  const { rows } = await db.query<{ position: string }>({
    name: 'verify.names',
    text: 'SELECT * FROM names WHERE name_hash = ANY ($1::text[])',
    values: [hashes],
  });
  return compareAll(
    'names',
    ([position]) => heightOfPosition(position!),
    expected.map((record) => [[record.position], record]),
    rows.map((row) => [[row.position], row]),
  );
}

const objects: Objects = { kind: ListKind.name, table: 'names', id: 'name_hash', positions: ['position'] };

export const names: Projection = {
  name: 'names',
  written:
    'in the commit of the block, by `store/write/name-state`; the flags `active` and `running` follow the height, by the function `settle`',
  tables: [{ name: 'names', rows: 'SELECT * FROM names ORDER BY position', at: 'position' }],
  objects,
  checks: async (db, heights) =>
    (await pagesOf(db, objects, heights)).map((hashes) => (on: Queryable) => verify(on, hashes)),
};
