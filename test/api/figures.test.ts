import { expect } from 'chai';
import { coinbase } from '../../src/chain/protocol/rewards.js';
import { compactBytes } from '../../src/chain/encoding/json-walk.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { testApi } from '../support/api.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { append, emptyDatabase, madeBlocks } from '../support/seed.js';
import { plainTransactions } from '../support/slow-model.js';
import type { PlainChain } from '../support/slow-model.js';

type Step = 'hour' | 'day' | 'week' | 'month';

/** When the step of a moment begins. */
function startOf(time: number, step: Step): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (step === 'hour') return Date.UTC(year, month, day, date.getUTCHours());
  if (step === 'day') return Date.UTC(year, month, day);
  if (step === 'week') return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
  return Date.UTC(year, month);
}

/** The figures of a chain, added up block by block. */
function plainFigures(chain: PlainChain, step: Step): Json[] {
  const total = { transactions: 0, size: 0, coinbase: 0n };
  const steps = new Map<number, { heights: number[]; transactions: Transactions }>();
  for (const { height, keyBlock } of chain.generations) {
    const start = startOf((JSON.parse(keyBlock) as { time: number }).time, step);
    const found = steps.get(start) ?? { heights: [], transactions: [] };
    found.heights.push(height);
    found.transactions.push(...plainTransactions(chain).filter((one) => one.height === height));
    steps.set(start, found);
  }
  return [...steps].map(([start, { heights, transactions }]) => {
    const size = transactions.reduce((sum, { text }) => sum + compactBytes(text), 0);
    const issued = heights.reduce((sum, height) => sum + coinbase(height), 0n);
    total.transactions += transactions.length;
    total.size += size;
    total.coinbase += issued;
    return {
      start,
      height: heights.at(-1)!,
      key_blocks: heights.length,
      transactions: transactions.length,
      types: typesOf(transactions),
      fees: feesOf(transactions),
      size,
      coinbase: String(issued),
      total: { ...total, coinbase: String(total.coinbase) },
    };
  });
}

type Transactions = ReturnType<typeof plainTransactions>;

const feesOf = (transactions: Transactions): string =>
  String(transactions.reduce((sum, { tx }) => sum + BigInt(tx['fee'] as bigint), 0n));

function typesOf(transactions: Transactions): Record<string, number> {
  const types: Record<string, number> = {};
  for (const { type } of transactions) types[type] = (types[type] ?? 0) + 1;
  return types;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'a generated chain': () => generatedModel('figures'),
})) {
  describe(`figures of ${what}`, function () {
    this.timeout(60_000);
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    for (const step of ['hour', 'day', 'week', 'month'] as const) {
      it(`are added up by ${step}`, async () => {
        const all = plainFigures(model.chain, step) as { start: number }[];
        const inside = all.filter(({ start }) => start > 0);
        expect(inside).to.have.length.above(0);
        const path = `/middleware/figures/${dayOf(inside[0]!.start)}/${dayOf(inside.at(-1)!.start)}?by=${step}`;
        expect(await model.exact(path)).to.deep.equal(inside);
      });
    }

    it('are counted for each generation and its micro blocks', async () => {
      const { generations } = model.chain;
      const transactions = plainTransactions(model.chain);
      const plain = generations.map(({ height, keyBlock, microBlocks }) => {
        const { hash, time, beneficiary } = JSON.parse(keyBlock) as Record<string, string | number>;
        const own = transactions.filter((one) => one.height === height);
        return {
          ...{ height, hash, time, beneficiary },
          transactions: own.length,
          fees: feesOf(own),
          size: own.reduce((sum, { text }) => sum + compactBytes(text), 0),
          micro_blocks: microBlocks.map(({ hash, header }) => {
            const inside = own.filter(({ blockHash }) => blockHash === hash);
            const { time } = JSON.parse(header) as { time: number };
            return { hash, time, transactions: inside.length, fees: feesOf(inside), types: typesOf(inside) };
          }),
        };
      });
      expect(plain.some(({ micro_blocks }) => micro_blocks.length > 1)).to.equal(true);
      for (let from = 0; from < plain.length; from += 20) {
        const path = `/middleware/figures/generations/${from}/${from + 19}`;
        expect(await model.exact(path), path).to.deep.equal(plain.slice(from, from + 20).reverse());
      }
      expect(await model.exact(`/middleware/figures/generations/${plain.length}/${plain.length}`)).to.deep.equal([]);
      expect(await model.exact('/middleware/figures/generations/5/4')).to.deep.equal([]);
      const { status, body } = await model.api.get('/middleware/figures/generations/0/20');
      expect([status, body]).to.deep.equal([400, '{"reason":"Invalid input: to must be less than 20 above from"}']);
    });
  });
}

describe('figures of steps', () => {
  const DAY = 86_400_000;

  it('are of the days from the first to the last, without those that have no key block', async () => {
    const made = await emptyDatabase();
    // The third block is older than the second, and belongs to its day.
    const times = [DAY, 3 * DAY, 2 * DAY + 5, 3 * DAY + 1, 6 * DAY];
    await append(made.database, null, madeBlocks(times.map((time) => ({ time }))));
    const api = await testApi(made.database);
    const days = async (path: string): Promise<unknown[]> =>
      ((await api.json(`/middleware/figures/${path}`)) as Record<string, number>[]).map(
        ({ start, height, key_blocks }) => [start! / DAY, height, key_blocks],
      );
    const [all, some, none, reversed] = [
      await days('19700101/19700201'),
      await days('19700103/19700104?by=day'),
      await days('19800101/19800201'),
      await days('19700201/19700101'),
    ];
    const [hours, unknown, day] = [
      await api.get('/middleware/figures/19700101/19800101?by=hour'),
      await api.get('/middleware/figures/19700101/19700102?by=year'),
      await api.get('/middleware/figures/19700101/19700132'),
    ];
    await api.close();
    await made.drop();

    expect(all).to.deep.equal([
      [1, 0, 1],
      [3, 3, 3],
      [6, 4, 1],
    ]);
    expect(some).to.deep.equal([[3, 3, 3]]);
    expect([none, reversed]).to.deep.equal([[], []]);
    expect([hours.status, hours.body]).to.deep.equal([
      400,
      '{"reason":"Invalid input: to must be at most 800 hours after from"}',
    ]);
    expect([unknown.status, unknown.body]).to.deep.equal([
      400,
      '{"reason":"Invalid input: by must be one of hour, day, week, month"}',
    ]);
    expect(day.status).to.equal(400);
  });
});
