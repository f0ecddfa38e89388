import { expect } from 'chai';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { mdw, startMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';

const LOCAL = { HTTP_ADDRESS: '127.0.0.1:0', METRICS_ADDRESS: '127.0.0.1:0', WEBSOCKET_ADDRESS: '127.0.0.1:0' };

describe('the roles of a process', () => {
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let env: Record<string, string>;
  let client: pg.Client;

  before(async () => {
    database = await testDatabase();
    node = await replayServer();
    env = { NODE_URL: node.url, DATABASE_URL: database.url, ...LOCAL };
    client = new pg.Client({ connectionString: database.url, options: '-c search_path=mdw' });
    await client.connect();
  });

  after(async () => {
    await client.end();
    await node.close();
    await database.drop();
  });

  it('verifies nothing in a database that was never migrated', async () => {
    const { status, stderr } = await mdw(['-v'], { ...env, LOG_LEVEL: 'silent' });

    expect(status).to.equal(78);
    expect(stderr).to.match(/^mdw: The database lacks migration .*mdw migrate.*\n$/);
  });

  it('migrates once and says so', async () => {
    const first = await mdw(['migrate'], env);
    const second = await mdw(['migrate', '--json'], env);

    expect(first)
      .to.include({ status: 0 })
      .and.property('stdout')
      .to.match(/^Applied 0001/);
    expect(second).to.deep.equal({ status: 0, stdout: '{"applied":[]}\n', stderr: '' });
  });

  it('loads only the given heights without other roles, and ends', async () => {
    const { status, stderr } = await mdw(['-H', '0-2,5'], env);

    expect(stderr).to.contain('Replaced 4 of 4 heights (0-2,5)');
    expect(status).to.equal(0);
    const { rows } = await client.query<{ height: string }>('SELECT height FROM key_blocks ORDER BY height');
    expect(rows.map(({ height }) => Number(height))).to.deep.equal([0, 1, 2, 5]);
  });

  it('continues after a height that fails, and ends with status 1', async () => {
    const { status, stderr } = await mdw(['-H6,900,7'], env);

    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^Height 900 failed: .*$/m)
      .and.contain('Replaced 2 of 3 heights');
  });

  it('loads no code of the populator to serve', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-loaded-'));
    // At the end of the process, lists each file that was executed.
    const running = startMdw(['-s'], { ...env, NODE_V8_COVERAGE: folder });
    await running.saw(/"msg":"Listening"/);
    running.process.kill('SIGTERM');
    await running.ended;
    const files = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url);
    });
    rmSync(folder, { recursive: true });

    expect(files.filter((url) => url.endsWith('/dist/src/cli/roles.js'))).to.have.length(1);
    const unneeded = /\/dist\/src\/(populate|store\/(write|verify))\/|\/@oclif\/core\/lib\/index\.js$/;
    expect(files.filter((url) => unneeded.test(url))).to.deep.equal([]);
  });

  it('populates and serves at once, and drains on SIGTERM', async () => {
    const running = startMdw(['-ps'], env);
    const [, port] = await running.saw(/"http":\{[^}]*"port":(\d+)/);
    await running.saw(/Caught up with the node/);

    const status = (await (await fetch(`http://127.0.0.1:${port}/middleware/status`)).json()) as {
      queue_length: number;
    };
    const forwarded = await fetch(`http://127.0.0.1:${port}/v2/status`);
    running.process.kill('SIGTERM');
    const end = await running.ended;

    expect(status.queue_length).to.equal(0);
    expect(forwarded.status).to.equal(200);
    expect(end.stdout).to.contain('"reason":"SIGTERM"');
    expect({ status: end.status, stderr: end.stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('verifies the whole chain from the head down: one line a height, status 0', async () => {
    const { status, stdout, stderr } = await mdw(['-v'], env);

    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).to.equal(`Height ${lines.length - 1} OK`);
    expect(lines.at(-1)).to.equal('Height 0 OK');
    expect(lines.every((line) => /^Height \d+ OK$/.test(line))).to.equal(true);
    expect(stderr).to.contain(`${lines.length} heights verified, all OK`);
    expect(status).to.equal(0);
  });

  it('reports the height whose data was changed, with status 1, and -H repairs it', async () => {
    await client.query(`UPDATE transactions SET body = overlay(body placing '!' from length(body) / 2 for 1)
      WHERE position = (SELECT max(position) FROM transactions)`);
    const { rows } = await client.query<{ height: string }>('SELECT max(position) >> 33 AS height FROM transactions');
    const height = Number(rows[0]?.height);

    const found = await mdw(['-v', `${height - 1}-${height}`], env);
    const asJson = await mdw(['--json', '-v', String(height)], env);
    const folder = mkdtempSync(join(tmpdir(), 'mdw-roles-'));
    const only = { TERMINATION_LOG: join(folder, 'log'), TERMINATION_LOG_ONLY: 'true' };
    const written = await mdw(['-v', String(height)], { ...env, ...only });
    const words = JSON.parse(readFileSync(only.TERMINATION_LOG, 'utf8')) as object;
    const unwritten = await mdw(['-v', String(height)], {
      ...env,
      ...only,
      TERMINATION_LOG: join(folder, 'no', 'log'),
    });
    rmSync(folder, { recursive: true });
    const mended = await mdw([`-H${height}`, '-v', String(height)], env);

    expect(found.status).to.equal(1);
    expect(found.stdout).to.match(new RegExp(`^Height ${height} not OK: .+\nHeight ${height - 1} OK\n$`));
    expect(JSON.parse(asJson.stdout)).to.include({ height, ok: false }).and.have.property('reason');
    expect(written.status, 'the message is enough').to.equal(0);
    expect(words).to.include({ ok: false, code: 'differs', differing: String(height) });
    expect(unwritten.status).to.equal(1);
    expect(mended).to.include({ status: 0, stdout: `Height ${height} OK\n` });
  });

  it('serves metrics and health of a populator', async () => {
    const running = startMdw(['-p'], env);
    const [, port] = await running.saw(/"metrics":\{[^}]*"port":(\d+)/);

    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    running.process.kill('SIGINT');

    expect(metrics).to.contain('mdw_build_info{version="1.0.0"').and.contain('mdw_writer_role');
    expect((await running.ended).status).to.equal(0);
  });

  it('says in one line that an address is in use, with status 75', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;

    for (const [args, variable] of [
      [['-s'], 'HTTP_ADDRESS'],
      [['-ps'], 'METRICS_ADDRESS'],
      [['-p'], 'METRICS_ADDRESS'],
    ] as [string[], string][]) {
      const { status, stderr } = await mdw(args, { ...env, [variable]: address, LOG_LEVEL: 'silent' });
      expect(status).to.equal(75);
      expect(stderr).to.equal(`mdw: ${variable} ${address} is in use\n`);
    }
    holder.close();
  });

  it('does not populate from a node that cannot be reached, and serves without it', async () => {
    const alone = { ...env, NODE_URL: 'http://127.0.0.1:1' };
    const { status, stderr } = await mdw(['-p', '--no-wait'], { ...alone, LOG_LEVEL: 'silent' });
    expect(status).to.equal(75);
    expect(stderr).to.match(/^mdw: node http:\/\/127\.0\.0\.1:1.*\n$/);

    const server = startMdw(['-s'], alone);
    const [, port] = await server.saw(/"http":\{[^}]*"port":(\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/v2/key-blocks/height/3`)).status).to.equal(200);
    server.process.kill('SIGTERM');
    expect((await server.ended).status).to.equal(0);
  });

  it('refuses a database that holds another network, with status 78', async () => {
    await client.query(`UPDATE chain SET network_id = 'ae_other'`);

    for (const flag of ['-p', '-s', '-v']) {
      const { status, stderr } = await mdw([flag], { ...env, LOG_LEVEL: 'silent' });
      expect(status).to.equal(78);
      expect(stderr).to.match(/^mdw: .*ae_other.*\n$/);
    }
    await client.query('UPDATE chain SET network_id = NULL, genesis_hash = NULL');
  });

  it('refuses a database that is newer, with status 78', async () => {
    await client.query(`INSERT INTO migrations (name) VALUES ('9999_tomorrow')`);

    const { status, stderr } = await mdw(['-s'], { ...env, LOG_LEVEL: 'silent' });

    expect(status).to.equal(78);
    expect(stderr).to.match(/^mdw: The database was migrated by a newer version .*9999_tomorrow.*\n$/);
    await client.query(`DELETE FROM migrations WHERE name = '9999_tomorrow'`);
  });

  it('says which right is missing, with status 78', async () => {
    await client.query(`CREATE ROLE guest_${process.pid} LOGIN PASSWORD 'guest'`);
    const url = new URL(database.url);
    Object.assign(url, { username: `guest_${process.pid}`, password: 'guest' });

    const { status, stderr } = await mdw(['migrate'], { ...env, DATABASE_URL: url.href, DATABASE_SCHEMA: 'other' });
    await client.query(`DROP ROLE guest_${process.pid}`);

    expect(status).to.equal(78);
    expect(stderr).to.match(/^mdw: database: permission denied .*\n$/);
  });
});
