import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { ask, testApi } from '../support/api.js';
import { asRole, emptyCopy } from '../support/roles.js';
import { startMdw } from '../support/mdw.js';
import { eventually, startPopulator } from '../support/populator.js';
import type { Populator } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { wrongClock } from '../support/wrong-clock.js';

const TEN_MINUTES = 600_000;

describe('programs whose clocks are ten minutes wrong', () => {
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'clocks', generations: 8, txsPerGeneration: 6, accounts: 4 } },
    });
  });
  after(async () => {
    await devnode.close();
    await database.close();
    await server.drop();
  });

  const atTop = (): Promise<unknown> =>
    eventually(
      () => readHead(database),
      (tip) => tip?.height === devnode.height(),
    );
  const queryRow = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row> =>
    (await database.query<Row>({ name: `test.${text.slice(0, 50)}`, text, values })).rows[0]!;

  it('load, report the state of the node and keep the lease, also when their clocks are set again', async () => {
    const start = (clock: number): Populator =>
      startPopulator({
        NODE_URL: devnode.externalUrl,
        DATABASE_URL: asRole(server.url, 'populate'),
        LEASE_SECONDS: '2',
        ...wrongClock(clock),
      });
    const first = start(TEN_MINUTES);
    await atTop();
    const second = start(-TEN_MINUTES);
    await second.says('Waiting: another process populates this database');
    first.process.kill('SIGUSR2');
    second.process.kill('SIGUSR2');
    await devnode.grow(3);
    await atTop();
    const { now } = await queryRow<{ now: Date }>('SELECT now()');
    await eventually(
      () => queryRow<{ fresh: boolean }>(`SELECT seen_at > $1::timestamptz + interval '3 s' AS fresh FROM chain`, now),
      ({ fresh }) => fresh,
    );
    const { holder } = await queryRow<{ holder: string }>('SELECT holder FROM writer');
    await second.end();
    await first.end();

    expect(Number(holder.split(':').at(-2))).to.equal(first.process.pid);
    expect(second.output()).not.to.contain('Took the lease');
  });

  it('answer like a program with the right clock, also when their clocks are set again', async () => {
    const right = await testApi(database);
    const wrong = await startServing(-TEN_MINUTES, devnode.externalUrl);
    const { time } = await queryRow<{ time: string }>('SELECT time FROM key_blocks WHERE height = 7');
    const { account } = await queryRow<{ account: string }>(
      `SELECT id AS account FROM lists JOIN entries ON list = key WHERE id LIKE 'ak%' ORDER BY ordinal DESC LIMIT 1`,
    );
    const rows = `/middleware/transactions/account/${account}`;
    const asked: [path: string, accept: string][] = [
      [`/middleware/height/at/${time}`, '*/*'],
      [rows, 'text/csv'],
      [rows, 'application/x-ndjson'],
      ['/readyz', '*/*'],
    ];
    const all = async (port: number): Promise<string[]> => {
      const bodies: string[] = [];
      for (const [path, accept] of asked) bodies.push((await ask(port, path, { headers: { accept } })).body);
      // No populator reports here: only the program asks the node for its height.
      return bodies.map((body) => body.replaceAll(/"(node_height|lag)":(\d+|null)/g, ''));
    };
    const age = async (port: number): Promise<number> =>
      (JSON.parse((await ask(port, '/middleware/status')).body) as { seconds_since_last_block: number })
        .seconds_since_last_block;

    const before = [await all(wrong.port), await age(wrong.port)];
    wrong.process.kill('SIGUSR2');
    const after = [await all(wrong.port), await age(wrong.port)];
    const expected = [await all(right.port), await age(right.port)];
    await right.close();
    await wrong.end();

    expect(expected[0]).to.satisfy(([, csv]: string[]) => csv!.split('\n').length > 5);
    for (const [answers, seconds] of [before, after]) {
      expect(answers).to.deep.equal(expected[0]);
      expect(seconds).to.be.closeTo(expected[1] as number, 5);
    }
  });

  it('retry a node that was away, although their clocks are set back meanwhile', async () => {
    const port = await freePort();
    const wrong = await startServing(TEN_MINUTES, `http://127.0.0.1:${port},${devnode.externalUrl}`);
    const answered = async (): Promise<number> => (await ask(wrong.port, '/v2/status')).status;
    const first = await answered();
    const back = createServer((_request, response) => response.writeHead(203).end()).listen(port, '127.0.0.1');
    await once(back, 'listening');
    wrong.process.kill('SIGUSR2');
    const later = await eventually(answered, (status) => status === 203);
    await wrong.end();
    back.closeAllConnections();
    back.close();

    expect([first, later]).to.deep.equal([200, 203]);
  });

  const startServing = async (clock: number, nodeUrl: string) => {
    const { process, saw, ended } = startMdw(['-s'], {
      NODE_URL: nodeUrl,
      DATABASE_URL: asRole(server.url, 'serve'),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      ...wrongClock(clock),
    });
    const [, port] = await saw(/"http":\{[^}]*"port":(\d+)/);
    const end = async (): Promise<void> => {
      process.kill('SIGTERM');
      expect((await ended).status).to.equal(0);
    };
    return { process, port: Number(port), end };
  };
});
