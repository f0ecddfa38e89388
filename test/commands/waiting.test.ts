import { expect } from 'chai';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { eventually } from '../cluster/support/eventually.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { replayServer } from '../support/replay-server.js';
import { asRole, migrateCopy } from '../support/roles.js';
import { GIVE_UP_MS } from '../support/patience.js';

interface Readiness {
  status: number;
  ready: boolean;
  reason?: string;
  code?: string;
}

const READY = { status: 200, ready: true };

describe('a process that starts while database or node is away', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-waiting-'));
  const words = join(folder, 'words');
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let toDatabase: Relay;
  let toNode: Relay;
  let env: Record<string, string>;
  let probes: string;
  const started: RunningMdw[] = [];
  const start = (args: readonly string[], variables = env): RunningMdw => {
    const running = startMdw([...args], variables);
    started.push(running);
    return running;
  };

  before(async () => {
    database = await testDatabase();
    for (const schema of ['mdw', 'done', 'empty']) await migrateCopy(database.url, schema);
    node = await replayServer();
    toDatabase = await startRelay(database.url.replace(/^postgres(ql)?:/, 'http:'));
    toNode = await startRelay(node.url);
    probes = `127.0.0.1:${await freePort()}`;
    const url = new URL(asRole(database.url, 'populate'));
    url.port = new URL(toDatabase.url).port;
    env = {
      NODE_URL: toNode.url,
      DATABASE_URL: url.href,
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: probes,
      PROGRESS_ADDRESS: probes,
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      TERMINATION_LOG: words,
    };
  });
  after(async () => {
    await Promise.all([toDatabase.shut(), toNode.shut()]);
    await node.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const running of started.splice(0)) running.process.kill('SIGKILL');
    for (const relay of [toDatabase, toNode]) {
      await relay.shut();
      await relay.open();
    }
  });

  const ask = async (path: string): Promise<Readiness> => {
    const answer = await fetch(`http://${probes}${path}`);
    return { status: answer.status, ...((await answer.json()) as Omit<Readiness, 'status'>) };
  };
  const waitsFor = (code: string): Promise<Readiness> =>
    eventually(async () => {
      const readiness = await ask('/readyz');
      expect(readiness).to.include({ status: 503, ready: false, code });
      return readiness;
    });

  for (const args of [['-p'], ['-s'], ['-ps']]) {
    it(`${args.join(' ')} is alive and not ready, reports that it waits for the database, and starts when it is back`, async () => {
      await toDatabase.shut();
      const running = start(args, env);
      const { reason } = await waitsFor('database_unreachable');
      const alive = await ask('/healthz');
      const metrics = await fetch(`http://${probes}/metrics`);
      await toDatabase.open();
      await eventually(async () => expect(await ask('/readyz')).to.include(READY));
      running.process.kill('SIGTERM');
      const { status, stdout, stderr } = await running.ended;

      const { host } = new URL(env['DATABASE_URL']!);
      expect(reason).to.equal(`waiting for the database ${host}: connect ECONNREFUSED ${host}`);
      expect([alive.status, metrics.status]).to.deep.equal([200, 200]);
      expect(stderr).to.match(/^mdw: waiting for the database .*\n$/);
      expect(stdout).to.contain('"msg":"Waiting"').and.contain('"msg":"Reached the database or node"');
      expect(status).to.equal(0);
    });
  }

  it('-p waits for the node; -s and -ps serve without it', async () => {
    await toNode.shut();
    const running = start(['-p'], env);
    const { reason } = await waitsFor('node_unreachable');
    await toNode.open();
    await eventually(async () => expect(await ask('/readyz')).to.include(READY));
    running.process.kill('SIGTERM');
    await running.ended;

    expect(reason).to.match(new RegExp(`^waiting for the node ${toNode.url}\\b.*ECONNREFUSED`));
    await toNode.shut();
    for (const flag of ['-s', '-ps']) {
      const serving = start([flag], env);
      await eventually(async () => expect(await ask('/readyz')).to.include(READY));
      serving.process.kill('SIGTERM');
      expect((await serving.ended).status).to.equal(0);
    }
  });

  for (const [args, done] of [
    [['migrate', '--node'], /Nothing to apply/],
    [['-H', '0-2'], /Replaced 3 of 3 heights/],
    [['-v', '0-2'], /3 heights verified, all OK/],
    [['-H', '0-2', '-v', '0-2'], /3 heights verified, all OK/],
  ] as const) {
    it(`${args.join(' ')} reports under PROGRESS_ADDRESS what it waits for, and does its work when that is back`, async () => {
      expect((await mdw(['-H', '0-2'], { ...env, DATABASE_SCHEMA: 'done' })).status).to.equal(0);
      await Promise.all([toDatabase.shut(), toNode.shut()]);
      const running = start(args, { ...env, DATABASE_SCHEMA: 'done' });
      await waitsFor('database_unreachable');
      expect((await ask('/healthz')).status).to.equal(200);
      await toDatabase.open();
      // A database that holds a chain is migrated without its node.
      if (args[0] !== 'migrate') await waitsFor('node_unreachable');
      await toNode.open();
      const { status, stdout, stderr } = await running.ended;

      expect(stdout + stderr).to.match(done);
      expect(status).to.equal(0);
    });
  }

  it('ends at once with 75 with --no-wait', async () => {
    await Promise.all([toDatabase.shut(), toNode.shut()]);
    const all = { ...env, LOG_LEVEL: 'silent' };
    for (const args of [['-p'], ['-s'], ['-ps'], ['-H', '1'], ['-v', '1'], ['migrate', '--node']]) {
      const { status, stderr } = await mdw([...args, '--no-wait'], all);
      expect(status, args.join(' ')).to.equal(75);
      expect(stderr).to.match(/^mdw: database: .*ECONNREFUSED.*\n$/);
    }
    await toDatabase.open();
    for (const args of [['-p'], ['-H', '1'], ['-v', '1'], ['migrate', '--node']] as const) {
      const { status, stderr } = await mdw([...args, '--no-wait'], { ...all, DATABASE_SCHEMA: 'empty' });
      expect(status, args.join(' ')).to.equal(75);
      expect(stderr).to.match(/^mdw: node http:.*ECONNREFUSED.*\n$/);
    }
  });

  it('ends with 78 when what it waited for is back but has a fault that needs a person', async () => {
    await toDatabase.shut();
    const url = new URL(env['DATABASE_URL']!);
    Object.assign(url, { username: `nobody_${process.pid}`, password: 'hush' });
    const all = { ...env, DATABASE_URL: url.href };
    const running = start(['-p'], all);
    const { reason } = await waitsFor('database_unreachable');
    await toDatabase.open();
    const { status, stdout, stderr } = await running.ended;

    expect(status).to.equal(78);
    expect(stderr.split('\n').at(-2)).to.match(/^mdw: database: .*nobody_/);
    expect(`${reason}${stdout}${stderr}`).to.not.contain('hush');
  });

  it('ends at once on a signal, also while the database does not answer: with 0, or 75 if its work is not done', async () => {
    const sockets = createServer().listen(0, '127.0.0.1');
    await once(sockets, 'listening');
    const silent = new URL(env['DATABASE_URL']!);
    silent.port = String((sockets.address() as AddressInfo).port);
    await toDatabase.shut();
    for (const [args, expected] of [
      [['-p'], 0],
      [['-s'], 0],
      [['-ps'], 0],
      [['-v'], 75],
      [['migrate'], 75],
    ] as const) {
      // What a signal ended has failed, also where the message of any other fault is enough.
      const refused = start(args, { ...env, TERMINATION_LOG_ONLY: 'true' });
      await waitsFor('database_unreachable');
      refused.process.kill('SIGTERM');
      expect((await refused.ended).status, args.join(' ')).to.equal(expected);

      const mute = start(args, { ...env, DATABASE_URL: silent.href });
      const connected = once(sockets, 'connection');
      await connected;
      mute.process.kill('SIGTERM');
      const ended = await Promise.race([mute.ended, once(AbortSignal.timeout(GIVE_UP_MS), 'abort')]);
      mute.process.kill('SIGKILL');
      expect(ended, `${args.join(' ')}, without an answer`).to.include({ status: expected });
    }
    sockets.close();
  });

  it('-d prints what the process waits for and returns; the process starts when that is back', async () => {
    await toDatabase.shut();
    const pidFile = join(folder, 'pid');
    const { status, stderr } = await mdw(['-ds'], { ...env, PID_FILE: pidFile, LOG_DIR: join(folder, 'logs') });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const { reason } = await waitsFor('database_unreachable');
    await toDatabase.open();
    await eventually(async () => expect(await ask('/readyz')).to.include(READY));
    process.kill(pid, 'SIGTERM');
    await eventually(() => Promise.resolve(expect(existsSync(pidFile)).to.equal(false)));

    expect({ status, stderr }).to.deep.equal({
      status: 0,
      stderr: `mdw: process ${pid} continues in the background, ${reason}\n`,
    });
  });
});
