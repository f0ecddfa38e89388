/** Changes one value of a stored row by hand, in every column whose value follows from the chain. */
import type pg from 'pg';

/** Tables and columns that do not follow from the chain, or whose changes have no effect. */
export const EXEMPT: Record<string, string> = {
  migrations: 'what the schema is made of: test/store/schema-by-hand',
  marker: 'which copy this is',
  writer: 'the lease',
  serving: 'which copy served when: what an operator did, which the chain does not tell',
  staged_blocks: 'blocks that are not part of the copy yet',
  removed_transactions: 'transactions that are not part of the copy any more',
  held_reorg: 'a reorg that waits: no part of the copy',
  rewrites: 'what was written below the head, for verifications in parts',
  events: 'the log of what happened: test/events/altered-log',
  'chain.one': 'the key of the only row',
  'chain.network_id': 'known from the node alone, and compared with it before -v begins',
  'chain.live': 'whether events are logged',
  'chain.event_seq': 'the log of events: test/events/altered-log',
  'chain.node_height': 'what was last seen of the node',
  'chain.node_state': 'what was last seen of the node',
  'chain.node_reason': 'what was last seen of the node',
  'chain.proven_height': 'how far the proof has come, which the verification itself brings on',
  'chain.verify_height': 'how far the verification in the background has come',
  'chain.seen_at': 'what was last seen of the node',
  forks: 'what nodes report: test/populate/forks.test.ts',
  unknown_infos: 'what the nodes are asked again: populate/verify-projections',
  node_records: 'what a node told beside the chain, compared again and again: populate/node-records',
  contract_codes: 'code that the node alone gives: populate/verify-projections',
  'contracts.failed': 'what the node says: populate/verify-projections',
  'contracts.outcome_known': 'when the node is asked how the creation ended',
  'contracts.attempts': 'when the node is asked how the creation ended',
  'contracts.due_at': 'when the node is asked how the creation ended',
  'contract_calls.attempts': 'when a call is decoded next',
  'contract_calls.due_at': 'when a call is decoded next',
  'unproven.reason': 'depends on how much was to be proven at the load',
};

/** Columns of which suites take the identity, to insert and change keys: the schema differs in them. */
export const WITHOUT_IDENTITY = ['column types.code', 'column rankings.key'];

export const CHANGES: Record<string, string> = {
  bigint: '$ + 1000003',
  integer: '$ + 1000003',
  smallint: '$ + 100::smallint',
  numeric: '$ + 1',
  boolean: 'NOT $',
  date: '$ + 10000',
  text: "$ || 'x'",
  'text[]': "$ || 'ak_x'::text",
};

/** Columns with JSON text: one digit or letter of a value is changed, so that the text stays JSON. */
const TEXTS: Record<string, string> = {
  'key_blocks.body': `replace($, '"info":"', '"info":"x')`,
  'micro_blocks.body': `replace($, '"signature":"', '"signature":"x')`,
  'transactions.body': `replace($, '"nonce":', '"nonce":1')`,
  'infos.body': `replace($, '"gas_used":', '"gas_used":1')`,
};

export interface Column {
  table: string;
  column: string;
  type: string;
}

/** The columns of the tables of a copy. The search path of `hand` must contain its schema. */
export async function columnsOf(hand: pg.Client): Promise<Column[]> {
  const { rows } = await hand.query<Column>(`
    SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum`);
  return rows;
}

/** A statement that changes one row: the last one, or one in the middle. */
export function spoiling({ table, column, type }: Column, which: 'last' | 'middle' = 'last'): string {
  const change = (TEXTS[`${table}.${column}`] ?? CHANGES[type] ?? `no change for ${type}`).replaceAll('$', column);
  const rows = `FROM ${table} WHERE ${column} <> ${change}`;
  const row =
    which === 'last'
      ? `(SELECT tableoid, ctid ${rows} ORDER BY tableoid DESC, ctid DESC LIMIT 1)`
      : `(SELECT tableoid, ctid ${rows} ORDER BY tableoid, ctid LIMIT 1 OFFSET (SELECT count(*) / 2 ${rows}))`;
  return `UPDATE ${table} SET ${column} = ${change} WHERE (tableoid, ctid) = ${row}`;
}
