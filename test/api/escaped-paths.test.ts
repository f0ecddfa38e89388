import { expect } from 'chai';
import { endpoints } from '../../src/api/endpoints.js';
import { formOf } from '../../src/api/middleware/request-target.js';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, Reply, TestApi } from '../support/api.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const escape = (text: string): string => `%${text.charCodeAt(0).toString(16)}`;

/** The path with the first, or each, letter of a segment in its escaped form. */
const escapedForms = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  const first = segments.map((_, at) =>
    segments.map((segment, i) => (i === at ? escape(segment) + segment.slice(1) : segment)),
  );
  return [...first, segments.map((segment) => segment.replaceAll(/[\w.~-]/g, escape))].map(
    (parts) => `/${parts.join('/')}`,
  );
};

const comparable = ({ status, headers, body }: Reply): unknown => {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  return [status, { ...rest, id: typeof id }, body];
};

describe('a path that is written with escapes', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks(Array.from({ length: 5 }, () => ({ microBlocks: [[{}, {}]] }))));
    node = await fakeNode((_req, res) => {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"reason":"from the node"}');
    });
    api = await testApi(seeded.database, { nodeUrls: [node.url] });
  });
  beforeEach(() => void (node.seen.length = 0));
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  const PARAMETERS: Record<string, string> = {
    account: madeHash('ak', 'alice'),
    hash: madeHash('th', '3/0/1'),
    name: 'ab~c.x-_',
    height: '3',
  };
  const read = endpoints.filter(({ method, path }) => method === 'get' && !/events|\/status|z$/.test(path));
  for (const { path: template } of read) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? '1');
    it(`is the same request as ${path}`, async () => {
      const plain = await api.get(path);
      const forms = escapedForms(path);
      for (const form of forms) {
        const sent = node.seen.length;
        expect(comparable(await api.get(form)), form).to.deep.equal(comparable(plain));
        // What the service does not answer itself is sent as it was written.
        if (plain.body === '{"reason":"from the node"}') expect(node.seen[sent]?.line).to.equal(`GET ${form}`);
      }
    });
  }

  it('shares the cached answer of the plain path', async () => {
    for (let i = 0; i < 3; i++) await api.get('/middleware/names/active');
    const [cached, escaped] = [await api.get('/middleware/names/active'), await api.get('/middleware/names/%61ctive')];
    expect(comparable(escaped)).to.deep.equal(comparable(cached));
  });

  for (const [path, routed] of [
    ['/v3/%41%7A%30%2D%5f%7e', '/v3/Az0-_~'],
    ['/v3/%2561ctive', '/v3/%2561ctive'],
    ['/v3/a%2Fb%3f%20%e2%82%ac%zz%6', '/v3/a%2Fb%3f%20%e2%82%ac%zz%6'],
    ['/v3/%2e%2e%2e', '/v3/...'],
    ['/v3/%FF/%61', '/v3/%FF/a'],
    ['/v3/x?%61=%61', '/v3/x?%61=%61'],
  ] as const)
    it(`${path} is routed as ${routed}, and forwarded as it is`, async () => {
      expect(formOf(path)).to.deep.equal({ routed, forwarded: path });
      for (const method of ['GET', 'POST']) await api.get(path, { method });
      expect(node.seen.map(({ line }) => line)).to.deep.equal([`GET ${path}`, `POST ${path}`]);
    });

  for (const segment of ['/%ff', '/%zz', '/%c3%28'])
    it(`is not decoded segment by segment if it consists of many ${segment}`, async () => {
      const { decodeURIComponent: decode } = globalThis;
      let failed = 0;
      // An error with its stack for each segment took 14 ms of the processor.
      globalThis.decodeURIComponent = (text) => {
        try {
          return decode(text);
        } catch (error) {
          failed += 1;
          throw error;
        }
      };
      try {
        const path = segment.repeat(8_000 / segment.length);
        for (const method of ['GET', 'POST']) {
          expect((await api.get(path, { method })).body).to.equal('{"reason":"from the node"}');
          expect((await api.get(`/middleware/names${path.slice(0, 7_900)}`, { method })).status).to.equal(404);
        }
        expect(failed).to.be.below(10);
      } finally {
        globalThis.decodeURIComponent = decode;
      }
    });
});
