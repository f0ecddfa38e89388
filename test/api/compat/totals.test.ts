import { expect } from 'chai';
import { ListKind } from '../../../src/chain/lists.js';
import type { Database, Statement } from '../../../src/store/connection/database.js';
import { MAX_COUNTED, sumOf } from '../../../src/store/queries/compat/totals.js';
import { testApi } from '../../support/api.js';
import type { TestApi } from '../../support/api.js';
import { below, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { writeMovements } from '../../support/ledger-rows.js';
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

  it('is that of the rows that are looked at one by one', async () => {
    for (const path of [
      `/v3/transactions?sender_id=${ALICE}`,
      `/v3/transactions?spend.sender_id=${ALICE}`,
      `/v3/transactions?spend.sender_id=${ALICE}&scope=gen:2-9`,
      '/v3/transactions?entrypoint=init',
      `/v3/transactions?account=${ALICE}&contract=${CONTRACT}`,
      `/v3/accounts/${ALICE}/activities?owned_only=true`,
      `/v3/accounts/${ALICE}/activities?contract=${CONTRACT}`,
    ]) {
      const { total } = (await api.json(below(`${path}&count=true`))) as Page;
      expect(total, path).to.equal((await rowsOf(api, path)).length);
    }
  });

  it('is that of activities of all kinds, and of each kind', async () => {
    const totalOf = async (query: string): Promise<number> =>
      ((await api.json(below(`/v3/accounts/${ALICE}/activities?count=true${query}`))) as Page).total!;
    const ofKinds = ['transactions', 'claims', 'transfers', 'aexn'].map((type) => totalOf(`&type=${type}`));
    const counts = await Promise.all(ofKinds);
    expect(counts[0]).to.be.above(0);
    expect(await totalOf('')).to.equal(counts.reduce((sum, count) => sum + count));
    // There are no such rows yet.
    expect(await totalOf('&type=swaps')).to.equal(0);
  });

  it('is refused where each row would have to be read, and by lists that do not know it', async () => {
    const unknown = 'invalid query: count: the number of rows is not known with these filters';
    for (const path of ['/v3/contracts/logs?data=a', `/v3/contracts/${CONTRACT}/logs?function=init`]) {
      expect(await refusal(`${path}&count=true`), path).to.deep.equal([400, unknown]);
      expect((await api.get(below(`${path}&count=false`))).status, path).to.equal(200);
    }
    for (const text of ['1', '', 'TRUE', 'yes'])
      expect(await refusal(`/v3/oracles?count=${text}`)).to.deep.equal([400, `invalid query: count=${text}`]);
    const { status, body } = await api.get(below('/v3/stats/blocks?count=true'));
    expect(status).to.equal(400);
    expect(body).to.include('invalid query: count is not a parameter of this path: ');
    expect(await api.json(below('/v3/dex/swaps?count=true'))).to.not.have.property('total');
  });

  it('is described for the lists that have it', async () => {
    const { paths } = (await api.json('/mdw/v3/api')) as {
      paths: Record<string, { get: { parameters: { name: string }[] } }>;
    };
    const counted = Object.keys(paths).filter((path) =>
      paths[path]!.get.parameters.some(({ name }) => name === 'count'),
    );
    expect(counted).to.have.members([
      '/key-blocks',
      '/key-blocks/{hash_or_kbi}/micro-blocks',
      '/transactions',
      '/micro-blocks/{hash}/transactions',
      '/names',
      '/names/auctions',
      '/names/auctions/{id}/claims',
      '/names/{id}/claims',
      '/names/{id}/updates',
      '/names/{id}/transfers',
      '/names/{id}/history',
      '/accounts/{id}/names/claims',
      '/oracles',
      '/oracles/{id}/queries',
      '/oracles/{id}/responses',
      '/oracles/{id}/extends',
      '/channels',
      '/channels/{id}/updates',
      '/aex9',
      '/aex9/{id}/balances',
      '/aex9/{id}/balances/{account}/history',
      '/aex9/{id}/transfers',
      '/accounts/{id}/aex9/balances',
      '/accounts/{id}/aex9/transfers',
      '/aex141',
      '/aex141/transfers',
      '/aex141/{id}/tokens',
      '/aex141/{id}/templates',
      '/aex141/{id}/templates/{template}/tokens',
      '/aex141/{id}/transfers',
      '/accounts/{id}/aex141/tokens',
      '/contracts',
      '/contracts/logs',
      '/contracts/{id}/logs',
      '/transfers',
      '/accounts/{id}/activities',
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
          error: `invalid query: count: the number of rows is not known, as more than ${MAX_COUNTED} would have to be read`,
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

describe('the length of lists of the compatible API whose rows are counted', () => {
  /** Rows that are added, and the lists that have them. */
  const ADDED: readonly (readonly [what: string, insert: (first: number, last: number) => string, path: string])[] = [
    [
      'logs',
      (first, last) => `
        INSERT INTO contract_logs (position, log_index, contract_id, called_id, topics, data)
        SELECT l.position, 100000 + n, l.contract_id, l.called_id, l.topics, l.data
        FROM (SELECT * FROM contract_logs WHERE called_id IS NULL ORDER BY position LIMIT 1) AS l
        CROSS JOIN generate_series(${first}, ${last}) AS n`,
      '/v3/contracts/logs',
    ],
    [
      'transfers',
      (first, last) => `
        INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, balance)
        SELECT m.position + n, m.account, m.counterparty, 0, m.kind, m.amount, m.balance
        FROM (SELECT * FROM movement_rows WHERE kind IN (7, 8) ORDER BY position LIMIT 1) AS m
        CROSS JOIN generate_series(${first}, ${last}) AS n`,
      '/v3/transfers?kind=fee',
    ],
    [
      'transactions that are looked at',
      (first, last) => `
        INSERT INTO entries (list, position, ordinal, type_ordinal, type)
        SELECT e.list, e.position + n, e.ordinal + n, e.type_ordinal + n, e.type
        FROM (
          SELECT e.* FROM entries AS e JOIN lists AS l ON l.key = e.list
          WHERE l.kind = ${ListKind.account} AND l.id = '${ALICE}' ORDER BY e.ordinal DESC LIMIT 1
        ) AS e
        CROSS JOIN generate_series(1, ${last - first + 1}) AS n`,
      `/v3/transactions?sender_id=${ALICE}`,
    ],
  ];

  for (const [what, insert, path] of ADDED)
    it(`is told up to so many ${what}, and refused above`, async () => {
      const isLooked = what === 'transactions that are looked at';
      const service = await recordedService(isLooked ? 'realnode' : 'realnode-tokens', 100);
      await writeMovements(service.database, 'ae_dev', { delay: 10, treasury: null });
      try {
        const counted = `${path}${path.includes('?') ? '&' : '?'}count=true&limit=1`;
        const ask = async () => {
          // A server keeps answers until the head changes.
          const fresh = await testApi(service.database);
          try {
            return JSON.parse((await fresh.get(below(counted))).body) as Page & { error?: string };
          } finally {
            await fresh.close();
          }
        };
        const before = (await ask()).total!;
        expect(before).to.be.above(0);
        const looked = isLooked ? await entriesOfAlice(service) : before;
        await tamper(service.database, insert(1, MAX_COUNTED - looked));
        expect((await ask()).total).to.equal(isLooked ? before : MAX_COUNTED);
        await tamper(service.database, insert(MAX_COUNTED, MAX_COUNTED));
        expect((await ask()).error).to.equal(
          `invalid query: count: the number of rows is not known, as more than ${MAX_COUNTED} would have to be read`,
        );
      } finally {
        await service.close();
      }
    });

  /** What is looked at: all that mentions the account, or an object with the same bytes. */
  async function entriesOfAlice({ database }: RecordedService): Promise<number> {
    const { account, wrapped, contract, oracle, oracleLife, oracleAnswer, name, nameUse } = ListKind;
    const { rows } = await database.query<{ count: string }>({
      name: 'test.entries',
      text: `
        SELECT count(*) AS count FROM entries AS e JOIN lists AS l ON l.key = e.list
        WHERE substr(l.id, 4) = '${ALICE.slice(3)}'
          AND l.kind IN (${[account, wrapped, contract, oracle, oracleLife, oracleAnswer, name, nameUse].join()})`,
    });
    return Number(rows[0]!.count);
  }

  it('is the sum of those of lists of one head', () => {
    const [a, b] = [1, 2].map((height) => ({ height, hash: `kh_${height}` }));
    const of = (count: string | null, head = a!) => ({ row: { count }, head });
    expect(sumOf([of('9007199254740993'), of('2')])).to.deep.equal(of('9007199254740995'));
    expect(sumOf([of('1'), of(null)])).to.deep.equal(of(null));
    expect(sumOf([of('1'), of('2', b)])).to.deep.equal({ row: { count: '3' }, head: null });
    expect(sumOf([{ row: null, head: null }])).to.deep.equal({ row: { count: '0' }, head: null });
  });
});

describe('the length of a list of the compatible API while blocks are stored', () => {
  /** Before each statement of this name, or of pages, `change` runs. */
  const changing = (database: Database, change: () => Promise<void>, name = 'compat.transactions.'): Database => ({
    ...database,
    async query<Row extends object>(statement: Statement) {
      if (statement.name.startsWith(name)) await change();
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

  it('is that of the head of the page, where several lists are one', async () => {
    const service = await recordedService('realnode', 100);
    const heights = [120, 140];
    const change = async (): Promise<void> => {
      const next = heights.shift();
      if (next !== undefined) await service.grow(next);
    };
    const api = await testApi(changing(service.database, change, 'compat.transfer_total.'));
    const path = `/v3/accounts/${ALICE}/activities?limit=100`;
    try {
      const { headers, body } = await api.get(below(`${path}&count=true`));
      expect(heights).to.deep.equal([]);
      expect(headers['x-chain-height']).to.equal('140');
      expect((JSON.parse(body) as Page).total).to.equal((await rowsOf(service.api, path)).length);
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
