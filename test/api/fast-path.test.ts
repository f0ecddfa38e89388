import { expect } from 'chai';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { OWN_PATHS, endpoints } from '../../src/api/endpoints.js';
import { mayBeAnswered } from '../../src/api/router.js';
import { createFastPath } from '../../src/api/fast-path.js';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, Reply } from '../support/api.js';
import { append, emptyDatabase, madeBlocks, madeHash, silent } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { shareOf } from '../support/share.js';
import { nextOf } from '../support/walks.js';

const EXAMPLES: Record<string, string[]> = {
  account: [madeHash('ak', 'alice'), madeHash('ak', 'nobody'), 'ak_x'],
  sender: [madeHash('ak', 'alice')],
  receiver: [madeHash('ak', 'bob')],
  contract: [madeHash('ak', 'x').replace('ak_', 'ct_'), 'ct_x'],
  oracle: [madeHash('ok', 'x')],
  channel: [madeHash('ak', 'x').replace('ak_', 'ch_')],
  hash: [madeHash('th', '3/0/1'), madeHash('kh', '3 at 180000'), madeHash('mh', '3/0'), 'th_x'],
  name: ['abc', 'hash', 'x.chain'],
  milliseconds: ['180000'],
};
const OTHERS = ['1', '99', 'x'];

const paths = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].reduce(
    (all, [part, name]) => all.flatMap((path) => (EXAMPLES[name!] ?? OTHERS).map((value) => path.replace(part, value))),
    [template],
  );

const fromDatabase = endpoints.filter(
  ({ method, cache, fixed }) => method === 'get' && (cache === 'until-change' || (cache === 'short' && fixed !== true)),
);

/** Adds a slash at the end. The answer is the same, but Koa makes it. */
const throughKoa = (path: string): string => path.replace(/(\?|$)/, '/$1');

const comparable = (asked: string, { status, headers, body }: Reply): unknown => {
  const { date: _date, 'x-request-id': id, 'ratelimit-remaining': _left, link, ...rest } = headers;
  return [status, { ...rest, id: typeof id, next: nextOf(asked, link) }, body];
};

describe('the fast path', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks(Array.from({ length: 9 }, () => ({ microBlocks: [[{}, {}]] }))));
    node = await fakeNode((_req, res) => {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"reason":"from the node"}');
    });
  });
  after(async () => {
    await node.close();
    await seeded.drop();
  });

  it('answers plain requests for data of the database or the node, and no others', () => {
    const taken: string[] = [];
    const answer = createFastPath({
      endpoints,
      outer: [],
      layers: ({ path }) => [() => void taken.push(path)],
      isAnswered: mayBeAnswered(endpoints, OWN_PATHS),
      forward: () => void taken.push('the node'),
      logger: silent,
    });
    const take = (method: string, url: string, headers = {}): boolean => {
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { method, url, headers });
      return answer(request, new ServerResponse(request));
    };

    for (const { path } of fromDatabase) {
      taken.length = 0;
      expect(take('GET', paths(path).at(-1)!), path).to.equal(true);
      expect(take('HEAD', `${paths(path).at(-1)}?limit=1`), path).to.equal(true);
      expect(taken).to.deep.equal([path, path]);
    }
    taken.length = 0;
    expect(take('GET', '/v2/status')).to.equal(true);
    expect(taken).to.deep.equal(['the node']);
    for (const { path } of endpoints.filter((one) => !fromDatabase.includes(one)))
      expect(take('GET', paths(path)[0]!), path).to.equal(false);
    const [path] = paths('/middleware/size/height/{height}') as [string];
    for (const [method, url, headers] of [
      ['POST', path, {}],
      ['OPTIONS', path, {}],
      ['GET', `${path}/`, {}],
      ['GET', `/${path}`, {}],
      ['GET', `${path}/x`, {}],
      ['POST', '/v2/transactions', {}],
      ['GET', path.replace('size', 's%69ze'), {}],
      ['GET', path, { accept: 'text/csv' }],
      ['GET', path, { accept: 'application/json;q=0, */*' }],
    ] as const) {
      expect(take(method, url, headers), `${method} ${url}`).to.equal(false);
    }
  });

  for (const [what, config] of [
    ['without a rate limit', {}],
    ['with one', { rateLimitPerSecond: 1_000_000 }],
  ] as const) {
    it(`answers as Koa does, ${what}`, async () => {
      const api = await testApi(seeded.database, { nodeUrls: [node.url], ...config });
      try {
        for (const path of ['/v2/status', ...shareOf(fromDatabase.flatMap((one) => paths(one.path)))]) {
          for (const query of [
            '',
            '?limit=1&int-as-string=true',
            '?cursor=x',
            '?int-as-string=1',
            '?limt=1&limit=x&txtype=spend',
          ]) {
            for (const [method, headers] of [
              ['GET', {}],
              ['HEAD', {}],
              ['GET', { origin: 'http://somewhere', 'accept-encoding': 'br' }],
              ['GET', { 'if-none-match': '*', 'x-request-id': 'mine' }],
            ] as const) {
              const options = { method, headers: { ...headers, 'cache-control': 'no-cache' } };
              const [short, long] = await Promise.all([
                api.get(path + query, options),
                api.get(throughKoa(path + query), options),
              ]);
              expect(comparable(path, short), `${method} ${path}${query}`).to.deep.equal(
                comparable(throughKoa(path), long),
              );
            }
          }
        }
        expect(node.seen.length).to.be.greaterThan(0);
      } finally {
        await api.close();
      }
    });
  }
});
