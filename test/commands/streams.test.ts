import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { append, madeBlocks, madeHash } from '../support/seed.js';
import { asRole, emptyCopy } from '../support/roles.js';

/** More than the buffers between two processes hold, so that the export does not end if the client does not read. */
const ROWS = 20_000;
const EXPORT = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;

describe('long answers of a server that ends', () => {
  let database: TestDatabase;
  let node: FakeNode;
  let running: RunningMdw | undefined;
  /** Answers of the node that were begun. */
  const downloads: ServerResponse[] = [];

  before(async () => {
    database = await testDatabase();
    const writer = await emptyCopy(database.url);
    const chain = Array.from({ length: 100 }, () => ({
      microBlocks: [Array.from({ length: ROWS / 100 }, () => ({}))],
    }));
    await append(writer, null, madeBlocks(chain));
    await writer.close();
    node = await fakeNode((req, res) => {
      if (req.url === '/v2/silence') return;
      if (req.url !== '/v2/download') return void res.writeHead(404).end();
      res.write('first');
      downloads.push(res);
    });
  });
  after(async () => {
    await node.close();
    await database.drop();
  });
  afterEach(() => running?.process.kill('SIGKILL'));

  async function serve(env: Record<string, string> = {}) {
    const addresses = { HTTP_ADDRESS: '127.0.0.1:0', METRICS_ADDRESS: '127.0.0.1:0', WEBSOCKET_ADDRESS: '127.0.0.1:0' };
    running = startMdw(['-s'], {
      ...addresses,
      NODE_URL: node.url,
      DATABASE_URL: asRole(database.url, 'serve'),
      ...env,
    });
    const [, http] = await running.saw(/"http":\{[^}]*"port":(\d+)/);
    const [, metrics] = await running.saw(/"metrics":\{[^}]*"port":(\d+)/);
    return { running, http: Number(http), metrics: Number(metrics) };
  }

  /** The beginning of an answer. The rest is read only by `rest`. */
  async function begin(port: number, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const sent = request({ port, path, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.pause();
  }
  const beginExport = (port: number) => begin(port, EXPORT, { accept: 'application/x-ndjson' });

  /** The rest of the text, or the code of the error that ended it. */
  async function rest(answer: IncomingMessage): Promise<string> {
    let text = '';
    try {
      for await (const chunk of answer) text += String(chunk);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? '';
    }
    return text;
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`are complete after ${signal}, when all other connections have been closed`, async () => {
      const { running, http, metrics } = await serve();
      const [exported, download] = await Promise.all([beginExport(http), begin(http, '/v2/download')]);
      const other = begin(http, '/v2/silence').catch((error: NodeJS.ErrnoException) => error.code);
      while (!node.seen.some(({ line }) => line === 'GET /v2/silence')) await once(node.server, 'request');
      node.seen.length = 0;

      running.process.kill(signal);
      await running.saw(/"msg":"Stopping"/);
      const ready = await fetch(`http://127.0.0.1:${metrics}/readyz`);
      expect([ready.status, await ready.json()]).to.deep.equal([
        503,
        { ready: false, reason: 'draining', code: 'draining' },
      ]);
      expect(await other).to.equal('ECONNRESET');
      downloads.pop()!.end(', last');

      expect(await rest(download)).to.equal('first, last');
      expect((await rest(exported)).trimEnd().split('\n')).to.have.length(ROWS);
      expect((await running.ended).status).to.equal(0);
    });
  }

  it('are recognisably incomplete when the drain time is over', async () => {
    const { running, http } = await serve({ STREAM_DRAIN_MS: '200' });
    const [exported, download] = await Promise.all([beginExport(http), begin(http, '/v2/download')]);
    running.process.kill('SIGTERM');

    expect((await running.ended).status).to.equal(0);
    expect(await rest(exported)).to.equal('ECONNRESET');
    expect(await rest(download)).to.equal('ECONNRESET');
  });

  it('are recognisably incomplete after a second signal, and after a kill', async () => {
    for (const [first, second, status] of [
      ['SIGTERM', 'SIGTERM', 143],
      ['SIGINT', 'SIGINT', 130],
      ['SIGKILL', undefined, null],
    ] as const) {
      const { running, http } = await serve();
      const exported = await beginExport(http);
      running.process.kill(first);
      if (second !== undefined) {
        await running.saw(/"msg":"Stopping"/);
        running.process.kill(second);
      }

      expect((await running.ended).status).to.equal(status);
      expect(await rest(exported)).to.equal('ECONNRESET');
    }
  });
});
