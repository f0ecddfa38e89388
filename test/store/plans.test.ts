/**
 * Plans of all statements for any parameters: which of them can only be answered by reading a whole table or index, whatever its size.
 * `test/api/plans*.test.ts` check how many rows the statements of the API read.
 */
import { expect } from 'chai';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { writeMovements } from '../support/ledger-rows.js';
import { tamper } from '../support/roles.js';
import { skipFor } from '../support/skip.js';
import { ALLOWED, ALLOWED_IN_PARTITIONS, SOMETIMES, genericPlans, wholeReads } from '../support/whole-reads.js';

/** Rows in tables that this chain leaves empty: PostgreSQL reads an empty table in any way. */
const FILL = `
  INSERT INTO tokens (contract_id, position, kind, meta_state, name_key, due_at)
    SELECT 'ct_' || n, n, CASE n % 3 WHEN 0 THEN 9 WHEN 1 THEN 141 END, 'ok', n::text, now() FROM generate_series(1, 3000) AS n;
  INSERT INTO token_balances (contract_id, account, amount, events, position, log_index)
    SELECT 'ct_' || n % 3000, n, n, 1, n, 0 FROM generate_series(1, 9000) AS n;
  INSERT INTO token_owners (contract_id, token_id, owner, position, log_index)
    SELECT 'ct_' || n % 3000, n, n, n, 0 FROM generate_series(1, 9000) AS n;
  INSERT INTO token_metadata (contract_id, token_id, position, made, state)
    SELECT 'ct_' || n % 3000, n, n, true, CASE n % 20 WHEN 0 THEN 'due' ELSE 'ok' END FROM generate_series(1, 9000) AS n;
  INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index, state)
    SELECT 'ct_' || n % 3000, n, n, n, n, 0, CASE n % 20 WHEN 0 THEN 'due' ELSE 'ok' END FROM generate_series(1, 9000) AS n;
  INSERT INTO internal_calls (position, index, function, contract_id, tx, answer)
    SELECT n, 0, CASE n % 3 WHEN 0 THEN 'Chain.spend' ELSE 'Call.amount' END, 'ct_' || n % 3000, '{}', '' FROM generate_series(1, 9000) AS n;
  INSERT INTO internal_call_parties (id, position, index) SELECT n::text, n, 0 FROM generate_series(1, 9000) AS n;
  INSERT INTO call_replays (position, state) SELECT n, CASE n % 20 WHEN 0 THEN 'due' ELSE 'refused' END FROM generate_series(1, 9000) AS n;
  INSERT INTO call_replay_progress (position) VALUES (1);
  INSERT INTO returned_contracts (contract_id, position) SELECT 'ct_' || n, n FROM generate_series(1, 3000) AS n;
  INSERT INTO node_money (height, next_hash, operations) SELECT n, 'kh_' || n, '{}' FROM generate_series(1, 3000) AS n;
  INSERT INTO ledger_questions (height, due_at) SELECT n, now() FROM generate_series(1, 3000) AS n;
  INSERT INTO ledger_checks (account, height) SELECT n, n FROM generate_series(1, 3000) AS n`;

describe('the plans of all statements', () => {
  let world: World;

  before(async function () {
    world = await createWorld({ seed: 'plans', generations: 200, txsPerGeneration: 65 });
    const { rows } = await world.database.query<{ number: number }>({
      name: 'test.version',
      text: `SELECT current_setting('server_version_num')::int AS number`,
    });
    // PostgreSQL explains a statement without its parameters since version 16.
    if (rows[0]!.number < 160_000) skipFor('PostgreSQL plans for any parameters from version 16 on', this);
    await writeMovements(world.database, 'ae_test', null);
    await tamper(world.database, FILL);
    await tamper(world.database, 'ANALYZE');
  });
  after(() => world.close());

  it('read no whole table, except those that are listed with a reason', async () => {
    const { plans, found } = await world.database.transaction(async (tx) => {
      // PostgreSQL reads small tables whole. Without sequential scans it does so only if it has no other way.
      await tx.run('SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashjoin = off');
      const plans = await genericPlans(tx);
      return { plans, found: await wholeReads(tx, plans) };
    });

    const ofLayout = process.env['PARTITIONED'] === '1' ? ALLOWED_IN_PARTITIONS : [];
    const allowed = [...ALLOWED, ...ofLayout].filter((each) => plans.has(each.slice(0, each.indexOf(': '))));
    expect(found.filter((each) => !SOMETIMES.has(each)).sort()).to.deep.equal(allowed.sort());
  });
});
