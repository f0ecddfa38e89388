/**
 * How each statement of the product is planned for any parameters: which can only be answered by reading a whole table or index, however
 * large that is. How many rows the statements of the API touch is held in `test/api/plans*.test.ts`.
 */
import { expect } from 'chai';
import type { DbTransaction } from '../../src/store/connection/database.js';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { readWhole } from '../support/plans.js';
import type { PlanNode } from '../support/plans.js';
import { tamper } from '../support/roles.js';
import { skipFor } from '../support/skip.js';
import { readGolden } from '../support/statements.js';

/** What statements may read whole, and why. */
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
  'once, when a populator starts': { key_blocks: ['chain.gaps'] },
  'counted for /middleware/status while the chain is loaded; not at its head, and not for probes': {
    key_blocks: ['status.facts'],
  },
  'calls and codes that are due': {
    contract_calls: ['contract_calls.pending'],
    contract_codes: ['contract_codes.save'],
  },
  'one row a contract, looked up as soon as there are many': {
    contract_codes: ['contract_codes.again', 'contract_codes.forget', 'contracts.codes', 'verify.called'],
  },
  'one row a day': { days: ['days.clear', 'verify.days'] },
  'what the reorg that is under way took away': {
    removed_transactions: [
      'events.left',
      'removed_transactions.count',
      'removed_transactions.forget',
      'removed_transactions.stayed',
    ],
  },
  'the first event of a copy whose head was never announced': { key_blocks: ['events.below-holes'] },
  'one row a rewrite of the last days': { rewrites: ['rewrites.since'] },
  'what is read ahead and not stored yet': { staged_blocks: ['staged.leftovers'] },
  'a verification of all that is stored': {
    micro_blocks: ['verify.days'],
    milestones: ['verify.milestones'],
    names: ['verify.pages-names', 'verify.ranks-3', 'verify.ranks-4', 'verify.ranks-5'],
    oracles: ['verify.pages-oracles', 'verify.ranks-8'],
    ranks: ['verify.milestones', 'verify.sampled-counts'],
    sampled_counts: ['verify.sampled-counts'],
  },
};

/** Tables with few rows, whatever the length of the chain. */
const SMALL = new Set(['chain', 'writer', 'held_reorg', 'types', 'migrations', 'marker']);

describe('the plans of all statements', function () {
  this.timeout(120_000);
  let world: World;

  before(async function () {
    world = await createWorld({ seed: 'plans', generations: 200, txsPerGeneration: 65 });
    const { rows } = await world.database.query<{ number: number }>({
      name: 'test.version',
      text: `SELECT current_setting('server_version_num')::int AS number`,
    });
    // Before 16 PostgreSQL explains no statement without its parameters.
    if (rows[0]!.number < 160_000) skipFor('PostgreSQL plans for any parameters from version 16 on', this);
    await tamper(world.database, 'ANALYZE');
  });
  after(() => world.close());

  const tablesOfIndexes = async (tx: DbTransaction): Promise<Map<string, string>> => {
    const { rows } = await tx.query<{ index: string; table: string }>({
      name: 'test.indexes',
      text: 'SELECT indexrelname AS index, relname AS table FROM pg_stat_user_indexes WHERE schemaname = current_schema()',
    });
    return new Map(rows.map(({ index, table }) => [index, table]));
  };

  it('read no whole table, but those that say why', async () => {
    const found = await world.database.transaction(async (tx) => {
      const tables = await tablesOfIndexes(tx);
      // Small tables are read whole because they are small: only what cannot be otherwise is left.
      await tx.run('SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashjoin = off');
      const all: string[] = [];
      for (const [name, text] of readGolden()) {
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          name: '',
          text: `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
        });
        const whole = readWhole(rows[0]!['QUERY PLAN'][0].Plan).map((one) => tables.get(one) ?? one);
        for (const table of new Set(whole)) if (!SMALL.has(table)) all.push(`${name}: ${table}`);
      }
      return all;
    });

    const allowed = Object.values(WHOLE).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${name}: ${table}`)),
    );
    expect(found.sort()).to.deep.equal(allowed.sort());
  });
});
