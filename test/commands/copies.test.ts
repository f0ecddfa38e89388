import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { mdw, startMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';
import { asRole, migrateCopy } from '../support/roles.js';

const LOCAL = { METRICS_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' };

describe('the work of the Jobs of a reload', () => {
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let env: Record<string, string>;
  let client: pg.Client;
  let folder: string;
  const left = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(folder, 'log'), 'utf8')) as Record<string, unknown>;
  const green = (): Record<string, string> => ({ ...env, DATABASE_SCHEMA: 'mdw_green' });
  /** Only the owner of a schema drops it. */
  const owner = (): Record<string, string> => ({ ...green(), DATABASE_URL: asRole(database.url, 'migrate') });

  before(async () => {
    database = await testDatabase();
    for (const schema of ['mdw', 'mdw_green']) await migrateCopy(database.url, schema);
    node = await replayServer();
    folder = mkdtempSync(join(tmpdir(), 'mdw-jobs-'));
    env = {
      NODE_URL: node.url,
      DATABASE_URL: asRole(database.url, 'populate'),
      TERMINATION_LOG: join(folder, 'log'),
      ...LOCAL,
    };
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await mdw(['-H', '0-30'], env);
  });

  after(async () => {
    await client.end();
    await node.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('-H reports how many heights it loaded', async () => {
    const { status } = await mdw(['-H', '0-30'], green());
    expect(status).to.equal(0);
    expect(left()).to.deep.equal({ ok: true, message: 'Replaced 31 of 31 heights (0-30)', done: 31, total: 31 });
  });

  it('-H reports which heights failed, and whether the reason was another branch', async () => {
    const { status } = await mdw(['-H', '7,900-902,905'], green());
    expect(status).to.equal(1);
    expect(left()).to.include({
      ok: false,
      code: 'heights_failed',
      failing: '900-902,905',
      branch: false,
      done: 1,
      total: 5,
    });
  });

  it('reports its progress under PROGRESS_ADDRESS', async () => {
    const port = await freePort();
    const slow = startMdw(['-H', '0-30', '-v', '0-30'], { ...green(), PROGRESS_ADDRESS: `127.0.0.1:${port}` });
    const seen = new Set<number>();
    let over = false;
    void slow.ended.then(() => (over = true));
    while (!over) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (answer === undefined) continue;
      const { ready, total, done } = (await answer.json()) as Record<string, unknown>;
      if (ready === false) continue;
      expect([ready, total]).to.deep.equal([true, 31]);
      seen.add(Number(done));
    }
    expect((await slow.ended).status).to.equal(0);
    expect(seen.size).to.be.greaterThan(1);
  });

  it('-v --quiet prints nothing for heights that are correct', async () => {
    const { status, stdout } = await mdw(['-v', '0-30', '--quiet', '--against', 'mdw'], green());
    expect(stdout).to.equal('');
    expect(status).to.equal(0);
    expect(left()).to.deep.equal({ ok: true, message: '31 heights verified, all OK', checked: 31 });
  });

  it('-v reports which heights differ from the chain', async () => {
    await client.query(`UPDATE mdw_green.key_blocks SET body = '{}' WHERE height IN (3, 4, 9)`);
    const { status, stdout } = await mdw(['-v', '0-30', '-q'], green());
    expect(status).to.equal(1);
    expect(stdout.split('\n').filter((line) => line !== '')).to.have.length(3);
    expect(left()).to.include({ ok: false, code: 'differs', differing: '3-4,9' });
    expect(left()['message']).to.match(/3 not OK; height 9: key block/);
    await mdw(['-H', '3-4,9'], green());
  });

  it('-v reports rows that do not follow from the facts, and no heights if a reload would not repair them', async () => {
    await client.query('UPDATE mdw_green.generations SET tx_total = tx_total + 1 WHERE height = 12');
    try {
      const { status, stdout, stderr } = await mdw(['-v', '0-30', '-q', '--json', '--jobs', '3'], green());
      expect(status).to.equal(1);
      const { stored, expected, ...rest } = JSON.parse(stdout) as Record<string, string>;
      expect(rest).to.deep.equal({ table: 'generations', key: '12', height: null, column: 'tx_total', ok: false });
      expect(Number(stored)).to.equal(Number(expected) + 1);
      expect(stderr).to.contain('31 heights verified, 1 rows not OK that reloading heights does not repair');
      expect(left()).to.include({ ok: false, code: 'differs', differing: '', cut: true });
    } finally {
      await client.query('UPDATE mdw_green.generations SET tx_total = tx_total - 1 WHERE height = 12');
    }
  });

  it('-v --offline proves a copy without a node, by its own hashes', async () => {
    const { NODE_URL: _, ...alone } = green();
    const { status, stdout, stderr } = await mdw(['-v', '--offline'], alone);
    expect([status, stdout]).to.deep.equal([0, '']);
    expect(stderr).to.contain('31 heights verified, all OK');
    const { rows } = await client.query<{ height: string; body: string; position: string }>(`
      UPDATE mdw_green.transactions AS t SET body = replace(t.body, '"nonce":', '"nonce":1')
      FROM (SELECT position, body FROM mdw_green.transactions ORDER BY position DESC LIMIT 1) AS was
      WHERE t.position = was.position RETURNING t.position >> 33 AS height, was.body, was.position`);
    const { height, body, position } = rows[0]!;
    const wrong = await mdw(['-v', '--offline'], alone);
    await client.query('UPDATE mdw_green.transactions SET body = $1 WHERE position = $2', [body, position]);
    expect(wrong.status).to.equal(1);
    expect(wrong.stdout).to.match(
      new RegExp(`^Height ${height} not OK: micro_blocks: body of row .* is not proven: `, 'm'),
    );
    expect(left()).to.include({ code: 'differs', differing: height });
    expect((await mdw(['-p', '-v', '--offline'], alone)).status).to.equal(2);
  });

  it('-v --against finds the lowest height at which this copy lacks data of the other', async () => {
    const thirteen = 'position >= 13::bigint << 33 AND position < 14::bigint << 33';
    const { rowCount } = await client.query(`DELETE FROM mdw_green.micro_blocks WHERE ${thirteen}`);
    expect(rowCount).to.be.greaterThan(0);
    const { status, stdout } = await mdw(['-v', '15', '--against', 'mdw', '-q'], green());
    expect(status).to.equal(1);
    expect(stdout).to.match(/^Height 13 not OK: \d+ micro blocks up to here, in the other copy \d+ \(schema mdw\)\n$/);
    expect(left()).to.include({ code: 'differs', differing: '13' });
    const { status: other } = await mdw(['-v', '15', '--against', 'mdw_green', '-q'], env);
    expect(other, 'a copy may have more than one with holes').to.equal(0);
  });

  it('refuses flags that exclude each other, and invalid names of schemas', async () => {
    expect((await mdw(['-p', '--quiet'], env)).status).to.equal(2);
    expect((await mdw(['-v', '--against', 'a b'], env)).stderr).to.match(/--against a b is no name of a schema/);
    const { status, stderr } = await mdw(['-v', '--against', 'public'], env);
    expect(status).to.equal(2);
    expect(stderr).to.contain(
      '--against public is no name of a schema; it must be a schema of its own: neither public nor information_schema',
    );
  });

  it('refuses the schema public for all commands, and does not change it', async () => {
    await client.query('CREATE TABLE public.migrations (a int); CREATE TABLE public.customers (a int)');
    for (const args of [['drop', 'public'], ['migrate'], ['-H', '0'], ['doctor']]) {
      const { status, stderr } = await mdw(args, { ...env, DATABASE_SCHEMA: 'public' });
      expect([args, status]).to.deep.equal([args, 78]);
      expect(stderr).to.contain('DATABASE_SCHEMA="public" is not a schema of its own');
    }
    expect((await client.query('SELECT * FROM public.customers, public.migrations')).rows).to.deep.equal([]);
  });

  it('drop refuses a copy with additional tables, lists them, and drops nothing', async () => {
    await client.query('CREATE TABLE mdw_green.customers (a int); CREATE VIEW mdw_green.tall AS SELECT 1 AS one');
    const { status, stderr } = await mdw(['drop', 'mdw_green'], owner());
    expect(status).to.equal(1);
    expect(stderr).to.match(/contains other objects.*: table customers, view tall/);
    const { rows } = await client.query(
      'SELECT (SELECT count(*) FROM mdw_green.customers) AS customers, (SELECT count(*) FROM mdw_green.key_blocks) AS blocks',
    );
    expect(rows).to.deep.equal([{ customers: '0', blocks: '31' }]);
    await client.query('DROP TABLE mdw_green.customers; DROP VIEW mdw_green.tall');
  });

  it('drop requires the schema both as argument and in DATABASE_SCHEMA', async () => {
    const { status, stderr } = await mdw(['drop', 'mdw'], owner());
    expect(status).to.equal(2);
    expect(stderr).to.match(/DATABASE_SCHEMA is mdw_green, not mdw: nothing is dropped/);
  });

  it('drop refuses a schema that is not a copy of the chain', async () => {
    await client.query('CREATE SCHEMA other CREATE TABLE precious (a int)');
    const { status, stderr } = await mdw(['drop', 'other'], {
      ...env,
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: 'other',
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/contains other objects/);
    expect((await client.query('SELECT * FROM other.precious')).rows).to.deep.equal([]);
  });

  it('drop refuses a copy that is being populated', async () => {
    const populator = startMdw(['-p'], { ...green(), LOG_LEVEL: 'info' });
    await populator.saw(/Took the lease/);
    const { status, stderr } = await mdw(['drop', 'mdw_green'], owner());
    expect(status).to.equal(1);
    expect(stderr).to.match(/The populator .* works on the schema mdw_green/);
    populator.process.kill('SIGTERM');
    await populator.ended;
  });

  it('copies reports both copies, and record and drop write which one serves', async () => {
    const blue = { ...owner(), DATABASE_SCHEMA: 'mdw' };
    const copies = async (): Promise<Record<string, unknown>> => {
      const { stdout } = await mdw(['copies', '--other', 'mdw_green', '--json'], blue);
      const { ok, ...report } = left();
      expect([ok, JSON.parse(stdout)]).to.deep.equal([true, report]);
      return report;
    };
    const before = await copies();
    expect(before['serving']).to.deep.equal([]);
    const [first] = before['copies'] as Record<string, unknown>[];
    expect(first).to.include({ schema: 'mdw', height: 30, provenHeight: 30 });
    expect(first!['work']).to.match(/^[1-9]\d+$/);

    const { stdout } = await mdw(['record', 'switched', '--other', 'mdw_green', '--reload', 'one'], blue);
    expect(stdout).to.equal('Recorded: schema mdw switched, reload one\n');
    const [row] = (await copies())['serving'] as Record<string, unknown>[];
    expect(row).to.include({ step: 'switched', schema: 'mdw', reload: 'one', result: null, work: first!['work'] });
    expect((await mdw(['copies', '--other', 'mdw_green'], blue)).stdout).to.match(
      /^mdw: (not )?complete, height 30, proven up to 30, work \d+\nmdw_green: .*\n\S+: mdw switched, reload one\n$/,
    );
  });

  it('drop refuses for an operator a copy with more proven work than the copy that serves', async () => {
    const shown = (await client.query('SELECT proven_height FROM mdw.chain')).rows;
    await client.query('UPDATE mdw.chain SET proven_height = 3');
    const { status, stderr } = await mdw(['drop', 'mdw_green', '--serving', 'mdw'], owner());
    await client.query('UPDATE mdw.chain SET proven_height = 30');
    expect(shown).to.deep.equal([{ proven_height: '30' }]);
    expect(status).to.equal(1);
    expect(stderr).to.match(/proven up to height \d+ and has more proven work than that in schema mdw,/);
    expect(left()).to.include({ ok: false, code: 'copy_ahead' });
    expect((await client.query('SELECT FROM mdw_green.key_blocks')).rowCount).to.be.above(30);
  });

  it('refuses schemas that cannot be copies, and a copy that is said to serve and to be dropped', async () => {
    for (const args of [
      ['copies', '--other', 'public'],
      ['record', 'switched', '--other', 'a b', '--reload', 'x'],
      ['record', 'done', '--other', 'mdw', '--reload', 'x'],
      ['drop', 'mdw_green', '--serving', 'mdw_green'],
      ['drop', 'mdw_green', '--any-work'],
      ['drop', 'mdw_green', '--serving', 'mdw', '--reload', 'x'],
    ]) {
      const { status } = await mdw(args, owner());
      expect([args, status]).to.deep.equal([args, 2]);
    }
    expect((await client.query('SELECT FROM mdw_green.key_blocks')).rowCount).to.be.above(30);
  });

  it('drop drops the copy once, and not the others', async () => {
    // Only who may make schemas drops the schema itself.
    const administrator = { ...green(), DATABASE_URL: database.url };
    const first = await mdw(['drop', 'mdw_green'], administrator);
    const second = await mdw(['drop', 'mdw_green'], administrator);
    expect([first.stdout, second.stdout]).to.deep.equal([
      'Dropped schema mdw_green\n',
      'There is no schema mdw_green\n',
    ]);
    const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM mdw.key_blocks');
    expect(Number(rows[0]?.n)).to.equal(31);
  });
});
