import { expect } from 'chai';
import { ListKind } from '../../src/chain/derive.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { changeChain, choices } from '../support/histories.js';
import { startPrefixProxy } from '../support/prefix-proxy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { append, emptyDatabase, recordedBlocks } from '../support/seed.js';
import { faultsOf, nextOf, rowsOf, startWalk, step } from '../support/walks.js';

/** Ids of the longest lists of a kind. */
async function longest(database: Database, kind: number): Promise<string | undefined> {
  const { rows } = await database.query<{ id: string }>({
    name: 'test.longest',
    text: `
      SELECT l.id FROM lists AS l JOIN entries AS e ON e.list = l.key
      WHERE l.kind = $1 GROUP BY l.id ORDER BY count(*) DESC LIMIT 1`,
    values: [kind],
  });
  return rows[0]?.id;
}

async function pathsOf(database: Database): Promise<string[]> {
  const account = (await longest(database, ListKind.account))!;
  const pair = await longest(database, ListKind.pair);
  const contract = await longest(database, ListKind.contract);
  const channel = await longest(database, ListKind.channel);
  const oracle = await longest(database, ListKind.oracle);
  return [
    `/middleware/transactions/account/${account}`,
    `/middleware/transactions/account/${account}?txtype=SpendTx`,
    `/middleware/transactions/interval/0/100000`,
    `/middleware/transactions/interval/2/100000?txtype=SpendTx`,
    ...(pair === undefined ? [] : [`/middleware/transactions/account/${pair.replace('>', '/to/')}`]),
    ...(contract === undefined ? [] : [`/middleware/contracts/transactions/address/${contract}`]),
    ...(channel === undefined ? [] : [`/middleware/channels/transactions/address/${channel}`]),
    ...(oracle === undefined ? [] : [`/middleware/oracles/${oracle}`]),
    '/middleware/names',
    '/middleware/names/active?reverse',
    '/middleware/contracts/all',
    '/middleware/oracles/list',
  ];
}

describe('links from page to page', () => {
  describe('while the chain does not change', () => {
    let seeded: Awaited<ReturnType<typeof emptyDatabase>>;
    let api: TestApi;
    let paths: string[];
    before(async () => {
      seeded = await emptyDatabase();
      await append(seeded.database, null, recordedBlocks());
      api = await testApi(seeded.database);
      paths = await pathsOf(seeded.database);
    });
    after(async () => {
      await api.close();
      await seeded.drop();
    });

    it('return the whole list, in its order, and its length', async () => {
      expect(paths).to.have.length(12);
      for (const path of paths) {
        const { body, headers } = await api.get(path);
        const whole = rowsOf(body);
        expect(headers['x-total-count'], path).to.equal(String(whole.length));
        expect(nextOf(path, headers.link), path).to.equal(undefined);
        const limit = Math.max(1, Math.ceil(whole.length / 7));
        const walk = startWalk(path, limit);
        while (walk.at !== undefined) await step(api, walk);
        expect(walk.given, path).to.deep.equal(whole);
        expect(walk.pages, path).to.equal(Math.ceil(whole.length / limit));
      }
    });

    it('exist on any page, and on a list that the cap cut', async () => {
      const capped = await testApi(seeded.database, { limitCap: 5 });
      for (const path of paths.slice(0, 2)) {
        const whole = rowsOf((await api.get(path)).body);
        const separator = path.includes('?') ? '&' : '?';
        const asked = `${path}${separator}limit=2&page=2`;
        const { headers } = await api.get(asked);
        expect(rowsOf((await api.get(nextOf(asked, headers.link)!)).body)).to.deep.equal(whole.slice(4, 6));
        const cut = await capped.get(path);
        expect(cut.headers['x-limit-capped']).to.equal('true');
        const more = await capped.get(nextOf(path, cut.headers.link)!);
        expect(rowsOf(more.body)).to.deep.equal(whole.slice(5, 10));
        expect(more.headers).to.include({ 'x-limit-capped': 'true', 'x-total-count': String(whole.length) });
      }
      await capped.close();
    });

    it('work behind a path prefix, and for clients that read them as paths of the server', async () => {
      const proxy = await startPrefixProxy(`http://127.0.0.1:${api.port}`, '/some/where');
      const linkOf = ({ headers }: Response): string => /<(.*)>; rel="next"/.exec(headers.get('link')!)![1]!;
      after(() => proxy.close());
      for (const path of [...paths, '/middleware/names/', '//middleware//names/']) {
        const server = `http://127.0.0.1:${api.port}`;
        const query = `${path.includes('?') ? '&' : '?'}limit=1`;
        const asked = `${proxy.url}${path}${query}`;
        const target = new URL(linkOf(await fetch(asked)), asked).href;
        expect(target, path).to.match(/^http:\/\/[\d.:]+\/some\/where\/middleware\/.*[?&]cursor=/);
        const rows = await (await fetch(target)).text();
        expect(rowsOf(rows), path).to.have.length(1);
        const fromRoot = new URL(linkOf(await fetch(`${server}${path}${query}`)), server);
        expect(await (await fetch(fromRoot)).text(), path).to.equal(rows);
      }
    });

    it('are refused when they are malformed', async () => {
      const wrong = {
        [paths[0]!]: ['th_abc-1', '0.1.', 'th_2hu56cATULdSNjLx4Sfkt4rDEHRrVzfDkPS7tHSuqPGvQv9La5-'],
        '/middleware/names': ['1.2', '-.1.', '1.-2.', '1.2.xy', '1.2.61\n', `1.${'9'.repeat(19)}.`],
        '/middleware/names/chain': ['1.2'],
      };
      for (const [path, cursors] of Object.entries(wrong)) {
        for (const cursor of ['x', '-1', "'", '\0', '9'.repeat(400), ...cursors]) {
          const { status, body } = await api.get(`${path}?cursor=${encodeURIComponent(cursor)}`);
          expect([status, (JSON.parse(body) as { reason: string }).reason], cursor).to.deep.equal([
            400,
            'Invalid input: cursor must be one that a link to a next page gave',
          ]);
        }
      }
    });
  });

  describe('while blocks and reorgs arrive', () => {
    let server: TestDatabase;
    before(async () => (server = await testDatabase()));
    after(() => server.drop());

    const SEEDS = 4;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      it(`return every row that stayed on the chain exactly once (seed ${seed})`, async () => {
        const random = choices(seed);
        const devnode = await startDevnode({
          external: '127.0.0.1:0',
          source: {
            generate: {
              seed: `walk ${seed}`,
              generations: random.int(4, 9),
              txsPerGeneration: random.int(6, 14),
              accounts: random.int(3, 6),
            },
          },
        });
        const node = nodeAt(devnode.externalUrl, { retries: [] });
        const database = await emptyCopy(server.url, `walk_${seed}`);
        const context = syncContext(database, node);
        await syncFully(context);
        const api = await testApi(database);
        try {
          const walks = (await pathsOf(database)).map((path) => startWalk(path, random.int(1, 8)));
          const story: string[] = [];
          for (let round = 0; walks.some(({ at }) => at !== undefined); round += 1) {
            for (const walk of walks) await step(api, walk);
            if (round >= 12) continue;
            story.push(await changeChain(devnode, random, false));
            await syncFully(context);
          }
          for (const walk of walks) expect(faultsOf(walk), `${walk.path}: ${story.join(', ')}`).to.deep.equal([]);
          expect(walks.reduce((sum, { stayed }) => sum + stayed!.size, 0)).to.be.greaterThan(0);
        } finally {
          await api.close();
          await database.close();
          node.close();
          await devnode.close();
        }
      });
    }
  });
});
