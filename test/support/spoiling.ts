/** Changes one value of a stored row by hand, in every column whose value follows from the chain. */
import type pg from 'pg';
import type { Recording } from './recording.js';

/** Tables and columns that nobody verifies, and why. */
const UNVERIFIED: Record<string, string> = {
  migrations: 'which migrations were applied: compared when a program starts',
  marker: 'which copy this is',
  writer: 'the lease',
  serving: 'which copy served when: what an operator did, which the chain does not tell',
  staged_blocks: 'blocks that are not part of the copy yet: proven when they are read',
  removed_transactions: 'transactions that are not part of the copy any more',
  held_reorg: 'a reorg that waits: no part of the copy',
  currency: 'what a node told beside the chain: api/network',
  differing_opinions: 'what nodes contradict: populate/second-opinion',
  rewrites: 'what was written below the head, for verifications in parts',
  'events.at': 'when it was announced',
  'events.mark': 'drawn at random',
  'chain.one': 'the key of the only row',
  'chain.network_id': 'known from the node alone, and compared with it before -v begins',
  'chain.live': 'whether events are logged',
  'chain.node_height': 'what was last seen of the node',
  'chain.node_state': 'what was last seen of the node',
  'chain.node_reason': 'what was last seen of the node',
  'chain.proven_height': 'how far the proof has come, which the verification itself brings on',
  'chain.verify_height': 'how far the verification in the background has come',
  'chain.seen_at': 'what was last seen of the node',
  node_records: 'what a node told beside the chain, compared again and again: populate/node-records',
  'contracts.outcome_known': 'without it the node is asked again',
  'contracts.attempts': 'how often the node was asked',
  'contract_calls.attempts': 'how often the node was asked',
  'contract_codes.attempts': 'how often the node was asked',
  'contract_codes.code_at': 'when the node answered',
  'contract_codes.contract_id': 'without its code the node is asked again',
  'unknown_infos.position': 'without it -v finds that the call information is missing',
  'unknown_infos.attempts': 'how often the node was asked',
  announced_logs: 'how far logs were announced',
  backfills: 'how far a new table is filled',
  'ledger.one': 'the key of the only row',
  'ledger.network_id': 'compared with the network each time movements are written',
  'ledger.reward_delay': 'compared with the network each time movements are written',
  'ledger.lists_rewards': 'compared with the network each time movements are written',
  'ledger.genesis_accounts': 'what the administrator gave beside the chain: populate/genesis-accounts',
  'ledger.fork_accounts': 'what the administrator gave beside the chain: populate/genesis-accounts',
  ledger_checks: 'which balances were compared with those of a node: populate/check-balances',
  ledger_corrections: 'what the balances of a node say beside the chain: populate/check-balances',
  ledger_questions: 'what a node is to be asked',
  node_money: 'what a node answered beside the chain: populate/node-money',
  child_contracts: 'empty unless a node answered something, verified in populate/node-money',
  unseen_held: 'empty unless a node answered something, verified in populate/node-money',
  ledger_rewrites: 'heights whose movements are to be computed again',
  'due_infos.attempts': 'how often the node was asked',
  'tokens.attempts': 'how often the node was asked',
  'tokens.due_at': 'when the node is asked',
  'tokens.checked_upto': 'where the next check begins',
  'tokens.matched': 'whether a check matched',
  'token_metadata.attempts': 'how often the node was asked',
  'token_metadata.due_at': 'when the node is asked',
  'token_allowances.attempts': 'how often the node was asked',
  'token_allowances.due_at': 'when the node is asked',
  call_replays: 'which calls a node is to be asked to replay',
  call_replay_progress: 'up to where calls were put into the queue of replays',
  'unproven.reason': 'depends on how much was to be proven at the load',
};

/** A recorded chain, and the tables whose rows are changed by hand in a copy of it: those that no earlier one fills. */
interface Filled {
  recording: Recording;
  networkId: string;
  rewardDelay: number;
  fills: (table: string) => boolean;
}

const OF_TOKENS: readonly string[] = [
  'tokens',
  'returned_contracts',
  'token_balances',
  'token_owners',
  'token_metadata',
  'token_allowances',
  'internal_calls',
  'internal_call_parties',
];

export const FILLED: readonly Filled[] = [
  { recording: 'realnode', networkId: 'ae_test', rewardDelay: 5, fills: (table) => !OF_TOKENS.includes(table) },
  { recording: 'realnode-tokens', networkId: 'ae_dev', rewardDelay: 10, fills: (table) => OF_TOKENS.includes(table) },
];

/** Who verifies a column: which command finds a change by hand, and what the verification in the background does then. */
export interface Verified {
  foundBy: '-v --offline' | '-v' | 'nobody';
  inBackground: 'mended' | 'named' | 'not seen';
  why?: string;
}

const NAMED: Verified = { foundBy: '-v --offline', inBackground: 'named' };
const BY_NODE: Verified = { foundBy: '-v', inBackground: 'not seen', why: 'a node alone knows it' };

/** The columns that are not found by `-v --offline` and mended. */
const OTHERWISE: Record<string, Verified> = {
  'events.seq': { ...NAMED, why: 'the log of what was announced' },
  'events.kind': { ...NAMED, why: 'the log of what was announced' },
  'events.position': { ...NAMED, why: 'the log of what was announced' },
  'events.hash': { ...NAMED, why: 'the log of what was announced' },
  'events.body': { ...NAMED, why: 'the log of what was announced' },
  'chain.event_seq': { ...NAMED, why: 'the log of what was announced' },
  'chain.genesis_hash': { ...NAMED, why: 'it decides which nodes are believed' },
  'forks.version': { ...NAMED, why: 'corrected when the populator starts' },
  'forks.height': { ...NAMED, why: 'corrected when the populator starts' },
  'key_blocks.height': { ...NAMED, why: 'the highest key block is the head: the copy has another one then' },
  'contract_calls.due_at': { ...NAMED, why: 'when a waiting call is decoded' },
  'contracts.due_at': { ...NAMED, why: 'when the node is asked' },
  'contract_codes.due_at': { ...NAMED, why: 'when the node is asked' },
  'events.later_kind': { ...NAMED, why: 'the log of what was announced' },
  'due_infos.due_at': { ...NAMED, why: 'when the node is asked' },
  'unknown_infos.due_at': { ...NAMED, why: 'when the node is asked' },
  'contract_codes.code': BY_NODE,
  'contracts.failed': BY_NODE,
  'infos.body': BY_NODE,
};

export function verifiedBy({ table, column }: Pick<Column, 'table' | 'column'>): Verified {
  const name = `${table}.${column}`;
  const why = UNVERIFIED[table] ?? UNVERIFIED[name];
  if (why !== undefined) return { foundBy: 'nobody', inBackground: 'not seen', why };
  return OTHERWISE[name] ?? { foundBy: '-v --offline', inBackground: 'mended' };
}

/** Names of the lists above that are no table and no column. */
export function unknownNames(columns: readonly Column[]): string[] {
  const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
  return Object.keys({ ...UNVERIFIED, ...OTHERWISE }).filter((name) => !known.has(name));
}

/** Tables whose rows do not follow from the chain alone. */
export const APART = Object.keys(UNVERIFIED)
  .filter((name) => !name.includes('.'))
  .concat('events', 'forks', 'unknown_infos', 'due_infos', 'contract_codes');

/** Columns of which suites take the identity, to insert and change keys: the schema differs in them. */
export const WITHOUT_IDENTITY = ['column types.code', 'column rankings.key', 'column ledger_ids.key'];

export const CHANGES: Record<string, string> = {
  bigint: '$ + 1000003',
  integer: '$ + 1000003',
  smallint: '$ + 100::smallint',
  numeric: '$ + 1',
  boolean: 'NOT $',
  date: '$ + 10000',
  text: "$ || 'x'",
  'timestamp with time zone': "$ + interval '100 years'",
  uuid: 'md5($::text)::uuid',
  'text[]': "$ || 'ak_x'::text",
  'numeric[]': '$ || 1::numeric',
};

/** Columns whose change differs from that of their type. In JSON one digit or letter of a value is changed, so that the text stays JSON. */
const APART_FROM_TYPE: Record<string, string> = {
  // An owner that got the letter x before may have left its empty ranking.
  'rankings.id': `$ || 'y'`,
  // The next single token exists, too.
  'token_owners.token_id': '$ + 1000003',
  'token_metadata.token_id': '$ + 1000003',
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
  const change = (APART_FROM_TYPE[`${table}.${column}`] ?? CHANGES[type] ?? `no change for ${type}`).replaceAll(
    '$',
    column,
  );
  const rows = `FROM ${table} WHERE ${column} <> ${change}`;
  const row =
    which === 'last'
      ? `(SELECT tableoid, ctid ${rows} ORDER BY tableoid DESC, ctid DESC LIMIT 1)`
      : `(SELECT tableoid, ctid ${rows} ORDER BY tableoid, ctid LIMIT 1 OFFSET (SELECT count(*) / 2 ${rows}))`;
  return `UPDATE ${table} SET ${column} = ${change} WHERE (tableoid, ctid) = ${row}`;
}
