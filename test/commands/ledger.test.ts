/** `mdw -v --ledger` finds a changed digit, with the block after which it is wrong. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { writeMovements } from '../support/ledger-rows.js';
import { mdw } from '../support/mdw.js';
import type { Outcome } from '../support/mdw.js';
import { compareAllBalances } from '../support/keep-money.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy, tamper } from '../support/roles.js';

describe('mdw -v --ledger', () => {
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;
  let early: Outcome;

  const folder = mkdtempSync(join(tmpdir(), 'mdw-ledger-'));

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    devnode = await startDevnode({
      ...{ external: '127.0.0.1:0', internal: '127.0.0.1:0' },
      // With a folder it has the internal interface.
      source: { generate: { seed: 'digits', generations: 25, txsPerGeneration: 8, accounts: 9, folder } },
    });
    const node = nodeAt(devnode.externalUrl, { retries: [], proof: 'hashes' });
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', { delay: 180, treasury: null });
    early = await verify('--ledger');
    await compareAllBalances(database, node);
    node.close();
  });
  after(async () => {
    await devnode.close();
    await database.close();
    await server.drop();
    rmSync(folder, { recursive: true });
  });

  const verify = (...args: string[]): Promise<Outcome> =>
    mdw(['-v', ...args], {
      NODE_URL: devnode.externalUrl,
      NODE_INTERNAL_URL: devnode.internalUrl!,
      DATABASE_URL: asRole(server.url, 'populate'),
    });

  it('says how many balances wait for the coins of the genesis block', () => {
    expect(early.stderr).to.match(/\d+ wait for the coins of the genesis block/);
    expect(early.stderr).to.not.match(/ \d+ not OK/);
    expect(early.stdout).to.not.contain('Not OK: ak_');
    expect(early.status).to.equal(1);
  });

  it('compares the balance of each account, at the head and at heights', async () => {
    const head = await verify('--ledger');
    expect(head.stderr).to.match(/(\d+) balances of \1 accounts compared with the node, all OK/);
    expect(head.stdout).to.equal('');
    expect(head.stderr).to.contain('The supply at height 25 is that of the node, part by part');
    expect(head.status).to.equal(0);
    const [, accounts] = /of (\d+) accounts/.exec(head.stderr)!;
    const heights = await verify('5-7', '--ledger');
    expect(heights.stderr).to.contain(`${3 * Number(accounts)} balances of ${accounts} accounts`);
    expect(heights.stderr).to.contain('The supply at height 7 is that of the node');
    expect(heights.status).to.equal(0);
    const share = await verify('--ledger', '--accounts', '50');
    expect(Number(/of (\d+) accounts/.exec(share.stderr)![1])).to.be.below(Number(accounts));
  });

  it('names the account, the block and the difference where one digit was changed', async () => {
    const { rows } = await database.query<{ id: string; hash: string; height: string; position: string; key: number }>({
      name: 'test.changed',
      text: `
        SELECT i.id, i.key, b.hash, m.position >> 33 AS height, m.position FROM movement_rows AS m JOIN ledger_ids AS i ON i.key = m.account
        CROSS JOIN LATERAL (SELECT hash FROM micro_blocks WHERE position <= m.position ORDER BY position DESC LIMIT 1) AS b
        WHERE m.position > 12::bigint << 33 AND m.position & 8589934591 <> 0 AND i.id LIKE 'ak_%' ORDER BY m.position LIMIT 1`,
    });
    const { id, key, hash, height, position } = rows[0]!;
    await tamper(
      database,
      `UPDATE movement_rows SET balance = balance - 1000 WHERE account = ${key} AND position >= ${position}`,
    );
    const text = `${id} has 1000 more at the node after block ${hash} at height ${height}`;
    const found = await verify('--ledger');
    expect(found.stdout.split('\n')[0]).to.equal(`Not OK: ${text}`);
    expect(found.stdout).to.match(/Not OK: balances of the supply at height 25: (\d+), at the node (?!\1)\d+\n.*total/);
    expect(found.stderr).to.contain('1 not OK, 2 parts of the supply not OK');
    expect(found.status).to.equal(1);
    const json = await verify(`0-${height}`, '--ledger', '--json');
    expect(json.stdout).to.equal('');
    const above = await verify(`${Number(height) + 1}-${Number(height) + 3}`, '--ledger', '--json');
    expect(JSON.parse(above.stdout.split('\n')[0]!)).to.deep.equal({
      ...{ account: id, height: Number(height), block: hash, amount: '1000', ok: false },
    });
  });

  it('refuses flags that it does not use', async () => {
    for (const args of [
      ['--ledger', '--offline'],
      ['--accounts', '5'],
      ['--ledger', '--jobs', '3'],
    ]) {
      const { status, stderr } = await verify(...args);
      expect(status, stderr).to.equal(2);
      expect(stderr).to.match(/--(ledger|accounts) goes with/);
    }
  });
});
