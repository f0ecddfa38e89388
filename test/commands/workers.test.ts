import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { goLive } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { ask, fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { connect } from '../support/events.js';
import type { TestClient } from '../support/events.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy } from '../support/roles.js';
import { append, madeBlocks, madeHash } from '../support/seed.js';

const ALICE = madeHash('ak', 'alice');
const COUNT = `/middleware/transactions/account/${ALICE}/count`;
const EXPORT = `/middleware/transactions/account/${ALICE}`;
/** More than the buffers between two processes hold. */
const ROWS = 20_000;
const GENERATIONS = 100;
const TWO_WORKERS = ['-s', '--workers', '2'];

describe('mdw -s --workers', () => {
  let database: TestDatabase;
  let writer: Database;
  let node: FakeNode;
  let running: RunningMdw | undefined;

  before(async () => {
    database = await testDatabase();
    writer = await emptyCopy(database.url);
    const chain = Array.from({ length: GENERATIONS }, () => ({
      microBlocks: [Array.from({ length: ROWS / GENERATIONS }, () => ({}))],
    }));
    await append(writer, null, madeBlocks([...chain, { microBlocks: [] }]));
    await goLive(writer);
    node = await fakeNode((_req, res) => void res.writeHead(404).end());
  });
  after(async () => {
    await writer.close();
    await node.close();
    await database.drop();
  });
  afterEach(async () => {
    running?.process.kill('SIGKILL');
    await running?.ended;
  });

  const settings = async (env: Record<string, string> = {}): Promise<Record<string, string>> => ({
    // A fixed port: with port 0, another one would be used after all workers have ended.
    HTTP_ADDRESS: `127.0.0.1:${await freePort()}`,
    METRICS_ADDRESS: '127.0.0.1:0',
    WEBSOCKET_ADDRESS: '127.0.0.1:0',
    NODE_URL: node.url,
    DATABASE_URL: asRole(database.url, 'serve'),
    ...env,
  });

  async function serve(env: Record<string, string> = {}) {
    running = startMdw(TWO_WORKERS, await settings(env));
    const line = /"http":\{[^}]*"port":(\d+)\}(?:,"websocket":\{[^}]*\})?,"metrics":\{[^}]*"port":(\d+)/;
    const [, http, metrics] = await running.saw(line);
    return { running, http: Number(http), metrics: Number(metrics) };
  }

  const workersOf = (pid: number | undefined): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

  const metric = async (port: number, series: string): Promise<number[]> =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith(`${series} `))
      .map((line) => Number(line.split(' ').at(-1)));

  async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await pause(50);
  }

  const subscribed = (client: TestClient): Promise<boolean> =>
    Promise.race([
      client.ask({ op: 'subscribe', payload: 'key_blocks' }).then(() => true),
      client.closed.then(() => false),
    ]);

  const isGone = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return true;
    }
  };

  it('shares the addresses, and sums up the metrics of all workers', async () => {
    const { running, http, metrics } = await serve();
    expect(workersOf(running.process.pid)).to.have.lengthOf(2);
    for (let i = 0; i < 10; i++) expect((await ask(http, COUNT)).body).to.equal(`{"count":${ROWS}}`);

    expect(await metric(metrics, 'mdw_database_height')).to.deep.equal([GENERATIONS]);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).to.match(/^mdw_build_info\{[^}]*\} 1$/m);
    const counted = /^mdw_http_requests_total\{route="[^"]*\/count"[^}]*\} (\d+)$/m;
    expect(counted.exec(text)?.[1]).to.equal('10');
  });

  it('keeps what a worker counted when it ends or does not answer, so that counters never go back', async () => {
    const { running, http, metrics } = await serve();
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      return Number(/^mdw_http_requests_total\{route="[^"]*\/count"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    for (let i = 0; i < 10; i++) expect((await ask(http, COUNT)).status).to.equal(200);
    expect(await counted()).to.equal(10);

    const first = workersOf(running.process.pid);
    for (const pid of first) process.kill(pid, 'SIGSTOP');
    const whileStopped = await counted();
    for (const pid of first) process.kill(pid, 'SIGKILL');
    expect(whileStopped).to.equal(10);
    await running.saw(/"msg":"A worker ended; another one is started"/);
    expect(await counted()).to.equal(10);
    // The first process may not know yet that the other worker has ended, too, and still call itself ready.
    await eventually(async () => (await ask(http, COUNT).catch(() => undefined))?.status === 200);
    await eventually(async () => (await counted()) === 11);
    expect(await metric(metrics, 'mdw_websocket_connections')).to.deep.equal([0]);
  });

  it('counts the requests and connections of a client wherever they arrive', async () => {
    const { running, http } = await serve({ RATE_LIMIT_PER_SECOND: '10', WEBSOCKET_MAX_PER_ADDRESS: '3' });
    const begun = performance.now();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(http, COUNT)));
    const refilled = ((performance.now() - begun) / 1000) * 10;
    const allowed = replies.filter(({ status }) => status === 200).length;
    expect(replies.filter(({ status }) => status === 429)).to.have.lengthOf(60 - allowed);
    expect(allowed).to.be.within(10, 11 + refilled);

    const url = `ws://127.0.0.1:${http}/websocket`;
    // The requests above count for handshakes, too.
    const allowedSoon = async (): Promise<TestClient> => {
      let client: TestClient | undefined;
      await eventually(async () => (client = await connect(url).catch(() => undefined)) !== undefined);
      return client!;
    };
    const clients = await Promise.all(Array.from({ length: 3 }, allowedSoon));
    expect(await Promise.all(clients.map(subscribed))).to.deep.equal([true, true, true]);
    expect((await (await allowedSoon()).closed).code).to.equal(1013);

    // The connections of a worker are no longer counted when it ends.
    for (const pid of workersOf(running.process.pid)) process.kill(pid, 'SIGKILL');
    await Promise.all(clients.map(({ closed }) => closed));
    await eventually(async () => {
      const again = await connect(url).catch(() => undefined);
      return again !== undefined && (await subscribed(again));
    });
  });

  it('replaces a worker that ends, and is ready again when one serves', async () => {
    const { running, http, metrics } = await serve();
    const first = workersOf(running.process.pid);
    process.kill(first[0]!, 'SIGKILL');
    await running.saw(/"msg":"A worker ended; another one is started"/);
    expect((await fetch(`http://127.0.0.1:${metrics}/readyz`)).status).to.equal(200);
    expect((await ask(http, COUNT)).status).to.equal(200);

    process.kill(first[1]!, 'SIGKILL');
    await eventually(() => {
      const pids = workersOf(running.process.pid);
      return pids.length === 2 && !pids.some((pid) => first.includes(pid));
    });
    await eventually(async () => (await fetch(`http://127.0.0.1:${metrics}/readyz`)).ok);
    expect((await ask(http, COUNT)).status).to.equal(200);
  });

  it('closes or answers every connection while workers are killed', async () => {
    const { running, http } = await serve();
    let killing = true;
    const client = async (): Promise<void> => {
      while (killing) await ask(http, COUNT).catch(() => pause(5));
    };
    const clients = Promise.all(Array.from({ length: 16 }, client));
    for (let i = 0; i < 4; i++) {
      const [killed] = workersOf(running.process.pid);
      process.kill(killed!, 'SIGKILL');
      await eventually(() => {
        const pids = workersOf(running.process.pid);
        return pids.length === 2 && !pids.includes(killed!);
      });
    }
    killing = false;
    await clients;
  });

  it('answers with committed data and sends its events in every worker', async () => {
    const { http } = await serve();
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(`ws://127.0.0.1:${http}/websocket`)));
    for (const client of clients) await client.ask({ op: 'subscribe', payload: 'key_blocks' });
    // The answer is cached in both.
    for (let i = 0; i < 6; i++) expect((await ask(http, COUNT)).body).to.equal(`{"count":${ROWS}}`);

    const head = madeHash('kh', `${GENERATIONS} at ${GENERATIONS * 60_000}`);
    await append(writer, head, madeBlocks([{ microBlocks: [[{}]] }], GENERATIONS + 1, head));
    await Promise.all(clients.map((client) => client.until(() => client.events().length === 1)));
    for (let i = 0; i < 6; i++) expect((await ask(http, COUNT)).body).to.equal(`{"count":${ROWS + 1}}`);
    for (const client of clients) await client.close();
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`drains all workers after ${signal}: long answers are complete`, async () => {
      const { running, http, metrics } = await serve();
      const workers = workersOf(running.process.pid);
      const agent = new Agent();
      const exports = await Promise.all(
        Array.from({ length: 2 }, async () => {
          const sent = request({ port: http, path: EXPORT, headers: { accept: 'application/x-ndjson' }, agent }).end();
          const [answer] = (await once(sent, 'response')) as [IncomingMessage];
          return answer.pause();
        }),
      );
      running.process.kill(signal);
      await running.saw(/"msg":"Stopping"/);
      expect((await fetch(`http://127.0.0.1:${metrics}/readyz`)).status).to.equal(503);
      expect(await metric(metrics, 'mdw_database_height')).to.have.lengthOf(1);

      for (const answer of exports) {
        let text = '';
        for await (const chunk of answer) text += String(chunk);
        expect(text.trimEnd().split('\n').length).to.be.at.least(ROWS);
      }
      expect((await running.ended).status).to.equal(0);
      expect(workers.every(isGone)).to.equal(true);
    });
  }

  it('ends soon after SIGTERM while its workers are still starting', async () => {
    const starting = startMdw(TWO_WORKERS, await settings());
    running = starting;
    await eventually(() => workersOf(starting.process.pid).length === 2);
    starting.process.kill('SIGTERM');
    expect((await starting.ended).status).to.equal(0);
  });

  it('drains also when a terminal sends the signal to all its processes', async () => {
    const { running, http } = await serve();
    const workers = workersOf(running.process.pid);
    const sent = request({ port: http, path: EXPORT, headers: { accept: 'application/x-ndjson' } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.pause();
    // A busy worker reads the message of the first process before its own signal.
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    for (const pid of [running.process.pid!, ...workers]) process.kill(pid, 'SIGINT');
    await running.saw(/"msg":"Stopping"/);
    await pause(200);
    for (const pid of workers) process.kill(pid, 'SIGCONT');
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    expect(text.trimEnd().split('\n').length).to.be.at.least(ROWS);
    expect((await running.ended).status).to.equal(0);
  });

  it('leaves no worker behind when it is killed', async () => {
    const { running } = await serve();
    const workers = workersOf(running.process.pid);
    running.process.kill('SIGKILL');
    await eventually(() => workers.every(isGone));
  });

  it('ends with the status of a worker that cannot start, and says why once', async () => {
    const { http } = await serve();
    const second = await mdw(TWO_WORKERS, await settings({ HTTP_ADDRESS: `127.0.0.1:${http}` }));
    expect(second.status).to.equal(75);
    expect(second.stderr).to.contain(`HTTP_ADDRESS 127.0.0.1:${http} is in use`);
  });

  it('is allowed with -s alone, and runs in the background with -d', async () => {
    for (const args of [['-ps'], ['-s', '-H', '1'], ['-v']]) {
      const { status, stderr } = await mdw([...args, '--workers', '2'], await settings());
      expect([status, stderr]).to.deep.equal([2, 'mdw: --workers goes with -s alone\nTry mdw --help.\n']);
    }
    const folder = mkdtempSync(join(tmpdir(), 'mdw-workers-'));
    const pidFile = join(folder, 'mdw.pid');
    const { status, stderr } = await mdw(
      ['-d', ...TWO_WORKERS],
      await settings({ PID_FILE: pidFile, LOG_DIR: folder }),
    );
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const workers = workersOf(pid);
    expect(workers).to.have.lengthOf(2);
    process.kill(pid, 'SIGTERM');
    await eventually(() => [pid, ...workers].every(isGone));
    rmSync(folder, { recursive: true });
  });
});
