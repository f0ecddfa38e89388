/** Rows of heights without a stored key block: no block can have created them. */
import { keyPosition } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { deleteFacts } from './facts.js';
import { reviseLists } from '../lists.js';
import { PROJECTIONS } from '../projections/list.js';
import { undoAll } from './undo.js';

/** Those of the heights that have no stored key block. */
export async function unstoredOf(db: Queryable, heights: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ height: string }>({
    name: 'key_blocks.unstored',
    text: `
      SELECT h.height FROM unnest($1::bigint[]) AS h (height)
      WHERE NOT EXISTS (SELECT FROM key_blocks AS k WHERE k.height = h.height)`,
    values: [heights],
  });
  return rows.map(({ height }) => Number(height));
}

/** Deletes all rows of those of the heights that have no stored key block. */
export async function clearUnstored(tx: DbTransaction, heights: readonly number[]): Promise<void> {
  const undone = PROJECTIONS.filter(({ tables }) => tables.some(({ at }) => at === undefined));
  for (const height of await unstoredOf(tx, heights)) {
    const range = { from: keyPosition(height), to: keyPosition(height + 1) };
    await reviseLists(tx);
    const finish = await undoAll(tx, undone, { range, touched: () => [] });
    await deleteFacts(tx, range);
    for (const { tables } of PROJECTIONS) {
      for (const { name, at } of tables) {
        if (at === 'position')
          await tx.query({
            name: `${name}.unstored`,
            text: `DELETE FROM ${name} WHERE position >= $1 AND position < $2`,
            values: [range.from, range.to],
          });
        if (at === 'height')
          await tx.query({ name: `${name}.unstored`, text: `DELETE FROM ${name} WHERE height = $1`, values: [height] });
      }
    }
    await finish();
  }
}
