import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { createStreams } from '../../src/api/streams.js';
import type { Streams } from '../../src/api/streams.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const UNKNOWN = `/v2/transactions/${madeHash('th', 'unknown')}`;
const LIST = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;
/** More than are forwarded, or exported, at a time. */
const MANY_FORWARDED = 140;
const MANY_EXPORTS = 40;

const requestOf = (path: string, accept = 'application/json'): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\n\r\n`;

describe('clients that leave', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let answer: RequestListener;
  let streams: Streams;
  let api: TestApi;
  let blocker: pg.Client;
  const echo: RequestListener = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('"of the node"');
  };

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks([{}, { microBlocks: [[{}, {}]] }]));
    node = await fakeNode((req, res) => answer(req, res));
    streams = createStreams();
    api = await testApi(seeded.database, { nodeUrls: [node.url] }, { streams });
    blocker = await seeded.database.connect();
  });
  beforeEach(() => {
    answer = echo;
  });
  after(async () => {
    await blocker.end();
    await api.close();
    await node.close();
    await seeded.drop();
  });

  /** Opens a connection and sends these requests. */
  async function send(...requests: string[]): Promise<Socket> {
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(requests.join(''), resolve));
    return socket;
  }

  const leave = (sockets: readonly Socket[]): Promise<unknown> =>
    Promise.all(
      sockets.map((socket) => {
        const closed = once(socket, 'close');
        socket.resetAndDestroy();
        return closed;
      }),
    );

  /** Lets these requests wait for a table, and their clients leave meanwhile. */
  async function leaveBeforeRead(table: string, requests: readonly string[]): Promise<void> {
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const sockets = await Promise.all(requests.map((one) => send(one)));
    // Answered after the requests above were read.
    await ask(api.port, '/docs');
    await leave(sockets);
    await ask(api.port, '/docs');
    await blocker.query('ROLLBACK');
  }

  const statusesOf = (count: number, path: string, accept = 'application/json'): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async () => (await ask(api.port, path, { headers: { accept } })).status));

  it('while their transaction is looked up do not keep others from the node', async () => {
    await leaveBeforeRead(
      'transactions',
      Array.from({ length: MANY_FORWARDED }, () => requestOf(UNKNOWN)),
    );

    expect((await api.get('/v2/status')).status).to.equal(200);
    // All that may be forwarded at a time.
    expect(await statusesOf(100, '/v2/status')).to.deep.equal(Array<number>(100).fill(200));
    expect(streams.hasAny()).to.equal(false);
  });

  for (const accept of ['text/csv', 'application/x-ndjson']) {
    it(`while their export is read do not keep others from exports (${accept})`, async () => {
      await leaveBeforeRead(
        'lists',
        Array.from({ length: MANY_EXPORTS }, () => requestOf(LIST, accept)),
      );

      expect(await statusesOf(8, LIST, accept)).to.deep.equal(Array<number>(8).fill(200));
      await eventually(
        () => Promise.resolve(streams.hasAny()),
        (any) => !any,
      );
    });
  }

  it('with requests that wait behind another one of their connection do not keep others from the node', async () => {
    let asked = 0;
    answer = (req, res) => {
      asked += 1;
      if (req.url !== '/v2/first') echo(req, res);
    };
    const sockets = await Promise.all(
      Array.from({ length: 14 }, () => send(requestOf('/v2/first'), requestOf('/v2/second').repeat(9))),
    );
    await eventually(
      () => Promise.resolve(asked),
      (count) => count >= 14,
    );
    await ask(api.port, '/docs');
    await leave(sockets);

    answer = echo;
    await eventually(
      async () => (await api.get('/v2/status')).status,
      (status) => status === 200,
    );
    expect(await statusesOf(100, '/v2/status')).to.deep.equal(Array<number>(100).fill(200));
    expect(streams.hasAny()).to.equal(false);
  });

  it('with exports that wait behind another answer do not keep others from exports', async () => {
    answer = () => undefined;
    const sockets = await Promise.all(
      Array.from({ length: 9 }, () => send(requestOf('/v2/first'), requestOf(LIST, 'text/csv').repeat(4))),
    );
    await eventually(
      () => Promise.resolve(node.seen.filter(({ line }) => line === 'GET /v2/first').length),
      (count) => count >= 9,
    );
    await ask(api.port, LIST);
    await leave(sockets);

    expect(await statusesOf(8, LIST, 'text/csv')).to.deep.equal(Array<number>(8).fill(200));
    await eventually(
      () => Promise.resolve(streams.hasAny()),
      (any) => !any,
    );
  });
});

describe('exports at a time', () => {
  let seeded: SeededDatabase;
  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks([{}, { microBlocks: [Array.from({ length: 400 }, () => ({}))] }]));
  });
  after(() => seeded.drop());

  for (const [databasePoolSize, count] of [
    [1, 4],
    [2, 4],
    [3, 4],
    [10, 8],
    [10, 32],
    [2, 32],
  ] as const) {
    it(`are all answered with ${databasePoolSize} connections to the database: ${count}`, async () => {
      const api = await testApi(seeded.database, { databasePoolSize });
      try {
        const paths = [LIST, '/middleware/transactions/interval/0/1', '/middleware/names'];
        const replies = await Promise.all(
          Array.from({ length: count }, (_, i) =>
            ask(api.port, paths[i % paths.length]!, {
              headers: { accept: i % 2 === 0 ? 'text/csv' : 'application/x-ndjson' },
            }),
          ),
        );
        expect(replies.map(({ status }) => status)).to.deep.equal(Array<number>(count).fill(200));
        for (const [i, { body }] of replies.entries())
          if (i % 3 !== 2) expect(body.trimEnd().split('\n')).to.have.length(i % 2 === 0 ? 401 : 400);
      } finally {
        await api.close();
      }
    });
  }
});
