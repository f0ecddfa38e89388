import type { Queryable } from '../../src/store/connection/database.js';
import { PROJECTIONS } from '../../src/store/projections/list.js';

/**
 * All stored data, except what depends on how it was stored (keys of lists, codes of types, the event log). Two databases with the same chain
 * have the same dump.
 */
export async function logicalDump(db: Queryable): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const [table, text] of dumpStatements()) {
    const { rows } = await db.query<{ row: string }>({
      name: `test.dump-${table}`,
      text: `SELECT r::text AS row FROM (${text}) r`,
    });
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

const FACTS: Record<string, string> = {
  key_blocks: 'SELECT * FROM key_blocks ORDER BY height',
  micro_blocks: 'SELECT * FROM micro_blocks ORDER BY position',
  unproven: 'SELECT * FROM unproven ORDER BY position, hash',
  transactions: `
    SELECT t.position, t.hash, y.name, t.valid, t.size, t.fee, t.tx_start, t.tx_length, t.body
    FROM transactions t JOIN types y ON y.code = t.type ORDER BY t.position`,
  transactions_by_hash: 'SELECT hash, position FROM transactions_by_hash ORDER BY hash',
  infos: 'SELECT i.position, i.body FROM infos i ORDER BY i.position',
};

/** SELECTs of the rows of a dump. */
export const dumpStatements = (): [table: string, text: string][] => [
  ...Object.entries(FACTS),
  ...PROJECTIONS.flatMap(({ tables }) =>
    tables.flatMap(({ name, rows }): [string, string][] => (rows === undefined ? [] : [[name, rows]])),
  ),
];
