import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { recordedGenerations } from '../support/recording.js';
import { append, emptyDatabase, madeBlocks, recordedBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

interface ShownChain {
  total_transactions: number;
  total_micro_blocks: number;
  data: Record<string, JsonObject>;
}

/** The expected answer for one generation, made directly from the recording. */
function expectedOf({ keyBlock, microBlocks }: ReturnType<typeof recordedGenerations>[number]): JsonObject {
  const block = parseExact(keyBlock) as JsonObject;
  const pow = (block['pow'] as number[] | undefined) ?? [0];
  const micros = microBlocks.map(({ hash, header, transactions }) => {
    const { height: _height, ...members } = parseExact(header) as JsonObject;
    const list = (parseExact(transactions) as { transactions: JsonObject[] }).transactions;
    return [hash, { ...members, transactions: Object.fromEntries(list.map((tx) => [tx['hash'] as string, tx])) }];
  });
  return {
    ...block,
    nonce: String((block['nonce'] as bigint | undefined) ?? 0),
    pow: `[${pow.join(', ')}]`,
    micro_blocks: Object.fromEntries(micros) as Json,
  };
}

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

describe('generations between heights', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  const recorded = recordedGenerations();
  const top = recorded.length - 1;
  const told = async (path: string): Promise<ShownChain> => {
    const { status, body } = await api.get(`/middleware/generations/${path}`);
    expect(status, path).to.equal(200);
    return parseExact(body) as unknown as ShownChain;
  };
  const heights = async (path: string): Promise<number[]> => Object.keys((await told(path)).data).map(Number);

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, recordedBlocks());
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('contain all key blocks, micro blocks and transactions with all digits', async () => {
    const answer = await told(`0/${top}`);

    for (const generation of recorded) {
      const actual = answer.data[String(generation.height)] as Json;
      expect(stringifyExact(sorted(actual))).to.equal(stringifyExact(sorted(expectedOf(generation))));
    }
    expect(Object.keys(answer.data)).to.have.length(recorded.length);
    const micros = recorded.flatMap(({ microBlocks }) => microBlocks);
    expect(answer.total_micro_blocks).to.equal(micros.length);
    expect(answer.total_transactions).to.equal(444);
  });

  it('print nonce and pow of genesis, which the node leaves out', async () => {
    const { data } = await told('0/0');

    expect(data['0']).to.include({ nonce: '0', pow: '[0]' });
    expect(data['0']?.['micro_blocks']).to.deep.equal({});
  });

  it('end where the chain ends', async () => {
    expect(await heights(`${top - 1}/99999999999999999999`)).to.deep.equal([top - 1, top]);
    expect(await heights('-7/1')).to.deep.equal([0, 1]);
    for (const outside of ['5/4', `${top + 1}/${top + 9}`, '-9/-3']) {
      expect(await told(outside)).to.deep.equal({ total_transactions: 0, total_micro_blocks: 0, data: {} });
    }
  });

  it('come in pages of generations, newest first', async () => {
    expect(await heights('10/20?limit=4')).to.deep.equal([17, 18, 19, 20]);
    expect(await heights('10/20?limit=4&page=2')).to.deep.equal([13, 14, 15, 16]);
    expect(await heights('10/20?limit=4&page=3')).to.deep.equal([10, 11, 12]);
    expect(await heights('10/20?limit=4&page=4')).to.deep.equal([]);
    expect(await heights('10/20?limit=0')).to.deep.equal([]);
    expect(await heights('10/20?limit=x&page=2')).to.have.length(11);
  });

  it('are all returned without limit, up to the cap, and name the rule that cut them', async () => {
    const long = await emptyDatabase();
    await append(long.database, null, madeBlocks(Array.from({ length: 1010 }, () => ({}))));
    const [wide, narrow] = await Promise.all([testApi(long.database), testApi(long.database, { limitCap: 1000 })]);
    const replies = [
      await wide.get('/middleware/generations/0/5000'),
      await narrow.get('/middleware/generations/0/5000'),
      await narrow.get('/middleware/generations/10/5000'),
      await narrow.get('/middleware/generations/0/5000?limit=1005'),
      await narrow.get('/middleware/new/generations/0/5000'),
    ];
    await Promise.all([wide.close(), narrow.close()]);
    await long.drop();

    const count = (body: string): number => {
      const told = JSON.parse(body) as ShownChain | unknown[];
      return Array.isArray(told) ? told.length : Object.keys(told.data).length;
    };
    const rules = replies.map(({ headers }) => [headers['x-limit-capped'], headers['x-limit-capped-by']]);
    const by = ['true', 'generations'];
    expect(replies.map(({ body }) => count(body))).to.deep.equal([1010, 1000, 1000, 1000, 1000]);
    expect(rules).to.deep.equal([[undefined, undefined], by, [undefined, undefined], by, by]);
  });

  it('end early if there are too many transactions, but contain at least one generation', async () => {
    const full = await emptyDatabase();
    await append(
      full.database,
      null,
      madeBlocks(Array.from({ length: 9 }, () => ({ microBlocks: [Array(30).fill({})] }))),
    );
    const other = await testApi(full.database, { limitCap: 4 });
    const { body, headers } = await other.get('/middleware/generations/0/8');
    const tiny = await testApi(full.database, { limitCap: 1 });
    const one = await tiny.get('/middleware/generations/0/8');
    await Promise.all([other.close(), tiny.close()]);
    await full.drop();

    expect(Object.keys((JSON.parse(body) as ShownChain).data)).to.deep.equal(['7', '8']);
    expect(headers).to.include({ 'x-limit-capped': 'true', 'x-limit-capped-by': 'transactions' });
    expect(Object.keys((JSON.parse(one.body) as ShownChain).data)).to.deep.equal(['8']);
  });

  it('refuse bounds that are no integers', async () => {
    for (const path of ['a/1', '0/b', '0/1.5']) {
      const { status, body } = await api.get(`/middleware/generations/${path}`);
      expect(status, path).to.equal(400);
      expect((JSON.parse(body) as { reason: string }).reason).to.match(/from|to/);
    }
  });
});
