import { expect } from 'chai';
import type { Database, Statement } from '../../../src/store/connection/database.js';
import { MAX_COUNTED } from '../../../src/store/queries/compat/totals.js';
import { testApi } from '../../support/api.js';
import type { TestApi } from '../../support/api.js';
import { below, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { tamper } from '../../support/roles.js';

const ALICE = 'ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp';
const CONTRACT = 'ct_GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin';

const cursorOf = (link: string | null): string | null => new URLSearchParams(link!.split('?')[1]).get('cursor');

describe('the length of lists of the compatible API', () => {
  let service: RecordedService;
  let api: TestApi;

  before(async () => {
    service = await recordedService();
    ({ api } = service);
  });
  after(() => service.close());

  const refusal = async (path: string): Promise<unknown> => {
    const { status, body } = await api.get(below(path));
    return [status, (JSON.parse(body) as { error: string }).error];
  };

  it('is there only if it is asked for, with the same cursors, and links ask for it again', async () => {
    for (const path of [
      '/v3/transactions?limit=7&type=spend',
      `/v2/txs?account=${ALICE}&limit=3`,
      '/v3/names?limit=2',
    ]) {
      const plain = (await api.json(below(path))) as Page;
      expect(Object.keys(plain)).to.deep.equal(['data', 'next', 'prev']);
      expect(await api.json(below(`${path}&count=false`))).to.not.have.property('total');
      const counted = (await api.json(below(`${path}&count=true`))) as Page;
      expect(counted.data).to.deep.equal(plain.data);
      expect(counted.total).to.equal((await rowsOf(api, path)).length);
      expect(cursorOf(counted.next)).to.equal(cursorOf(plain.next));
      expect(counted.next).to.match(/[?&]count=true&/);
      const second = (await api.json(below(counted.next!))) as Page;
      expect(second.total).to.equal(counted.total);
      expect(second.prev).to.match(/[?&]count=true&.*rev=1/);
      // A cursor of one serves the other.
      const without = (await api.json(below(`${path}&cursor=${cursorOf(counted.next)}`))) as Page;
      expect(without.data).to.deep.equal(second.data);
    }
  });

  it('is a text where integers are', async () => {
    const { total } = (await api.json(below('/v3/transactions?count=true&int-as-string=true'))) as { total: unknown };
    expect(total).to.equal(String(await api.json(below('/v3/transactions/count'))));
  });

  it('is 0 of an empty list', async () => {
    for (const path of [
      '/v3/transactions?scope=gen:900-999',
      '/v3/transactions?type=spend&scope=gen:1-1',
      '/v3/names?by=name&prefix=zzzz',
    ])
      expect(await api.json(below(`${path}&count=true`))).to.deep.equal({ data: [], next: null, prev: null, total: 0 });
  });

  it('is refused where each row would have to be read, and by lists that do not know it', async () => {
    const unknown = 'invalid query: count: the number of rows is not known with these filters';
    for (const path of [
      `/v3/transactions?sender_id=${ALICE}`,
      `/v3/transactions?spend.sender_id=${ALICE}`,
      '/v3/transactions?entrypoint=init',
      `/v3/transactions?account=${ALICE}&contract=${CONTRACT}`,
    ]) {
      expect(await refusal(`${path}&count=true`), path).to.deep.equal([400, unknown]);
      expect((await api.get(below(`${path}&count=false`))).status, path).to.equal(200);
    }
    for (const text of ['1', '', 'TRUE', 'yes'])
      expect(await refusal(`/v3/oracles?count=${text}`)).to.deep.equal([400, `invalid query: count=${text}`]);
    const { status, body } = await api.get(below('/v3/contracts/logs?count=true'));
    expect(status).to.equal(400);
    expect(body).to.include('invalid query: count is not a parameter of this path: ');
    expect(await api.json(below('/v3/key-blocks?count=true'))).to.not.have.property('total');
  });

  it('is described for the lists that have it', async () => {
    const { paths } = (await api.json('/mdw/v3/api')) as {
      paths: Record<string, { get: { parameters: { name: string }[] } }>;
    };
    const counted = Object.keys(paths).filter((path) =>
      paths[path]!.get.parameters.some(({ name }) => name === 'count'),
    );
    expect(counted).to.have.members([
      '/transactions',
      '/micro-blocks/{hash}/transactions',
      '/names',
      '/names/auctions',
      '/oracles',
      '/oracles/{id}/queries',
      '/channels',
      '/channels/{id}/updates',
      '/aex9',
      '/aex9/{id}/balances',
      '/aex141',
    ]);
  });
});

describe('the length of lists of the compatible API that are long', () => {
  it('is refused if rows would have to be counted, and told if their number is stored', async () => {
    const service = await recordedService('realnode', 60);
    try {
      const { api, database } = service;
      const total = async (path: string): Promise<unknown> => {
        const { status, body } = await api.get(below(path));
        return status === 200 ? (JSON.parse(body) as Page).total : (JSON.parse(body) as { error: string }).error;
      };
      const before = await total('/v3/oracles?count=true');
      const active = await total('/v3/oracles?count=true&state=active');
      await tamper(
        database,
        `INSERT INTO oracles (id, position, expires_at)
         SELECT 'ok_' || n, 0, 1 FROM generate_series(1, ${MAX_COUNTED - (before as number)}) AS n`,
      );
      const fresh = await testApi(database);
      try {
        const again = async (path: string): Promise<unknown> =>
          JSON.parse((await fresh.get(below(path))).body) as unknown;
        // The page of the oracles that no transaction registered has no rows.
        expect(await again('/v3/oracles?count=true&limit=1')).to.have.property('total', MAX_COUNTED);
        await tamper(database, "INSERT INTO oracles (id, position, expires_at) VALUES ('ok_0', 0, 1)");
        expect(await again('/v3/oracles?count=true&limit=2')).to.deep.equal({
          error: `invalid query: count: the number of rows is not known, as it is above ${MAX_COUNTED}`,
        });
        expect(await again('/v3/oracles?count=true&state=active')).to.have.property('total', active);
      } finally {
        await fresh.close();
      }
    } finally {
      await service.close();
    }
  });
});

describe('the length of a list of the compatible API while blocks are stored', () => {
  /** Before each statement of pages `change` runs. */
  const changing = (database: Database, change: () => Promise<void>): Database => ({
    ...database,
    async query<Row extends object>(statement: Statement) {
      if (statement.name.startsWith('compat.transactions.')) await change();
      return database.query<Row>(statement);
    },
  });

  it('is that of the head of the page', async () => {
    const service = await recordedService('realnode', 100);
    const heights = [120, 140];
    const api = await testApi(
      changing(service.database, async () => {
        const next = heights.shift();
        if (next !== undefined) await service.grow(next);
      }),
    );
    try {
      const { headers, body } = await api.get(below('/v3/transactions?count=true'));
      const { total } = JSON.parse(body) as Page;
      expect(heights).to.deep.equal([]);
      expect(headers['x-chain-height']).to.equal('140');
      const pages = await pagesOf(service.api, '/v3/transactions?limit=100');
      expect(total).to.equal(pages.reduce((sum, { data }) => sum + data.length, 0));
    } finally {
      await api.close();
      await service.close();
    }
  });

  it('is not told if the list changes each time', async () => {
    const service = await recordedService('realnode', 60);
    let height = 60;
    const api = await testApi(changing(service.database, () => service.grow((height += 10))));
    try {
      const { status, body } = await api.get(below('/v3/transactions?count=true'));
      expect([status, body]).to.deep.equal([503, '{"error":"the list changes too often just now"}']);
      expect(height).to.equal(110);
    } finally {
      await api.close();
      await service.close();
    }
  });
});
