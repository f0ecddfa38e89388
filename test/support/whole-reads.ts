/** Which statements of the program read whole tables, according to their generic plans. */
import type { Queryable } from '../../src/store/connection/database.js';
import { readWhole } from './plans.js';
import type { PlanNode } from './plans.js';
import { readGolden } from './statements.js';

/** Tables that statements may read completely, and why. */
const WHOLE: Record<string, Record<string, string[]>> = {
  'the auctions that run: they are sorted by what may change at each height': {
    names: [
      ...['by_expiration', 'by_max_bid', 'by_name'].flatMap((by) => [
        `auctions.running.${by}`,
        `auctions.running.${by}.reversed`,
      ]),
      'auctions.running_count',
    ],
  },
  'one row an account that has coins: counted for /v3/stats, and compared by a verification of all accounts': {
    holders: ['compat.records', 'holders.mend', 'verify.holders'],
    ledger_ids: ['supply.after'],
  },
  'once, when a populator starts': { key_blocks: ['chain.gaps'], ledger_gaps: ['ledger_questions.insert-all'] },
  'counted once a minute in the background': {
    ledger_checks: ['ledger_checks.count'],
    ledger_questions: ['ledger_questions.count'],
    contracts: ['tokens.count-states'],
    tokens: ['tokens.count-states'],
    token_metadata: ['token_metadata.count-due'],
    token_allowances: ['token_allowances.count-due'],
    call_replays: ['call_replays.count'],
  },
  'generations that a node is asked about; their blocks are looked up as soon as there are many': {
    key_blocks: ['ledger_questions.due'],
  },
  'contracts that failed or were created by a transaction; looked up as soon as there are many': {
    contracts: ['compat.token_count', 'returned_contracts.backfill', 'returned_contracts.insert'],
  },
  'counted for /middleware/status while the chain is loaded; not at its head, and not for probes': {
    key_blocks: ['status.facts'],
  },
  'calls and codes that are due': {
    contract_calls: ['contract_calls.pending'],
    due_infos: ['contract_calls.pending'],
    contract_codes: ['contract_codes.save'],
  },
  'one row a contract, looked up as soon as there are many': {
    contract_codes: [
      'contract_codes.redecode',
      'contract_codes.undo',
      'contracts.codes',
      'tokens.refused',
      'verify.called',
    ],
  },
  'one row a fork of the network': {
    forks: [
      ...['chain.forget-forks', 'chain.forks', 'verify.forks'],
      ...['compat.generation_totals.ascending', 'compat.generation_totals.descending'],
    ],
  },
  'each part of a backfill, of 65,536 generations': {
    names: ['generation_changes.rebuild'],
    oracle_lives: ['generation_changes.rebuild'],
  },
  'one row a miner': {
    miners: [
      ...['ascending', 'descending'].flatMap((order) =>
        ['', '.after', '.from'].map((begin) => `compat.miners.${order}${begin}`),
      ),
      ...['compat.records', 'miners.clear-all'],
    ],
  },
  'one row a day': { days: ['days.clear', 'verify.days'] },
  'few transactions, whose call information no node answers; looked up as soon as there are many': {
    unknown_infos: ['contract_logs.backfill', 'due_infos.answered', 'unknown_infos.count', 'verify.transactions'],
  },
  'few records, which the node has otherwise or which ended after a comparison; looked up as soon as there are many': {
    node_records: ['node_records.count', 'node_records.forget', 'node_records.postpone', 'status.facts'],
  },
  'what the reorg that is under way took away': {
    removed_transactions: [
      'events.left',
      'removed_transactions.count',
      'removed_transactions.delete',
      'removed_transactions.delete-stored',
    ],
  },
  'the first event of a copy whose head was never announced': { key_blocks: ['events.below-gaps'] },
  'one row a rewrite of the last days': { rewrites: ['rewrites.since'] },
  'heights whose movements are to be computed again': { ledger_rewrites: ['ledger.is-behind', 'ledger_rewrites.cut'] },
  'what is read ahead and not stored yet': { staged_blocks: ['staged.leftovers'] },
  'a verification of all that is stored': {
    active_accounts: ['verify.active-accounts'],
    contract_calls: ['verify.tokens-seen'],
    contract_logs: ['verify.tokens-seen'],
    returned_contracts: ['verify.tokens-seen'],
    tokens: ['verify.token-sums'],
    events: ['verify.events'],
    internal_call_parties: ['verify.internal-call-parties'],
    internal_calls: ['verify.internal-calls'],
    micro_blocks: ['verify.days'],
    milestones: ['verify.milestones'],
    names: ['verify.generation-changes', 'verify.pages-names', 'verify.ranks-3', 'verify.ranks-4', 'verify.ranks-5'],
    oracle_lives: ['verify.generation-changes', 'verify.pages-oracle_lives'],
    oracles: ['verify.pages-oracles'],
    ranks: ['verify.milestones', 'verify.sampled-counts'],
    sampled_counts: ['verify.sampled-counts'],
    transaction_hashes: ['verify.stray-hashes'],
  },
};

/** A table that only the partitioned layout has; `to_regclass` looks whether it is there. */
const OF_PARTITIONED = /(FROM|JOIN) transaction_hashes\b/;

/** Only the owner of the schema may write it, so the role of this suite cannot plan that. */
const OF_OWNER = /INSERT INTO serving\b/;

/** Tables with few rows, whatever the length of the chain. */
const SMALL = new Set([
  'chain',
  'writer',
  'held_reorg',
  'currency',
  'differing_opinions',
  'types',
  'migrations',
  'marker',
  'serving',
  'announced_logs',
  'backfills',
  'ledger',
  'call_replay_progress',
]);

/** `statement: table`, for allowed reads of whole tables. */
export const ALLOWED: ReadonlySet<string> = new Set(
  Object.values(WHOLE).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${name}: ${table}`)),
  ),
);

/** Reads of whole tables that PostgreSQL plans or not, as the sample is from which it makes its statistics. */
export const SOMETIMES: ReadonlySet<string> = new Set(['verify.ranks-8: oracles']);

const HISTORIES = ['ascending', 'ascending.after', 'ascending.from', 'descending', 'descending.from'].map(
  (order) => `compat.token_balance_history.${order}`,
);

/** The same for the partitioned layout: a partition of a short chain has few events. They are looked up as soon as there are many. */
export const ALLOWED_IN_PARTITIONS: readonly string[] = [
  'compat.template_tokens',
  'compat.token_balance_history_total',
  'compat.templates',
  'tokens.differing',
  ...HISTORIES,
].map((name) => `${name}: contract_logs`);

/** The plan of each statement of `test/store/statements.sql` that the layout of this copy has, by name. Needs PostgreSQL 16. */
export async function genericPlans(db: Queryable): Promise<Map<string, PlanNode>> {
  const { rows: layout } = await db.query<{ partitioned: boolean }>({
    name: 'test.layout',
    text: `SELECT to_regclass('transaction_hashes') IS NOT NULL AS partitioned`,
  });
  const plans = new Map<string, PlanNode>();
  for (const [name, text] of readGolden()) {
    if (OF_OWNER.test(text) || (!layout[0]!.partitioned && OF_PARTITIONED.test(text))) continue;
    const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      name: '',
      text: `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
    });
    plans.set(name, rows[0]!['QUERY PLAN'][0].Plan);
  }
  return plans;
}

/** `statement: table`, for each growing table that is read completely. */
export async function wholeReads(db: Queryable, plans: ReadonlyMap<string, PlanNode>): Promise<string[]> {
  const { rows } = await db.query<{ index: string; table: string }>({
    name: 'test.indexes',
    text: 'SELECT indexrelname AS index, relname AS table FROM pg_stat_user_indexes WHERE schemaname = current_schema()',
  });
  const { rows: partitions } = await db.query<{ partition: string; whole: string }>({
    name: 'test.partitions',
    text: `
      SELECT part.relname AS partition, whole.relname AS whole
      FROM pg_inherits AS i JOIN pg_class AS part ON part.oid = i.inhrelid JOIN pg_class AS whole ON whole.oid = i.inhparent
      WHERE part.relnamespace = current_schema()::regnamespace AND part.relkind = 'r'`,
  });
  const wholes = new Map(partitions.map(({ partition, whole }) => [partition, whole]));
  const tables = new Map(rows.map(({ index, table }) => [index, table]));
  return [...plans].flatMap(([name, plan]) => {
    const whole = new Set(
      readWhole(plan)
        .map((one) => tables.get(one) ?? one)
        .map((one) => wholes.get(one) ?? one),
    );
    // The catalog of PostgreSQL has a row for each column, whatever the length of the chain.
    return [...whole]
      .filter((table) => !SMALL.has(table) && !table.startsWith('pg_'))
      .map((table) => `${name}: ${table}`);
  });
}
