/** Verifies that what waits for an answer of a node is asked again: a row whose turn never comes would wait for ever. */
import type { Queryable } from '../connection/database.js';
import { MAX_ROWS, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';

/** A call whose call information is to be read waits for it. */
const WAITING_CALL = `state = 'pending' AND NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position = contract_calls.position AND contract_calls.due_at = 'infinity')`;

/** Rows that wait, and twice the longest pause of the code that postpones them: the clock of the server may have been set back. */
const WAITING = [
  { table: 'contract_calls', key: 'position', position: 'position', waits: WAITING_CALL, pause: '2 hours' },
  { table: 'contracts', key: 'id', position: 'position', waits: 'NOT outcome_known', pause: '2 days' },
  { table: 'contract_codes', key: 'contract_id', position: 'NULL::bigint', waits: 'code IS NULL', pause: '2 days' },
  { table: 'due_infos', key: 'position', position: 'position', waits: 'true', pause: '2 hours' },
  { table: 'unknown_infos', key: 'position', position: 'position', waits: 'true', pause: '2 days' },
  { table: 'node_records', key: 'position', position: 'position', waits: 'true', pause: '2 hours' },
] as const;

export async function verifyDue(db: Queryable): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { table, key, position, waits, pause } of WAITING) {
    const { rows } = await db.query({
      name: `verify.due-${table}`,
      text: `
        SELECT ${key}::text AS key, ${position} >> 33 AS height, 'due_at' AS column_name,
          'within ${pause}' AS expected, due_at::text AS stored
        FROM ${table} WHERE ${waits} AND due_at > now() + interval '${pause}'
        LIMIT ${MAX_ROWS}`,
    });
    differences.push(...fromRows(table, rows));
  }
  return differences;
}
