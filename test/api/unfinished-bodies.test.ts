import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { MAX_UNFINISHED } from '../../src/api/bodies.js';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { append, emptyDatabase, madeBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const VERIFY = '/middleware/contracts/verify';
const POSTED = '/v2/transactions';
const JSON_BODY = { 'content-type': 'application/json' };
const MEGABYTE = 1024 * 1024;

describe('bodies that do not end', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks([{}]));
    node = await fakeNode((_req, res) => res.end('"of the node"'));
    api = await testApi(seeded.database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  /** Sends all of a body but its last byte. Resolves with its connection when the server has the body. */
  async function sendUnfinished(path: string, bytes: number): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const answer = once(socket, 'close').then(() => text);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(Buffer.alloc(bytes - 1, ' '), resolve));
    return { socket, answer };
  }

  const verify = async (): Promise<number> =>
    (await api.get(VERIFY, { method: 'POST', headers: JSON_BODY, body: '{}' })).status;
  const post = async (): Promise<number> =>
    (await api.get(POSTED, { method: 'POST', headers: JSON_BODY, body: '{"tx":"tx_"}' })).status;

  for (const [path, bytes] of [
    [VERIFY, MEGABYTE],
    [POSTED, 64 * 1024],
  ] as const) {
    it(`have one limit; above it bodies are refused until some have ended (${path})`, async () => {
      const all = await Promise.all(
        Array.from({ length: Math.ceil((MAX_UNFINISHED * 1.25) / bytes) }, () => sendUnfinished(path, bytes)),
      );
      const refused: string[] = [];
      for (const { answer } of all) void answer.then((text) => text !== '' && refused.push(text));
      await eventually(
        () => Promise.resolve(refused.length),
        (count) => count >= all.length - MAX_UNFINISHED / (bytes - 1),
      );
      for (const text of refused) {
        expect(text).to.match(/^HTTP\/1.1 503 /);
        expect(text.toLowerCase()).to.contain('\r\nretry-after: ').and.contain('\r\nconnection: close');
      }
      // Requests without a body are answered as before.
      expect((await api.get('/middleware/count/current')).status).to.equal(200);
      expect((await api.get('/v2/status')).status).to.equal(200);

      for (const { socket } of all) socket.resetAndDestroy();
      await Promise.all(all.map(({ answer }) => answer));
      await eventually(verify, (status) => status === 422);
      // All places are free again.
      const again = await Promise.all(
        Array.from({ length: Math.floor((MAX_UNFINISHED * 0.9) / bytes) }, () => sendUnfinished(path, bytes)),
      );
      expect([await verify(), await post()]).to.deep.equal([422, 200]);
      for (const { socket } of again) socket.resetAndDestroy();
      await Promise.all(again.map(({ answer }) => answer));
    });
  }
});

describe('sources that wait for the compiler', () => {
  let seeded: SeededDatabase;
  let compiler: TestServer;
  let api: TestApi;
  /** Ends the answers of the compiler. */
  let go: () => void = () => undefined;
  let asked = 0;
  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks([{}]));
    const going = new Promise<void>((resolve) => (go = resolve));
    compiler = await startServer(async (_request, response) => {
      asked += 1;
      await going;
      reply(response, 200, '{"Compilers":[{"version":"8.0.0"}]}');
    });
    api = await testApi(seeded.database, { compilerUrls: [compiler.url] });
  });
  after(async () => {
    go();
    await api.close();
    await compiler.close();
    await seeded.drop();
  });

  it('are limited, and do not keep others from the database', async () => {
    const body = JSON.stringify({ contract_id: 'ct_', source: '', compiler: '8.0.0' });
    const statuses: number[] = [];
    const all = Array.from({ length: 60 }, async () => {
      const { status } = await api.get(VERIFY, { method: 'POST', headers: JSON_BODY, body });
      statuses.push(status);
    });
    await eventually(
      () => Promise.resolve(statuses.length),
      (count) => count >= 20,
    );
    expect(new Set(statuses)).to.deep.equal(new Set([503]));
    expect(asked).to.be.within(1, 8);
    expect((await api.get('/middleware/count/current')).status).to.equal(200);
    go();
    await Promise.all(all);
    expect(new Set(statuses)).to.deep.equal(new Set([503, 200]));
  });
});
