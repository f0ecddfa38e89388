import { expect } from 'chai';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { emptyService } from '../support/api.js';

const DOCUMENTS = [
  '/openapi.json',
  '/openapi.json?int-as-string=true',
  '/middleware/api',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/favicon-32x32.png',
  '/docs/start.js',
  '/',
  '/explorer/main.js',
  '/explorer/chunk.js',
  '/explorer/main.css',
  '/guide/introduction',
  '/guide/guide.css',
];

/** Work of other threads: reads of files, and compression. */
const WORK = new Set(['FSREQPROMISE', 'FSREQCALLBACK', 'FILEHANDLE', 'ZLIB']);

describe('documents', () => {
  let service: Awaited<ReturnType<typeof emptyService>>;

  before(async () => {
    service = await emptyService();
  });
  after(() => service.close());

  /** The work that requests for this document begin. */
  async function workOf(path: string, count: number): Promise<string[]> {
    const work: string[] = [];
    const hook = createHook({ init: (_id, type) => void (WORK.has(type) && work.push(type)) }).enable();
    const answers = await Promise.all(Array.from({ length: count }, () => answerTo(path)));
    hook.disable();
    expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal(Array(count).fill(200));
    expect(new Set(answers.map(({ headers: { etag } }) => etag))).to.have.property('size', 1);
    return work;
  }

  /** The answer, which is not decompressed here. */
  async function answerTo(path: string): Promise<IncomingMessage> {
    const headers = { 'accept-encoding': 'br' };
    const sent = request({ host: '127.0.0.1', port: service.api.port, path, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer;
  }

  for (const path of DOCUMENTS)
    it(`are read and compressed once, also for many clients at a time: ${path}`, async () => {
      const first = await workOf(path, 10);
      expect(first.filter((type) => type === 'ZLIB')).to.have.length.at.most(1);
      expect(first.filter((type) => type === 'FILEHANDLE')).to.have.length.at.most(1);
      expect(await workOf(path, 10)).to.deep.equal([]);
    });
});
