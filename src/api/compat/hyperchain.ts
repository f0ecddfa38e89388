import { readKeyBlock } from '../../chain/facts.js';
import type { Queryable } from '../../store/connection/database.js';
import { newestKeyBlock } from '../../store/queries/compat/blocks.js';

/** Whether the stored chain is one; false while nothing is stored. */
export async function isHyperchain(db: Queryable): Promise<boolean> {
  const { row } = await newestKeyBlock(db);
  return row !== null && readKeyBlock(row.body).consensus === 'hyperchain';
}
