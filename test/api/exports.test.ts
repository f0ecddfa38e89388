import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { line } from '../../src/api/export/format.js';
import { inCoins } from '../../src/chain/movements.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { bytesOf } from '../support/raw.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

type Cells = Record<string, string>;

/** A simple CSV reader by RFC 4180. */
function readCsv(text: string): { columns: string[]; rows: Cells[] } {
  const table: string[][] = [[]];
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    table.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') table.push([]);
  }
  expect(table.pop()).to.deep.equal([]);
  const [columns = [], ...rows] = table;
  for (const row of rows) expect(row).to.have.length(columns.length);
  return { columns, rows: rows.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i]!, cell]))) };
}

interface Listed {
  hash: string;
  block_hash: string;
  block_height: number;
  time: number;
  tx: Record<string, string | number | bigint> & { type: string };
}

const COLUMNS =
  'time,height,block_hash,hash,type,direction,counterparty,amount_aettos,amount_ae,fee_aettos,fee_ae,nonce,fees_paid_aettos,effect';

describe('lists as CSV and NDJSON', () => {
  let model: Modelled;
  let accounts: string[];
  const csv = async (path: string) => {
    const { status, headers, body } = await model.api.get(path, { headers: { accept: 'text/csv' } });
    expect([status, headers['content-type']], path).to.deep.equal([200, 'text/csv; charset=utf-8; header=present']);
    return readCsv(body);
  };
  const ndjson = async (path: string): Promise<Cells[]> => {
    const { headers, body } = await model.api.get(path, { headers: { accept: 'application/x-ndjson' } });
    expect(headers['content-type']).to.equal('application/x-ndjson; charset=utf-8');
    if (body !== '') expect(body.endsWith('\n')).to.equal(true);
    return body
      .split('\n')
      .slice(0, -1)
      .map((row) => JSON.parse(row) as Cells);
  };
  const list = async (path: string): Promise<Listed[]> => {
    const answer = (await model.exact(path)) as unknown as Listed[] | { transactions: Listed[] };
    return Array.isArray(answer) ? answer : answer.transactions;
  };

  before(async () => {
    model = await recordedModel();
    const { rows } = await model.database.query<{ id: string }>({
      name: 'test.accounts',
      text: 'SELECT id FROM lists WHERE kind = 1 ORDER BY id',
    });
    accounts = rows.map(({ id }) => id);
  });
  after(() => model.close());

  it('have every transaction of an account, as in the list', async () => {
    expect(accounts).to.have.length.above(5);
    const [directions, effects, byName] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const account of accounts) {
      const path = `/middleware/transactions/account/${account}`;
      const [table, listed] = [await csv(path), await list(path)];
      expect(table.columns.join(',')).to.equal(COLUMNS);
      expect(table.rows.map(({ hash }) => hash)).to.deep.equal(listed.map(({ hash }) => hash));
      table.rows.forEach((row, i) => {
        const { time, block_height, block_hash, tx } = listed[i]!;
        expect(row).to.include({
          time: new Date(time).toISOString(),
          height: String(block_height),
          block_hash,
          type: tx.type,
          fee_aettos: String(tx['fee'] ?? 0),
          nonce: tx['nonce'] === undefined ? '' : String(tx['nonce']),
        });
        directions.add(row['direction']!);
        effects.add(row['effect']!);
        expect([row['amount_aettos'], row['fees_paid_aettos']].includes('')).to.equal(row['effect'] === 'unknown');
        if (tx.type === 'SpendTx') {
          const out = tx['sender_id'] === account;
          const self = out && tx['recipient_id'] === account;
          expect(row['direction']).to.equal(self ? 'self' : out ? 'out' : 'in');
          expect(row['counterparty']).to.equal(out ? tx['recipient_id'] : tx['sender_id']);
          expect(row['amount_aettos']).to.equal(String(tx['amount']));
          if (String(tx['recipient_id']).startsWith('nm_')) byName.add(`${row['direction']} ${row['effect']}`);
        }
        for (const what of ['amount', 'fee']) {
          const [aettos = '', ae = ''] = [row[`${what}_aettos`], row[`${what}_ae`]];
          const [whole = '', fraction = ''] = ae.split('.');
          expect(aettos === '' ? '' : String(BigInt(whole + fraction.padEnd(18, '0')))).to.equal(aettos);
        }
      });
      expect((await ndjson(path)).map((row) => Object.values(row).map((value) => String(value ?? '')))).to.deep.equal(
        table.rows.map((row) => Object.values(row)),
      );
    }
    expect([...directions]).to.include.members(['in', 'out']);
    expect([...effects]).to.have.members(['exact', 'unknown']);
    expect([...byName]).to.have.members(['in exact', 'out exact']);
  });

  it('have the same rows as pages of the list, by type as well', async () => {
    const account = accounts[0]!;
    for (const path of [
      `/middleware/transactions/account/${account}`,
      '/middleware/transactions/interval/0/300',
      '/middleware/transactions/interval/50/140',
    ]) {
      for (const query of [
        '',
        '?limit=3',
        '?limit=3&page=2',
        '?limit=0',
        '?limit=7&page=4000',
        '?txtype=SpendTx&limit=5&page=2',
        '?txtype=NoTx',
      ]) {
        const listed = (await list(path + query)).map(({ hash }) => hash);
        expect(
          (await csv(path + query)).rows.map(({ hash }) => hash),
          path + query,
        ).to.deep.equal(listed);
        expect(
          (await ndjson(path + query)).map(({ hash }) => hash),
          path + query,
        ).to.deep.equal(listed);
      }
    }
    const { columns } = await csv('/middleware/transactions/interval/0/300?limit=1');
    expect(columns).to.include.members(['sender', 'recipient']).and.not.include('direction');
  });

  it('have the names that the lists of names have, in their order', async () => {
    const names = (await model.exact('/middleware/names')) as unknown as { name: string; owner: string }[];
    expect(names).to.have.length.above(2);
    for (const query of [
      '/middleware/names',
      '/middleware/names?limit=2&page=2',
      '/middleware/names/active',
      '/middleware/names/active?reverse',
      `/middleware/names?owner=${names[0]!.owner}`,
      `/middleware/names/active?owner=${names[0]!.owner}&reverse=1`,
    ]) {
      const listed = (await model.exact(query)) as unknown as { name: string; tx_hash: string; expires_at: number }[];
      const { rows } = await csv(query);
      expect(
        rows.map(({ name, tx_hash, expires_at }) => [name, tx_hash, expires_at]),
        query,
      ).to.deep.equal(listed.map(({ name, tx_hash, expires_at }) => [name, tx_hash, String(expires_at)]));
    }
  });

  it('have the decoded calls of a contract', async () => {
    const { rows: contracts } = await model.database.query<{ id: string; position: string }>({
      name: 'test.decode',
      text: `
        UPDATE contract_calls SET state = 'done', arguments = '{"function":"=f","arguments":[]}', result = '{"value":1}'
        RETURNING contract_id AS id, position`,
    });
    const ids = [...new Set(contracts.map(({ id }) => id))];
    expect(ids).to.have.length.above(0);
    for (const id of ids) {
      const path = `/middleware/contracts/calls/address/${id}`;
      const { rows } = await csv(path);
      expect(rows).to.have.length(contracts.filter((one) => one.id === id).length);
      for (const row of rows) {
        expect(row).to.include({ contract: id, function: "'=f", result: '{"value":1}' });
        expect(row['caller']).to.match(/^(ak|ct)_/);
      }
      expect((await ndjson(`${path}?limit=1`)).map(({ hash }) => hash)).to.deep.equal(
        rows.slice(0, 1).map(({ hash }) => hash),
      );
    }
  });

  it('are sent to clients that accept them, JSON to all others', async () => {
    const path = `/middleware/transactions/account/${accounts[0]}?limit=1`;
    for (const [accept, type] of [
      ['text/csv', 'text/csv; charset=utf-8; header=present'],
      ['text/csv;q=0.9, application/json;q=0.1', 'text/csv; charset=utf-8; header=present'],
      ['application/ndjson', 'application/x-ndjson; charset=utf-8'],
      ['application/json, text/csv', 'application/json'],
      ['*/*', 'application/json'],
      ['text/html', 'application/json'],
      ['nonsense;;;', 'application/json'],
    ] as const) {
      const { headers } = await model.api.get(path, { headers: { accept } });
      expect(headers['content-type'], accept).to.equal(type);
      expect(headers.vary).to.contain('Accept');
    }
    const head = await model.api.get(path, { method: 'HEAD', headers: { accept: 'text/csv' } });
    expect([head.status, head.body, head.headers['content-type']]).to.deep.equal([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ]);
    const bad = await model.api.get('/middleware/transactions/account/x', { headers: { accept: 'text/csv' } });
    expect([bad.status, bad.headers['content-type']]).to.deep.equal([400, 'application/json']);
    const { headers, bytes } = await bytesOf(model.api.port, path, { accept: 'text/csv', 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(bytes).toString()).to.contain(COLUMNS);
  });
});

describe('exports while the chain changes', () => {
  const COUNT = 40;
  const PER_BLOCK = 100;
  const path = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;

  async function begin(api: TestApi): Promise<IncomingMessage> {
    const sent = request({ port: api.port, path, headers: { accept: 'text/csv' }, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.pause();
    return answer;
  }
  async function rest(answer: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return text;
  }

  it('are interrupted if a reorg removes rows that were sent, and not if blocks are added', async () => {
    const seeded = await emptyDatabase();
    const chain = Array.from({ length: COUNT }, () => ({
      microBlocks: [Array.from({ length: PER_BLOCK }, () => ({}))],
    }));
    await append(seeded.database, null, madeBlocks(chain));
    // Slow enough for the chain to change meanwhile; reports each batch.
    let batches = 0;
    let between: () => Promise<unknown> = () => Promise.resolve();
    const database = {
      ...seeded.database,
      query: (async (statement) => {
        if (statement.name === 'export.list' && (batches += 1) === 3) await between();
        return seeded.database.query(statement);
      }) as typeof seeded.database.query,
    };
    const api = await testApi(database);
    try {
      const tip = madeHash('mh', `${COUNT - 1}/0`);
      between = () => append(seeded.database, tip, madeBlocks([{ microBlocks: [[{}]] }], COUNT, tip));
      const whole = readCsv(await rest(await begin(api))).rows;
      expect(whole).to.have.length(COUNT * PER_BLOCK);
      expect(new Set(whole.map(({ hash }) => hash)).size).to.equal(COUNT * PER_BLOCK);
      expect(batches).to.be.greaterThan(10);

      batches = 0;
      between = () =>
        seeded.database.query({
          name: 'test.fork',
          text: 'UPDATE transactions SET hash = hash || $2 WHERE position = (SELECT max(position) FROM transactions) - $1',
          values: [0, 'x'],
        });
      const failure = await rest(await begin(api)).then(
        () => 'complete',
        (error: NodeJS.ErrnoException) => error.code,
      );
      expect(failure).to.equal('ECONNRESET');
    } finally {
      await api.close();
      await seeded.drop();
    }
  });
});

describe('exports when the server ends', () => {
  const path = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;
  const ROWS = 1_000;
  let seeded: SeededDatabase;

  before(async () => {
    seeded = await emptyDatabase();
    const chain = Array.from({ length: 10 }, () => ({ microBlocks: [Array.from({ length: ROWS / 10 }, () => ({}))] }));
    await append(seeded.database, null, madeBlocks(chain));
  });
  after(() => seeded.drop());

  /** An export that stops in its middle until `go`, which may make it fail. */
  async function halfway(encoding: string, config: { streamDrainMs?: number }) {
    let go!: (error?: Error) => void;
    const going = new Promise<Error | undefined>((resolve) => (go = resolve));
    let batches = 0;
    const database = {
      ...seeded.database,
      query: (async (statement) => {
        if (statement.name === 'export.list' && (batches += 1) === 3) {
          const error = await going;
          if (error !== undefined) throw error;
        }
        return seeded.database.query(statement);
      }) as typeof seeded.database.query,
    };
    const api = await testApi(database, config);
    const headers = { accept: 'application/x-ndjson', 'accept-encoding': encoding };
    const sent = request({ port: api.port, path, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.headers).to.include({ 'transfer-encoding': 'chunked' });
    const whole = (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n').length;
    })();
    return { api, go, outcome: whole.catch((error: NodeJS.ErrnoException) => error.code) };
  }

  for (const encoding of ['identity', 'gzip']) {
    it(`are complete if they end within the drain time (${encoding})`, async () => {
      const { api, go, outcome } = await halfway(encoding, {});
      const closed = api.close();
      const ready = await ask(api.metricsPort, '/readyz');
      go();

      expect(ready.status).to.equal(503);
      expect(await outcome).to.equal(ROWS);
      await closed;
    });

    it(`are recognisably incomplete if they do not (${encoding})`, async () => {
      const { api, go, outcome } = await halfway(encoding, { streamDrainMs: 100 });
      const closed = api.close();

      expect(await outcome).to.equal('ECONNRESET');
      await closed;
      go();
    });

    it(`are recognisably incomplete if the database fails in the middle (${encoding})`, async () => {
      const { api, go, outcome } = await halfway(encoding, {});
      go(new MiddlewareError('database_lost', 'database: gone', {}));

      expect(await outcome).to.equal('ECONNRESET');
      await api.close();
    });
  }
});

describe('exports that were interrupted', () => {
  let model: Modelled;
  before(async () => {
    model = await recordedModel();
  });
  after(() => model.close());

  const rows = async (path: string): Promise<Cells[]> => {
    const { status, body } = await model.api.get(path, { headers: { accept: 'text/csv' } });
    expect(status, `${path}: ${body.slice(0, 200)}`).to.equal(200);
    return readCsv(body).rows;
  };

  it('continue after the last complete row, whichever it is', async () => {
    const { rows: ids } = await model.database.query<{ account: string; contract: string }>({
      name: 'test.ids',
      text: `
        SELECT
          (SELECT id FROM lists WHERE kind = 1 ORDER BY id LIMIT 1) AS account,
          (SELECT contract_id FROM contract_calls LIMIT 1) AS contract`,
    });
    await model.database.query({
      name: 'test.done',
      text: `UPDATE contract_calls SET state = 'done', arguments = '{}'`,
    });
    const { account, contract } = ids[0]!;
    for (const path of [
      `/middleware/transactions/account/${account}?x`,
      `/middleware/transactions/account/${account}?txtype=SpendTx`,
      '/middleware/transactions/interval/50/140?x',
      '/middleware/transactions/interval/0/300?txtype=SpendTx',
      '/middleware/names?x',
      '/middleware/names/active?x',
      '/middleware/names/active?reverse',
      `/middleware/contracts/calls/address/${contract}?x`,
    ]) {
      const all = await rows(path);
      expect(all, path).to.have.length.above(0);
      const keys = (some: Cells[]) => some.map((row) => row['hash'] ?? row['tx_hash']!);
      for (const i of new Set([0, 1, all.length >> 1, all.length - 1].filter((at) => at < all.length))) {
        const hash = keys(all)[i]!;
        expect(keys(await rows(`${path}&after=${hash}`)), `${path}, row ${i}`).to.deep.equal(keys(all.slice(i + 1)));
      }
      const [first] = keys(all);
      expect(await rows(`${path}&after=${first}&limit=1&page=9`), path).to.deep.equal(all.slice(1, 2));
    }
  });

  it('begin with the newest row of an interval if they continue after a younger transaction', async () => {
    const [younger] = await rows('/middleware/transactions/interval/100/300?limit=1');
    const path = '/middleware/transactions/interval/0/50';
    expect(await rows(`${path}?after=${younger!['hash']}`)).to.deep.equal(await rows(path));
  });

  it('are refused if the row does not exist (any more)', async () => {
    for (const [after, reason] of [
      [madeHash('th', 'gone'), 'Invalid input: after is the hash of no row of this list'],
      ['x', 'Invalid input: after must be an identifier'],
    ] as const) {
      for (const path of ['/middleware/names', '/middleware/transactions/interval/0/50']) {
        const { status, body } = await model.api.get(`${path}?after=${after}`, { headers: { accept: 'text/csv' } });
        expect([status, body]).to.satisfy(() => status === 400 && body.includes(reason), body);
      }
    }
  });
});

describe('cells of exports', () => {
  it('are never read as formulas, nor as several cells or rows', () => {
    const csv = (value: string | number | null): string => line('csv', ['a', 'b'], { a: value, b: 'x' });
    for (const [value, expected] of [
      ['plain', 'plain,x\r\n'],
      ['=1+1', `"'=1+1",x\r\n`],
      ['+x', `"'+x",x\r\n`],
      ['-x', `"'-x",x\r\n`],
      ['-1', '-1,x\r\n'],
      ['-20000000000000000000.5', '-20000000000000000000.5,x\r\n'],
      ['-1+1', `"'-1+1",x\r\n`],
      ['@SUM(A1)', `"'@SUM(A1)",x\r\n`],
      ['\t=1', `"'\t=1",x\r\n`],
      ['\r=1', `"'\r=1",x\r\n`],
      ['a,b', '"a,b",x\r\n'],
      ['say "x"', '"say ""x""",x\r\n'],
      ['a\r\nb', '"a\r\nb",x\r\n'],
      ['', ',x\r\n'],
      [null, ',x\r\n'],
      [7, '7,x\r\n'],
    ] as const) {
      expect(csv(value)).to.equal(expected);
    }
  });

  it('have AE with every digit', () => {
    for (const [aettos, ae] of [
      [0n, '0'],
      [1n, '0.000000000000000001'],
      [10n ** 18n, '1'],
      [20000000000000000000n, '20'],
      [123456789012345678901234n, '123456.789012345678901234'],
      [1500000000000000000n, '1.5'],
    ] as const) {
      expect(inCoins(aettos, 18)).to.equal(ae);
    }
  });
});
