import { expect } from 'chai';
import { KINDS } from '../../src/chain/money/kinds.js';
import { keyPosition } from '../../src/chain/position.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { keepLedger } from '../../src/populate/ledger.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { writeIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { cutLedger } from '../../src/store/projections/ledger-rewrite.js';
import { movements } from '../../src/store/projections/movements.js';
import { truncate } from '../../src/store/write/truncate.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { movementDump, writeMovements } from '../support/ledger-rows.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedMoney } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };

describe('stored movements', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', RULES);
    whole = await movementDump(database);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  /** Differences of movements and what belongs to them. */
  async function differing(): Promise<string[]> {
    const found: string[] = [];
    const tables = movements.tables.map(({ name }) => name);
    const onDifference = (one: ReportedDifference): void => {
      if (tables.includes(one.table)) found.push(JSON.stringify(one));
    };
    await verifyProjections({ database, onDifference });
    return found;
  }

  it('are those that follow from the recorded chain, with the balance after each', async () => {
    const balances = new Map<string, bigint>();
    const expected = recordedMoney(OF, RULES).flatMap(({ moves }) =>
      moves.movements.map(({ account, kind, amount }) => {
        balances.set(account, (balances.get(account) ?? 0n) + amount);
        return `${account} ${KINDS[kind].code} ${amount} ${balances.get(account)}`;
      }),
    );
    const { rows } = await database.query<{ text: string }>({
      name: 'test.movement-texts',
      text: `
        SELECT concat_ws(' ', a.id, m.kind, m.amount, m.balance) AS text
        FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account ORDER BY m.position, m.index`,
    });
    expect(rows.map(({ text }) => text)).to.deep.equal(expected);
    expect(await differing()).to.deep.equal([]);
  });

  it('go with their blocks and come again with them', async () => {
    for (const position of [keyPosition(100), keyPosition(0), keyPosition(703)]) {
      await database.transaction((tx) => truncate(tx, position));
      expect(await differing()).to.deep.equal([]);
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      await writeMovements(database, 'ae_dev', RULES);
      expect(await movementDump(database)).to.deep.equal(whole);
    }
  });

  it('are written by the work of the populator, which follows the head', async () => {
    await writeIdentity(database, { networkId: 'ae_dev', genesisHash: 'kh_genesis' });
    await database.transaction((tx) => cutLedger(tx, 0n));
    const metrics = createMetrics();
    const stopping = new AbortController();
    const working = keepLedger({
      ...{ database, metrics, logger: silent, signal: stopping.signal },
      ...{ fence: fenceBesideWriter, mayWork: () => true, rewards: RULES, pauseMs: 10 },
    });
    const written = async (): Promise<boolean> => (await metrics.ledgerHeight.get()).values[0]?.value === 703;
    try {
      await eventually(written, (done) => done);
    } finally {
      stopping.abort();
      await working;
    }
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('have no rewards, but a gap at each key block, where the delay of rewards is not known', async () => {
    await writeIdentity(database, { networkId: 'ae_dev', genesisHash: 'kh_genesis' });
    const stopping = new AbortController();
    const metrics = createMetrics();
    const working = keepLedger({
      ...{ database, metrics, logger: silent, signal: stopping.signal },
      ...{ fence: fenceBesideWriter, mayWork: () => true, pauseMs: 10 },
    });
    const written = async (): Promise<boolean> => (await metrics.ledgerHeight.get()).values[0]?.value === 703;
    try {
      await eventually(written, (done) => done);
    } finally {
      stopping.abort();
      await working;
    }
    const { rows } = await database.query({
      name: 'test.unknown-rewards',
      text: `
        SELECT count(*)::int AS gaps, (SELECT count(*)::int FROM movements WHERE kind IN (19, 20)) AS rewards
        FROM ledger_gaps WHERE gaps & 64 <> 0 AND position & (1::bigint << 33) - 1 = 0`,
    });
    expect(rows).to.deep.equal([{ gaps: 703, rewards: 0 }]);
    expect(await differing()).to.deep.equal([]);
    await writeMovements(database, 'ae_dev', RULES);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are not compared while a transaction cannot be read, which is found itself', async () => {
    const last = '(SELECT max(position) FROM transactions)';
    const { rows } = await database.query<{ body: string }>({
      name: 'test.body',
      text: `SELECT body FROM transactions WHERE position = ${last}`,
    });
    await tamper(database, `UPDATE transactions SET body = '!' || body WHERE position = ${last}`);
    const tables = new Set<string>();
    await verifyProjections({ database, prove: true, onDifference: ({ table }) => tables.add(table) });
    const client = await database.connect();
    await client.query(`UPDATE transactions SET body = $1 WHERE position = ${last}`, [rows[0]!.body]);
    await client.end();
    expect([...tables])
      .to.include('transactions')
      .and.not.include('movement_rows');
    expect(await differing()).to.deep.equal([]);
  });

  it('wait for call information that is still to be read', async () => {
    await database.transaction((tx) => truncate(tx, keyPosition(20)));
    await syncFully(syncContext(database, node));
    await writeMovements(database, 'ae_dev', RULES);
    expect((await movementDump(database))['movements']).to.have.length.below(whole['movements']!.length / 2);
    expect(await differing()).to.deep.equal([]);
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', RULES);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are written again with call information that nobody had before', async () => {
    await tamper(database, ['CREATE TABLE kept_infos AS SELECT * FROM infos', 'DELETE FROM infos']);
    await database.transaction((tx) => cutLedger(tx, 0n));
    await writeMovements(database, 'ae_dev', RULES);
    expect(await differing()).to.deep.equal([]);
    const without = await movementDump(database);
    expect(without['ledger']).to.deep.equal(whole['ledger']);
    expect(without['movements']).to.have.length.below(whole['movements']!.length);
    await tamper(database, ['INSERT INTO infos SELECT * FROM kept_infos', 'DROP TABLE kept_infos']);
    await writeMovements(database, 'ae_dev', RULES);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  const FAULTS: Record<string, string> = {
    'a digit is changed':
      'UPDATE movement_rows SET balance = balance + 1 WHERE ctid = (SELECT max(ctid) FROM movement_rows)',
    'an amount is changed': `
      UPDATE movement_rows SET amount = -amount WHERE position = (SELECT max(position) FROM movement_rows WHERE kind = 1)`,
    'a row is missing': `DELETE FROM movement_rows WHERE ctid = (SELECT ctid FROM movement_rows WHERE kind = 1 LIMIT 1)`,
    'a row is doubled': `
      INSERT INTO movement_rows SELECT position, account, counterparty, (index + 100)::smallint, kind, amount, fee, balance
      FROM movement_rows WHERE kind = 4 LIMIT 1`,
    'a bid is missing': 'DELETE FROM held WHERE kind = 1 AND released IS NOT NULL',
    'a query never ended': 'UPDATE held SET released = NULL WHERE kind = 2',
    'fees are changed': 'UPDATE earnings SET fees = fees + 1 WHERE position = (SELECT min(position) FROM earnings)',
    'a gap is missing': 'DELETE FROM ledger_gaps WHERE position = (SELECT max(position) FROM ledger_gaps)',
  };
  for (const [fault, text] of Object.entries(FAULTS)) {
    it(`are found wrong and mended by their heights if ${fault}`, async () => {
      await tamper(database, text);
      const found = await differing();
      expect(found).to.not.deep.equal([]);
      const heights = [...new Set(found.map((one) => (JSON.parse(one) as { height: number }).height))];
      const { failed } = await replaceHeights({
        ...{ database, node },
        heights: heights.map((height) => ({ from: height, to: height })),
      });
      expect(failed).to.deep.equal([]);
      expect(await differing()).to.deep.equal([]);
      await decodeAll(database, node);
      await writeMovements(database, 'ae_dev', RULES);
      expect(await differing()).to.deep.equal([]);
      expect(await movementDump(database)).to.deep.equal(whole);
    });
  }
});
