import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy } from '../support/roles.js';
import { append, madeBlocks } from '../support/seed.js';

/** Answers of the response cache, of the database, and of the node. */
const PATHS = ['/middleware/size/current', '/middleware/names?limit=1&page=1', '/v2/status'];
const CLIENTS = 60;
/** Max time between two requests of a client, ms. */
const REST_MS = 50;

describe('connections that clients keep, when their server ends', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let node: FakeNode;
  let running: RunningMdw | undefined;

  before(async () => {
    database = await testDatabase();
    const writer = await emptyCopy(database.url);
    await append(writer, null, madeBlocks([{}, { microBlocks: [[{}]] }]));
    await writer.close();
    node = await fakeNode((_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('"node"'));
  });
  after(async () => {
    running?.process.kill('SIGKILL');
    await node.close();
    await database.drop();
  });

  for (const [what, role] of [
    ['one process', ['-s']],
    ['two workers', ['-s', '--workers', '2']],
  ] as const)
    it(`are closed by an answer, and no request is lost: ${what}`, async () => {
      running = startMdw([...role], {
        NODE_URL: node.url,
        DATABASE_URL: asRole(database.url, 'serve'),
        HTTP_ADDRESS: '127.0.0.1:0',
        METRICS_ADDRESS: '127.0.0.1:0',
        WEBSOCKET_ADDRESS: '127.0.0.1:0',
      });
      const port = Number((await running.saw(/"http":\{[^}]*"port":(\d+)/))[1]);
      let answers = 0;

      /** Sends requests on one connection, one after the other, until an answer says that it closes. */
      const client = async (n: number): Promise<'closed by an answer'> => {
        const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay();
        const lost = once(socket, 'close').then(() => Promise.reject(new Error(`lost after ${answers} answers`)));
        lost.catch(() => undefined);
        for (let i = n; ; i++) {
          socket.write(`GET ${PATHS[i % PATHS.length]} HTTP/1.1\r\nHost: test\r\n\r\n`);
          let text = '';
          while (!isComplete(text)) text += String((await Promise.race([once(socket, 'data'), lost]))[0]);
          answers += 1;
          expect(text).to.match(/^HTTP\/1\.1 200 /);
          if (/^connection: close\r$/im.test(text)) return 'closed by an answer';
          await pause(Math.random() * REST_MS);
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_, n) => client(n).catch((error: Error) => error.message));
      await eventually(
        () => Promise.resolve(answers),
        (count) => count > 10 * CLIENTS,
      );
      running.process.kill('SIGTERM');
      const ends = await Promise.all(clients);
      const { status } = await running.ended;

      const lost = ends.filter((end) => end !== 'closed by an answer');
      expect(lost).to.deep.equal([]);
      expect(status).to.equal(0);
    });
});

/** Whether a text is a whole answer. */
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const body = text.slice(end + 4);
  if (/^transfer-encoding: chunked\r$/im.test(text.slice(0, end + 2))) return body.endsWith('0\r\n\r\n');
  const length = /^content-length: (\d+)\r$/im.exec(text.slice(0, end + 2))?.[1];
  return body.length >= Number(length);
}
