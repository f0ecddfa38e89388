import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import { chainClockFinding, serverFindings } from '../../src/doctor/checks.js';
import type { Finding } from '../../src/doctor/checks.js';
import { migrationNames } from '../../src/store/schema/migrations.js';
import { mdw, startMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recorded, recordedKeyBlock } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';

describe('mdw doctor', () => {
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;

  before(async () => {
    database = await testDatabase();
    node = await replayServer();
  });

  after(async () => {
    await node.close();
    await database.drop();
  });

  const examine = async (env: Record<string, string>) => {
    const { status, stdout, stderr } = await mdw(['doctor', '--json'], env);
    expect(stderr).to.equal('');
    const findings = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding);
    return { status, verdicts: Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict])), findings };
  };

  it('finds nothing wrong with a fresh database and a healthy node', async () => {
    const { status, verdicts, findings } = await examine({ NODE_URL: node.url, DATABASE_URL: database.url });

    expect(status).to.equal(0);
    expect(verdicts).to.deep.equal({
      database: 'ok',
      sessions: 'ok',
      'server version': 'ok',
      encoding: 'ok',
      rights: 'ok',
      schema: 'warn',
      'database clock': 'ok',
      node: 'ok',
      'node version': 'ok',
      network: 'ok',
      'node height': 'ok',
      clock: 'ok',
    });
    expect(findings.find(({ check }) => check === 'node height')?.message).to.match(/^\d+$/);
  });

  it('compares the file with the coins of the genesis block with those of the node', async () => {
    const devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'doctor', generations: 2 } },
    });
    const folder = mkdtempSync(join(tmpdir(), 'mdw-doctor-'));
    const file = join(folder, 'accounts.json');
    const env = { NODE_URL: devnode.externalUrl, DATABASE_URL: database.url, GENESIS_ACCOUNTS_FILE: file };
    const examined = async (account: string, amount: bigint, forks = '') => {
      writeFileSync(file, `{"${account}": ${amount}${forks}}`);
      const { status, findings } = await examine(env);
      const { verdict, message } = findings.find(({ check }) => check === 'genesis file')!;
      return { status, verdict, message };
    };
    try {
      const asked = async (path: string): Promise<string> => (await fetch(`${devnode.externalUrl}/v3${path}`)).text();
      const genesis = (JSON.parse(await asked('/status')) as Record<string, string>)['genesis_key_block_hash']!;
      const account =
        /"(?:sender|caller|account|owner)_id":"(ak_\w+)"/.exec(await asked('/generations/height/1'))?.[1] ??
        (JSON.parse(await asked('/key-blocks/height/1')) as { beneficiary: string }).beneficiary;
      const answer = await asked(`/accounts/${account}/hash/${genesis}`);
      const balance = BigInt(/"balance":(\d+)/.exec(answer)?.[1] ?? '0');

      expect(await examined(account, balance)).to.deep.equal({
        ...{ status: 0, verdict: 'ok' },
        message: '1 accounts, as after the genesis block of the node',
      });
      expect(await examined(account, balance + 1n)).to.deep.equal({
        ...{ status: 1, verdict: 'fail' },
        message: `GENESIS_ACCOUNTS_FILE: it gives ${account} ${balance + 1n}, but after the genesis block the node has ${balance}`,
      });
      expect(await examined(account, balance, `, "50": {"${account}": 1}`)).to.deep.equal({
        ...{ status: 1, verdict: 'fail' },
        message: 'GENESIS_ACCOUNTS_FILE: the node does not have the protocol version 50',
      });
    } finally {
      await devnode.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('names a chain that began anew, with another genesis block or with the same one', async () => {
    const own = await testDatabase();
    const env = { NODE_URL: node.url, DATABASE_URL: own.url };
    const populator = startMdw(['-p'], { ...env, METRICS_ADDRESS: '127.0.0.1:0' });
    await populator.saw(/Caught up with the node/);
    populator.process.kill('SIGKILL');
    await populator.ended;
    expect((await examine(env)).verdicts).to.include({ network: 'ok', chain: 'ok' });
    const first = recordedKeyBlock(1);
    const hashIn = (text: string): string => (JSON.parse(text) as { hash: string }).hash;
    const other = hashIn(recordedKeyBlock(2));
    for (const [from, check] of [
      [hashIn(recordedKeyBlock(0)), 'network'],
      [hashIn(first), 'chain'],
    ] as const) {
      const anew = await replayServer('realnode', (path) => {
        if (path === '/status') return { status: 200, body: recorded('/v2/status').replaceAll(from, other) };
        if (path === '/key-blocks/height/1') return { status: 200, body: first.replaceAll(from, other) };
        return undefined;
      });
      const { verdicts, findings } = await examine({ ...env, NODE_URL: anew.url });
      await anew.close();
      expect(verdicts[check]).to.equal('fail');
      const { message } = findings.find((one) => one.check === check)!;
      expect(message).to.contain(other).and.to.contain(from).and.to.contain('drop this copy (mdw drop)');
    }
    await own.drop();
  });

  it('accepts a current schema', async () => {
    const env = { NODE_URL: node.url, DATABASE_URL: database.url };
    await mdw(['migrate'], env);

    const { stdout, status } = await mdw(['doctor'], env);

    expect(status).to.equal(0);
    expect(stdout).to.contain(`Current: ${(await migrationNames()).at(-1)}\n`);
  });

  it('reports a schema with objects of others', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE SCHEMA shop CREATE TABLE customers (a int)');
    await client.end();
    const { status, findings } = await examine({
      NODE_URL: node.url,
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: 'shop',
    });

    expect(status).to.equal(1);
    const amiss = findings.filter(({ verdict }) => verdict !== 'ok');
    expect(amiss.map(({ check, verdict }) => [check, verdict])).to.deep.equal([
      ['schema', 'fail'],
      ['network', 'skip'],
    ]);
    expect(amiss.slice(0, 1)).to.deep.equal([
      {
        check: 'schema',
        verdict: 'fail',
        message:
          'The schema contains other objects than a copy of the chain (table customers): set DATABASE_SCHEMA to another schema',
      },
    ]);
  });

  it('reports what cannot be reached, continues with the other checks, and ends with 1', async () => {
    const { status, verdicts, findings } = await examine({
      NODE_URL: node.url,
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d',
    });
    expect(status).to.equal(1);
    expect(verdicts).to.include({ database: 'fail', schema: 'skip', node: 'ok', network: 'skip' });
    // Whether it is empty is not known.
    expect(findings.find(({ check }) => check === 'network')?.message).to.contain('; not compared with the database');

    const other = await examine({ NODE_URL: '127.0.0.1:1', DATABASE_URL: database.url });
    expect(other.status).to.equal(1);
    expect(other.verdicts).to.include({ database: 'ok', node: 'fail', network: 'skip' });
  });
});

describe('findings of the doctor', () => {
  it('report the clock only for a block that a node with the right time would refuse', () => {
    const minutes = 60_000;
    expect(chainClockFinding(0, 9 * minutes)).to.include({ verdict: 'ok' });
    expect(chainClockFinding(0, 9 * minutes + 1)).to.include({ verdict: 'fail' });
  });

  it('report a server that is too old, and an encoding that does not fit', () => {
    const facts = { user: 'u', database: 'd', readOnly: 'it is a standby', now: 0 };
    const rights = { schemaExists: true, mayCreateSchema: true, mayCreateTables: true };
    const verdicts = (version: string, versionNumber: number, encoding: string): string[] =>
      serverFindings({ ...facts, ...rights, version, versionNumber, encoding }, 's').map(({ verdict }) => verdict);
    expect(verdicts('11.2', 110_002, 'UTF8')).to.deep.equal(['ok', 'ok', 'warn']);
    expect(verdicts('11.1', 110_001, 'LATIN1')).to.deep.equal(['fail', 'fail', 'warn']);
  });
});
