import { expect } from 'chai';
import { eventHash } from '../../../src/chain/event-names.js';
import { activeAccounts } from '../../../src/store/projections/active-accounts.js';
import { testApi } from '../../support/api.js';
import type { TestApi } from '../../support/api.js';
import { below, pagesOf, recordedService } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { accountsIn, compatModel, wordOf } from '../../support/compat-model.js';
import type { CompatModel } from '../../support/compat-model.js';
import * as model from '../../support/compat-series-model.js';
import type { Step, Timed } from '../../support/compat-series-model.js';
import { recordedLogs } from '../../support/recorded-logs.js';
import { RECORDINGS } from '../../support/recording.js';
import { tamper } from '../../support/roles.js';
import { countAccounts } from '../../support/filled.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../../support/seed.js';

interface CountRow {
  start_date: string;
  end_date: string;
  count: number;
}

const STEPS: Step[] = ['day', 'week', 'month'];

for (const of of RECORDINGS) {
  describe(`series of the compatible API over the recording ${of}, compared with a model of it`, () => {
    let service: RecordedService;
    let api: TestApi;
    let chain: CompatModel;
    let blocks: Timed[];

    before(async () => {
      chain = compatModel(of);
      blocks = model.timedBlocks(chain);
      service = await recordedService(of);
      ({ api } = service);
    });
    after(() => service.close());

    const rows = async (path: string): Promise<CountRow[]> =>
      (await pagesOf(api, path)).flatMap(({ data }) => data as unknown as CountRow[]);

    /** Rows that must be there if these things happened in these blocks. */
    const expectedRows = (step: Step, happened: readonly Timed[]): CountRow[] => {
      const starts = happened.map((block) => model.startOf(blocks, step, block));
      return model
        .intervals(blocks, step)
        .map((dates) => ({ ...dates, count: starts.filter((start) => start === dates.start_date).length }));
    };

    /** The block of each transaction. */
    const minedIn = (type?: string): Timed[] => {
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      return chain.transactions
        .filter(({ tx }) => type === undefined || tx['type'] === type)
        .map(({ microBlock }) => byHash.get(microBlock)!);
    };

    const same = async (path: string, step: Step, expected: CountRow[]): Promise<void> => {
      const query = `${path.includes('?') ? '&' : '?'}interval_by=${step}&limit=1000`;
      expect(await rows(`${path}${query}&direction=forward`), `${path} ${step}`).to.deep.equal(expected);
      expect(await rows(`${path}${query}`), `${path} ${step}`).to.deep.equal([...expected].reverse());
    };

    it('has the transactions of each interval, of all types and of each', async () => {
      for (const step of STEPS) await same('/v3/stats/transactions', step, expectedRows(step, minedIn()));
      for (const type of new Set(chain.transactions.map(({ tx }) => tx['type'] as string)))
        await same(`/v3/stats/transactions?tx_type=${wordOf(type)}`, 'day', expectedRows('day', minedIn(type)));
    });

    it('has the blocks of each interval', async () => {
      const keys = blocks.filter(({ kind }) => kind === 'key');
      const micros = blocks.filter(({ kind }) => kind === 'micro');
      for (const step of STEPS) {
        await same('/v3/stats/blocks', step, expectedRows(step, blocks));
        await same('/v3/stats/blocks?type=key', step, expectedRows(step, keys));
        await same('/v3/stats/blocks?type=micro', step, expectedRows(step, micros));
      }
    });

    it('has the average difficulty and hash rate of each interval', async () => {
      for (const step of STEPS) {
        const starts = chain.keyBlocks.map(({ block, height }) => ({
          start: model.startOf(
            blocks,
            step,
            blocks.find((one) => one.kind === 'key' && one.height === height)!,
          ),
          difficulty: model.difficultyOf(Number(block['target'])),
        }));
        const expected = model.intervals(blocks, step).map((dates) => {
          const own = starts.filter(({ start }) => start === dates.start_date).map(({ difficulty }) => difficulty);
          return { ...dates, count: Number(model.average(own)) };
        });
        await same('/v3/stats/difficulty', step, expected);
        const rate = ({ count, ...dates }: CountRow): CountRow => ({
          ...dates,
          count: Math.round((count * 42) / 180_000 / 1_000),
        });
        await same('/v3/stats/hashrate', step, expected.map(rate));
      }
    });

    it('has the contracts and names of each interval that the lists have', async () => {
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      const contracts = (await pagesOf(api, '/v3/contracts?limit=100')).flatMap(({ data }) => data);
      const created = contracts.map(({ block_hash: hash }) => byHash.get(hash as string)!);
      const names = (await pagesOf(api, '/v3/names?limit=100')).flatMap(({ data }) => data);
      const activated = names.flatMap(
        ({ active_from: height }) => blocks.find((one) => one.kind === 'key' && one.height === height) ?? [],
      );
      for (const step of STEPS) {
        await same('/v3/stats/contracts', step, expectedRows(step, created));
        await same('/v3/stats/names', step, expectedRows(step, activated));
      }
    });

    it('has the transfers and mints of tokens of AEX-9 of each interval', async () => {
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      const tokens = new Set(
        (await pagesOf(api, '/v3/aex9?limit=100')).flatMap(({ data }) => data.map((row) => row['contract_id'])),
      );
      const sizes = new Map([
        [eventHash('Transfer'), 4],
        [eventHash('Mint'), 3],
      ]);
      const moved = recordedLogs(of).filter(
        ({ contract_id: id, topics }) => tokens.has(id) && sizes.get(BigInt(topics[0]!)) === topics.length,
      );
      if (of !== 'realnode') expect(moved).to.have.length.above(3);
      const minedAt = moved.map(({ block_hash: hash }) => byHash.get(hash)!);
      for (const step of STEPS) await same('/v3/stats/aex9-transfers', step, expectedRows(step, minedAt));
    });

    it('has the accounts that transactions named first in each interval', async () => {
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      const seen = new Set<string>();
      const firsts = chain.transactions.flatMap((transaction) => {
        const found = new Set(accountsIn(transaction).filter((id) => !seen.has(id)));
        for (const id of found) seen.add(id);
        return [...found].map(() => byHash.get(transaction.microBlock)!);
      });
      expect(firsts).to.have.length.above(3);
      for (const step of STEPS) await same('/v3/stats/total-accounts', step, expectedRows(step, firsts));
    });

    it('has the accounts that transactions of each interval named, whatever part of them was counted before', async () => {
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      try {
        for (const size of [undefined, 1, 25]) {
          await tamper(service.database, 'DELETE FROM active_accounts');
          if (size !== undefined) await countAccounts(service.database, size);
          for (const step of STEPS) {
            const active = new Map<string, Set<string>>();
            for (const transaction of chain.transactions) {
              const start = model.startOf(blocks, step, byHash.get(transaction.microBlock)!);
              const known = active.get(start) ?? new Set();
              active.set(start, known);
              for (const id of accountsIn(transaction)) known.add(id);
            }
            await same(
              '/v3/stats/active-accounts',
              step,
              model
                .intervals(blocks, step)
                .map((dates) => ({ ...dates, count: active.get(dates.start_date)?.size ?? 0 })),
            );
          }
        }
      } finally {
        await tamper(service.database, 'DELETE FROM active_accounts');
      }
    });

    it('counts the transactions between two days, and within a scope', async () => {
      const count = (query: string): Promise<unknown> => api.json(below(`/v3/stats/transactions/total${query}`));
      const all = chain.transactions;
      expect(await count('')).to.equal(all.length);
      const days = model.intervals(blocks, 'day').map(({ start_date: start }) => start);
      const byHash = new Map(blocks.map((block) => [block.hash, block]));
      for (const [from, to] of [
        [days[0]!, days[0]!],
        [days[0]!, days.at(-1)!],
        [days.at(-1)!, days.at(-1)!],
        ['1999-01-01', '2099-12-31'],
        ['2099-01-01', '2099-12-31'],
        [days.at(-1)!, '2001-01-01'],
      ]) {
        const own = all.filter(({ microBlock }) => {
          const start = model.startOf(blocks, 'day', byHash.get(microBlock)!);
          return start >= from! && start <= to!;
        });
        expect(await count(`?min_start_date=${from}&max_start_date=${to}`), `${from} ${to}`).to.equal(own.length);
        const spends = own.filter(({ tx }) => tx['type'] === 'SpendTx').length;
        expect(await count(`?min_start_date=${from}&max_start_date=${to}&tx_type=spend`)).to.equal(spends);
      }
      const within = all.filter(({ height }) => height >= 10 && height <= 30);
      expect(await count('?scope=gen:30-10')).to.equal(within.length);
      expect(await count('?scope=gen:10-30&tx_type=spend')).to.equal(
        within.filter(({ tx }) => tx['type'] === 'SpendTx').length,
      );
    });

    it('has the records of the chain, and the last 24 hours', async () => {
      const stats = (await api.json(below('/v3/stats'))) as Record<string, unknown>;
      expect(await api.json(below('/v2/stats'))).to.deep.equal(stats);
      const rates = chain.keyBlocks.slice(0, -1).map(({ block, microBlocks, transactions }) => {
        const took = Number(microBlocks.at(-1)?.header['time'] ?? 0) - Number(block['time']);
        return took > 0 ? Math.round((transactions * 100_000) / took) / 100 : 0;
      });
      const best = Math.max(...rates);
      expect(stats['max_transactions_per_second']).to.equal(best);
      expect(stats['max_transactions_per_second_block_hash']).to.equal(
        chain.keyBlocks[rates.indexOf(best)]!.block['hash'],
      );
      const fees = chain.transactions.map(({ tx }) => Number(tx['fee'] ?? 0));
      expect(stats['last_24hs_transactions']).to.equal(fees.length);
      expect(stats['last_24hs_average_transaction_fees']).to.be.closeTo(
        fees.reduce((sum, fee) => sum + fee, 0) / fees.length,
        1,
      );
      expect([stats['transactions_trend'], stats['fees_trend'], stats['holders_count']]).to.deep.equal([1, 1, null]);
      const keys = blocks.filter(({ kind }) => kind === 'key');
      expect(stats['milliseconds_per_block']).to.equal(
        Math.round((keys.at(-1)!.time - keys[1]!.time) / (keys.length - 2)),
      );
      const producers = new Set(chain.keyBlocks.slice(1).map(({ block }) => block['beneficiary'])).size;
      const [own, other] = [stats['miners_count'], stats['validators_count']];
      expect([own, other]).to.deep.equal(
        of.startsWith('realnode-hyperchain') ? [undefined, producers] : [producers, undefined],
      );
    });

    it('has the miners of each interval, those of the most blocks first', async () => {
      if (of.startsWith('realnode-hyperchain')) {
        for (const path of ['top', 'top-24h']) {
          const { status, body } = await api.get(below(`/v3/stats/miners/${path}`));
          expect([status, body]).to.deep.equal([
            400,
            '{"error":"This endpoint is not available on a hyperchain node"}',
          ]);
        }
        return;
      }
      for (const step of STEPS) {
        const counted = new Map<string, number>();
        for (const { height, block } of chain.keyBlocks.filter((one) => one.height > 0)) {
          const at = blocks.find((one) => one.kind === 'key' && one.height === height)!;
          const key = `${model.startOf(blocks, step, at)} ${block['beneficiary'] as string}`;
          counted.set(key, (counted.get(key) ?? 0) + 1);
        }
        const expected = [...counted]
          .map(([key, mined]) => ({ start: key.split(' ')[0]!, miner: key.split(' ')[1]!, mined }))
          .sort((a, b) =>
            b.start > a.start ? 1 : b.start < a.start ? -1 : b.mined - a.mined || (b.miner > a.miner ? 1 : -1),
          );
        for (const limit of [1, 2, 1000]) {
          const found = (await pagesOf(api, `/v3/stats/miners/top?interval_by=${step}&limit=${limit}`)).flatMap(
            ({ data }) => data,
          );
          expect(
            found.map((row) => ({ start: row['start_date'], miner: row['miner'], mined: row['blocks_mined'] })),
          ).to.deep.equal(expected);
        }
      }
      const last = blocks.at(-1)!.time;
      const recent = chain.keyBlocks.filter(
        ({ height }) =>
          height > 0 && blocks.find((one) => one.kind === 'key' && one.height === height)!.time > last - 86_400_000,
      );
      const miners = (await api.json(below('/v3/stats/miners/top-24h'))) as { miner: string; blocks_mined: number }[];
      expect(miners.reduce((sum, { blocks_mined: mined }) => sum + mined, 0)).to.equal(recent.length);
    });
  });
}

describe('pages of the series of the compatible API', () => {
  let service: RecordedService;
  let api: TestApi;

  before(async () => {
    service = await recordedService('realnode');
    ({ api } = service);
  });
  after(() => service.close());

  const LISTS = [
    '/v3/stats/transactions?interval_by=day',
    '/v3/stats/blocks?direction=forward&type=micro',
    '/v3/stats/difficulty?scope=gen:5-214',
    '/v3/stats/aex9-transfers?interval_by=day',
    '/v3/stats/total-accounts?interval_by=week',
    '/v3/stats/active-accounts?interval_by=day',
    '/v3/stats/miners/top',
  ];

  for (const path of LISTS)
    it(`${path} are the same rows by next, by prev and with any limit`, async () => {
      const all = (await pagesOf(api, `${path}${path.includes('?') ? '&' : '?'}limit=1000`)).flatMap(
        ({ data }) => data,
      );
      for (const limit of [1, 3, 7]) {
        const pages = await pagesOf(api, `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`);
        expect(pages.flatMap(({ data }) => data)).to.deep.equal(all);
        const back = [pages.at(-1)!];
        while (back[0]!.prev !== null) back.unshift((await api.json(below(back[0]!.prev))) as Page);
        expect(back.flatMap(({ data }) => data)).to.deep.equal(all);
      }
    });

  it('do not count part of what a copy of an earlier version is still getting', async () => {
    for (const [path, projection] of [
      ['aex9-transfers', 'contract-logs'],
      ['aex9-transfers', 'tokens'],
      ['total-accounts', 'entries-of-oracle-answers'],
      ['total-accounts', 'seen-accounts'],
      ['active-accounts', 'entries-of-oracle-answers'],
    ]) {
      await tamper(service.database, [`INSERT INTO backfills (projection, position) VALUES ('${projection}', -1)`]);
      try {
        const { status, body } = await api.get(below(`/v3/stats/${path}`));
        expect([status, body]).to.deep.equal([503, '{"error":"not available yet"}']);
      } finally {
        await tamper(service.database, [`DELETE FROM backfills WHERE projection = '${projection}'`]);
      }
    }
  });

  it('refuse parameters that are no dates, intervals or known ones', async () => {
    for (const [query, text] of [
      ['interval_by=year', 'invalid query: interval_by=year'],
      ['min_start_date=2024-02-30', 'invalid query: min_start_date=2024-02-30'],
      ['max_start_date=1', 'invalid query: max_start_date=1'],
      ['tx_type=moon', 'invalid transaction type: moon'],
      ['limit=1001', 'invalid query: limit too large `1001`'],
      ['scope=txi:1-2', 'invalid scope: txi'],
    ]) {
      const { status, body } = await api.get(below(`/v3/stats/transactions?${query}`));
      expect([status, JSON.parse(body)], query).to.deep.equal([400, { error: text }]);
    }
    const { status } = await api.get(below('/v3/stats/names?moon=1'));
    expect(status).to.equal(400);
  });
});

/** Hours between generations: over midnights, months and empty days, and back. */
const HOURS = [7, 11, 5.999, 0.001, 24, -3, 20, 49, 1, 200, 0.0005, -26, 60, 13, 730, 2, 5, 11.9995, 0.0001, 24];

const [TRANSFER, MINT, BURN] = ['Transfer', 'Mint', 'Burn'].map(eventHash);

/** In each transaction a transfer and a mint of a token, and what is none: events of a collection or of no token, with other names, or with too many or too few members. */
const TOKEN_EVENTS = [
  `INSERT INTO tokens (contract_id, position, created, kind)
  SELECT 'ct_' || kind, (SELECT min(position) FROM transactions), true, kind FROM unnest('{9,141,0}'::smallint[]) AS kind`,
  `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
  SELECT t.position, row_number() OVER (PARTITION BY t.position), 'ct_' || e.kind, e.topics, 'cb_Xfbg4g=='
  FROM transactions AS t CROSS JOIN (VALUES
    (9, ARRAY[${TRANSFER}, 1, 2, 3]), (9, ARRAY[${MINT}, 1, 3]), (141, ARRAY[${TRANSFER}, 1, 2, 3]), (141, ARRAY[${MINT}, 1, 3]),
    (0, ARRAY[${TRANSFER}, 1, 2, 3]), (1, ARRAY[${MINT}, 1, 3]), (9, ARRAY[${BURN}, 1, 3]), (9, ARRAY[${TRANSFER}, 1, 2]), (9, ARRAY[${MINT}, 1, 2, 3])
  ) AS e (kind, topics)`,
];

/** Senders that come again, and new ones. */
const senderOf = (height: number, block: number, index: number): string =>
  madeHash('ak', `sender ${(height * height + block * 7 + index) % 61}`);

describe('series of the compatible API over a chain of many months, whose clock goes back at times', () => {
  it('add up to the whole chain, and are those of the model', async () => {
    const seeded = await emptyDatabase();
    const BEGIN = Date.UTC(2024, 0, 30, 17, 0, 0);
    try {
      let time = BEGIN;
      const generations = Array.from({ length: 120 }, (_, i) => {
        time += HOURS[i % HOURS.length]! * 3_600_000;
        return {
          time: i === 0 ? 0 : Math.round(time),
          microBlocks: Array.from({ length: i % 4 }, (_micro, n) =>
            Array.from({ length: 1 + ((i + n) % 3) }, (_one, k) => ({ sender: senderOf(i, n, k) })),
          ),
        };
      });
      const made = madeBlocks(generations);
      await append(seeded.database, null, made);
      await tamper(seeded.database, TOKEN_EVENTS);
      const api = await testApi(seeded.database);
      try {
        const keyBlocks = generations.map(({ time: at, microBlocks }, height) => ({
          height,
          block: { time: String(at), hash: `kh_${height}` },
          transactions: microBlocks.flat().length,
          microBlocks: microBlocks.map((transactions, n) => ({
            hash: `mh_${height}_${n}`,
            header: { time: String(at + 3000 * (n + 1)) },
            transactions: transactions.length,
          })),
        }));
        const blocks = model.timedBlocks({ keyBlocks, transactions: [] });
        const sizes = new Map(keyBlocks.flatMap((one) => one.microBlocks).map((one) => [one.hash, one.transactions]));
        for (const step of STEPS) {
          const starts = blocks.map((block) => ({ block, start: model.startOf(blocks, step, block) }));
          const expected = model.intervals(blocks, step).map((dates) => {
            const own = starts.filter(({ start }) => start === dates.start_date).map(({ block }) => block);
            return {
              ...dates,
              blocks: own.length,
              transactions: own.reduce((sum, { hash }) => sum + (sizes.get(hash) ?? 0), 0),
            };
          });
          expect(expected.length).to.be.above(3);
          const seen = new Set<string>(['bob']);
          const known = starts.flatMap(({ block, start }) => {
            const [, height, n] = block.hash.split('_').map(Number);
            const own = generations[height!]!.microBlocks[n!] ?? [];
            return own.flatMap(({ sender }) => (seen.has(sender) ? [] : (seen.add(sender), [start])));
          });
          // The recipient of all of them is there from the first transaction on.
          known.unshift(starts.find(({ block }) => sizes.has(block.hash))!.start);
          const accounts = `/v3/stats/total-accounts?interval_by=${step}&direction=forward&limit=7`;
          expect((await pagesOf(api, accounts)).flatMap(({ data }) => data.map((row) => row['count']))).to.deep.equal(
            expected.map(({ start_date: date }) => known.filter((start) => start === date).length),
          );
          const active = new Map<string, Set<string>>();
          for (const { block, start } of starts) {
            const [, height, n] = block.hash.split('_').map(Number);
            const named = (generations[height!]!.microBlocks[n!] ?? []).flatMap(({ sender }) => [sender, 'bob']);
            active.set(start, new Set([...(active.get(start) ?? []), ...named]));
          }
          // Nothing is counted before, some of it, or all that is over.
          for (const [size, parts] of [
            [3, 0],
            [3, 11],
            [3, Infinity],
            [1, Infinity],
            [5_000, Infinity],
          ]) {
            await tamper(seeded.database, 'DELETE FROM active_accounts');
            await countAccounts(seeded.database, size, parts);
            expect(await activeAccounts.wholeChecks![0]!(seeded.database)).to.deep.equal([]);
            const path = `/v3/stats/active-accounts?interval_by=${step}&direction=forward&limit=7`;
            expect((await pagesOf(api, path)).flatMap(({ data }) => data.map((row) => row['count']))).to.deep.equal(
              expected.map(({ start_date: date }) => active.get(date)?.size ?? 0),
            );
          }
          for (const what of ['blocks', 'transactions', 'transactions?tx_type=spend', 'aex9-transfers'] as const) {
            const path = `/v3/stats/${what}${what.includes('?') ? '&' : '?'}interval_by=${step}&direction=forward&limit=7`;
            const rows = (await pagesOf(api, path)).flatMap(({ data }) => data as unknown as CountRow[]);
            expect(rows).to.deep.equal(
              expected.map(({ start_date, end_date, ...counts }) => ({
                start_date,
                end_date,
                count: what === 'blocks' ? counts.blocks : counts.transactions * (what === 'aex9-transfers' ? 2 : 1),
              })),
            );
          }
          if (step === 'day') {
            const last = blocks.at(-1)!.time;
            const within = (from: number, upto: number): number =>
              blocks
                .filter(({ time: at }) => at > last - from * 86_400_000 && at <= last - upto * 86_400_000)
                .reduce((sum, { hash }) => sum + (sizes.get(hash) ?? 0), 0);
            const stats = (await api.json(below('/v3/stats'))) as Record<string, number>;
            const [newer, older] = [within(1, 0), within(2, 1)];
            expect(stats['last_24hs_transactions']).to.equal(newer);
            expect(stats['transactions_trend']).to.equal(Math.round(((newer - older) / newer) * 100) / 100);
          }
          const [from, to] = [expected[1]!.start_date, expected.at(-2)!.start_date];
          const clipped = (await api.json(
            below(`/v3/stats/blocks?interval_by=${step}&min_start_date=${from}&max_start_date=${to}&limit=1000`),
          )) as Page;
          expect(clipped.data.map(({ start_date: start }) => start)).to.deep.equal(
            expected
              .slice(1, -1)
              .map(({ start_date: start }) => start)
              .reverse(),
          );
        }
        // More transactions than a request counts: only what is counted before is answered.
        await tamper(
          seeded.database,
          'UPDATE generations SET tx_total = tx_total + 50000 WHERE height = (SELECT max(height) FROM generations)',
        );
        const days = model.intervals(blocks, 'day').map(({ start_date: date }) => date);
        const path = '/v3/stats/active-accounts?limit=1000';
        const refused = await api.get(below(path));
        expect([refused.status, refused.body]).to.deep.equal([503, '{"error":"not available yet"}']);
        const counted = (await api.json(below(`${path}&max_start_date=${days.at(-2)!}`))) as Page;
        expect(counted.data.map((row) => row['start_date'])).to.deep.equal(days.slice(0, -1).reverse());
      } finally {
        await api.close();
      }
    } finally {
      await seeded.drop();
    }
  });
});
