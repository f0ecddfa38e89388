import type { Queryable } from '../../src/store/connection/database.js';

/**
 * All stored data, except what depends on how it was stored (keys of lists, codes of types, the event log). Two databases with the same chain
 * have the same dump.
 */
export async function logicalDump(db: Queryable): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const [table, text] of Object.entries(TABLES)) {
    const { rows } = await db.query<{ row: string }>({
      name: `test.dump-${table}`,
      text: `SELECT r::text AS row FROM (${text}) r`,
    });
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

const TABLES = {
  key_blocks: 'SELECT * FROM key_blocks ORDER BY height',
  micro_blocks: 'SELECT * FROM micro_blocks ORDER BY position',
  unproven: 'SELECT * FROM unproven ORDER BY position, hash',
  transactions: `
    SELECT t.position, t.hash, y.name, t.valid, t.size, t.fee, t.tx_start, t.tx_length, t.body
    FROM transactions t JOIN types y ON y.code = t.type ORDER BY t.position`,
  transactions_by_hash: 'SELECT hash, position FROM transactions_by_hash ORDER BY hash',
  generations: 'SELECT * FROM generations ORDER BY height',
  generation_types: `
    SELECT y.name, g.height, g.count, g.total FROM generation_types g JOIN types y ON y.code = g.type ORDER BY 2, 1`,
  entries: `
    SELECT l.kind, l.id, e.ordinal, e.type_ordinal, y.name, e.position
    FROM entries e JOIN lists l ON l.key = e.list JOIN types y ON y.code = e.type ORDER BY 1, 2, 3`,
  names: 'SELECT * FROM names ORDER BY position',
  oracles: 'SELECT * FROM oracles ORDER BY id',
  oracle_queries: 'SELECT * FROM oracle_queries ORDER BY id',
  channels: 'SELECT * FROM channels ORDER BY id',
  contracts: 'SELECT id, position FROM contracts ORDER BY id',
  contract_calls: 'SELECT position, contract_id, state, arguments, result FROM contract_calls ORDER BY position',
  ranks: `
    SELECT k.kind, k.id, r.key, r.label, r.position FROM ranks r JOIN rankings k ON k.key = r.ranking ORDER BY 1, 2, 3, 4, 5`,
  milestones: `
    SELECT k.kind, k.id, m.key, m.label, m.position, m.count
    FROM milestones m JOIN rankings k ON k.key = m.ranking ORDER BY 1, 2, 3, 4, 5`,
  sampled_counts: `
    SELECT k.kind, k.id, s.level, s.key, s.label, s.position, s.count
    FROM sampled_counts s JOIN rankings k ON k.key = s.ranking ORDER BY 1, 2, 3, 4, 5, 6`,
  infos: 'SELECT i.position, i.body FROM infos i ORDER BY i.position',
  days: 'SELECT * FROM days ORDER BY day',
};
