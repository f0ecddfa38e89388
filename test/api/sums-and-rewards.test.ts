import { expect } from 'chai';
import { compactBytes, memberText } from '../../src/chain/encoding/json-walk.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { recordedGenerations } from '../support/recording.js';
import { append, emptyDatabase, madeBlocks, madeHash, recordedBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

describe('sums, rewards and times', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  const generations = recordedGenerations();
  const top = generations.length - 1;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, recordedBlocks());
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('add up the bytes of the inner transactions up to a height', async () => {
    let size = 0;
    for (const { height, microBlocks } of generations) {
      for (const { transactions } of microBlocks) {
        for (const tx of (JSON.parse(transactions) as { transactions: unknown[] }).transactions) {
          // JSON.parse loses digits, so sizes are taken from the source text.
          const hash = (tx as { hash: string }).hash;
          const at = transactions.lastIndexOf('{"block_hash"', transactions.indexOf(hash));
          size += compactBytes(memberText(transactions.slice(at), 'tx') ?? '');
        }
      }
      expect(await api.json(`/middleware/size/height/${height}`), String(height)).to.deep.equal({ size });
    }
    expect(await api.json('/middleware/size/current')).to.deep.equal({ size });
    expect(await api.json('/middleware/size/height/99999999999999999999')).to.deep.equal({ size });
    expect(await api.json('/middleware/size/height/-3')).to.deep.equal({ size: 0 });
    expect(await api.json('/middleware/count/current')).to.deep.equal({ count: 444 });
  });

  it('divide the fees of two generations between their leaders', async () => {
    const fees = generations.map(({ microBlocks }) =>
      microBlocks
        .flatMap(
          ({ transactions }) => (JSON.parse(transactions) as { transactions: { tx: { fee: number } }[] }).transactions,
        )
        .reduce((sum, { tx }) => sum + BigInt(tx.fee), 0n),
    );
    expect(fees.some((fee) => fee > 0n)).to.equal(true);
    for (const { height, keyBlock } of generations) {
      const share = (fee: bigint): bigint => (fee * 4n) / 10n;
      const before = fees[height - 1] ?? 0n;
      const earned = height === 0 ? 0n : before - share(before) + share(fees[height] ?? 0n);
      const answer = (await api.json(`/middleware/reward/height/${height}`)) as Record<string, unknown>;
      expect(answer).to.include({
        height,
        beneficiary: (JSON.parse(keyBlock) as { beneficiary: string }).beneficiary,
        fees: String(earned),
      });
      expect(BigInt(answer['total'] as string)).to.equal(BigInt(answer['coinbase'] as string) + earned);
    }
    expect(await api.json('/middleware/reward/height/0')).to.include({ coinbase: '0', fees: '0', total: '0' });
  });

  it('answer 404 for the reward of a height that is not stored', async () => {
    for (const height of [top + 1, -1, '99999999999999999999']) {
      const { status, body } = await api.get(`/middleware/reward/height/${height}`);
      expect([status, body]).to.deep.equal([404, '{"reason":"Not found"}']);
    }
    const island = await emptyDatabase();
    await append(island.database, null, madeBlocks([{}, {}], 500));
    const other = await testApi(island.database);
    const [lowest, next] = [
      await other.get('/middleware/reward/height/500'),
      await other.json('/middleware/reward/height/501'),
    ];
    await other.close();
    await island.drop();

    expect(lowest.status).to.equal(404);
    expect(next).to.deep.equal({
      height: 501,
      coinbase: '247000000000000000000',
      beneficiary: madeHash('ak', 'miner'),
      fees: '0',
      total: '247000000000000000000',
    });
  });

  it('find the lowest height at or after a moment, also if times decrease', async () => {
    const times = [0, 1000, 5000, 3000, 5000, 9000];
    const made = await emptyDatabase();
    await append(made.database, null, madeBlocks(times.map((time) => ({ time }))));
    const other = await testApi(made.database);
    for (const time of [-5, 0, 1, 999, 1000, 1001, 2999, 3000, 3001, 5000, 5001, 9000]) {
      expect(await other.json(`/middleware/height/at/${time}`), String(time)).to.deep.equal({
        height: times.findIndex((one) => one >= time),
      });
    }
    const [late, later, bad] = [
      await other.get('/middleware/height/at/9001'),
      await other.get('/middleware/height/at/999999999999999999999999'),
      await other.get('/middleware/height/at/now'),
    ];
    await other.close();
    await made.drop();

    expect([late.status, late.body]).to.deep.equal([404, '{"reason":"Not found"}']);
    expect(later.status).to.equal(404);
    expect(bad.status).to.equal(400);
  });
});
