import { expect } from 'chai';
import { generationTotals } from '../../../src/store/queries/compat/generation-changes.js';
import { cutLedger } from '../../../src/store/projections/ledger-rewrite.js';
import { below, pagesBefore, pagesOf, recordedService, rowsOf, withLimit } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { modelGenerations } from '../../support/compat-generations-model.js';
import type { Amount, Counted, ModelGeneration } from '../../support/compat-generations-model.js';
import { compatModel } from '../../support/compat-model.js';
import { writeMovements } from '../../support/ledger-rows.js';
import { recordedNodeBlocks } from '../../support/recorded-money.js';
import { explained } from '../../support/plans.js';
import { RECORDINGS } from '../../support/recording.js';
import { tamper } from '../../support/roles.js';
import { testApi } from '../../support/api.js';
import { emptyDatabase } from '../../support/seed.js';

type Members = Record<string, unknown>;

/** Of a changes row: what the ledger tells. */
const OF_LEDGER = ['locked_in_auctions', 'burned_in_auctions', 'channels_closed', 'locked_in_channels'] as const;

/** A row of the changes as texts, but the rewards. */
function changesOf(row: ModelGeneration, hasLedger: boolean): Members {
  const { height, last, auctions_ended: _ended, ...members } = row;
  const texts = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));
  const unknown = hasLedger ? {} : Object.fromEntries(OF_LEDGER.map((name) => [name, null]));
  return { height: String(height), ...texts, ...unknown, last_tx_hash: last };
}

/** A row of the totals, from all generations below it. */
function totalsOf(row: ModelGeneration, all: readonly ModelGeneration[], hasLedger: boolean): Members {
  const before = all.filter(({ height }) => height < row.height);
  const sum = (name: Counted | Amount): bigint => before.reduce((total, one) => total + BigInt(one[name]), 0n);
  const ended = sum('names_expired') + sum('names_revoked');
  const counts = {
    active_auctions: sum('auctions_started') - sum('auctions_ended'),
    active_names: sum('names_activated') - ended,
    inactive_names: ended,
    active_oracles: sum('oracles_registered') - sum('oracles_expired'),
    inactive_oracles: sum('oracles_expired'),
    contracts: sum('contracts_created'),
    accounts: sum('accounts'),
  };
  const coins = {
    open_channels: sum('channels_opened') - sum('channels_closed'),
    locked_in_channels: sum('locked_in_channels'),
    locked_in_auctions: sum('locked_in_auctions'),
    burned_in_auctions: sum('burned_in_auctions'),
  };
  const texts = Object.entries({ ...counts, ...coins }).map(([name, value]) => [
    name,
    name in coins && !hasLedger ? null : String(value),
  ]);
  return {
    height: String(row.height),
    ...(Object.fromEntries(texts) as Members),
    total_token_supply: null,
    last_tx_hash: row.last,
  };
}

const withoutRewards = ({
  block_reward: _own,
  dev_reward: _dev,
  sum_block_reward: _sum,
  sum_dev_reward: _devs,
  ...rest
}: Members) => rest;

for (const of of RECORDINGS) {
  describe(`generations of the compatible API over the recording ${of}, compared with a model of them`, () => {
    let service: RecordedService;
    const all = modelGenerations(compatModel(of));
    /** Without genesis, and without the generation that is not finished. */
    const finished = all.slice(1, -1);

    before(async () => {
      service = await recordedService(of);
    });
    after(() => service.close());

    /** Answers are kept until the writer commits, so each request of this suite is another one. */
    let asked = 0;
    const read = (path: string): Promise<Members[]> =>
      rowsOf(service.api, `${path}?direction=forward&int-as-string=true&limit=1000&_=${asked++}`);

    async function same(hasLedger: boolean): Promise<void> {
      const changes = await read('/v3/stats/delta');
      expect(changes.map(withoutRewards)).to.deep.equal(finished.map((row) => changesOf(row, hasLedger)));
      const totals = await read('/v3/stats/total');
      expect(totals.map(withoutRewards)).to.deep.equal(finished.map((row) => totalsOf(row, all, hasLedger)));
      expect(await read('/v2/deltastats')).to.deep.equal(changes);
      expect(await read('/v2/totalstats')).to.deep.equal(totals);
    }

    it('has what changed in each, and the sums before it; null of the coins while the ledger is not written', async () => {
      await same(false);
      const unknown = new Set((await read('/v3/stats/delta')).map((row) => row['block_reward']));
      expect([...unknown]).to.deep.equal([null]);
    });

    it('has the coins of each as soon as the ledger has them', async () => {
      const rules = of.startsWith('realnode-hyperchain') ? null : { delay: 10, treasury: null };
      await writeMovements(service.database, 'ae_dev', rules);
      await same(true);
    });

    it('has the rewards of each, and their sums up to the first that is not known', async () => {
      const changes = await read('/v3/stats/delta');
      const totals = await read('/v3/stats/total');
      const paid = async (kind: string): Promise<Map<string, bigint>> => {
        const sums = new Map<string, bigint>();
        for (const row of await rowsOf(service.api, `/v3/transfers?kind=${kind}&int-as-string=true&limit=100`)) {
          const height = row['height'] as string;
          sums.set(height, (sums.get(height) ?? 0n) + BigInt(row['amount'] as string));
        }
        return sums;
      };
      const [own, dev] = [await paid('reward_block'), await paid('reward_dev')];
      const keyBlocks = await rowsOf(service.api, '/v3/key-blocks?direction=forward&int-as-string=true&limit=100');
      const textOf = (sum: bigint | null): string | null => (sum === null ? null : String(sum));
      let sums: { own: bigint; dev: bigint } | null = { own: 0n, dev: 0n };
      for (const [i, row] of changes.entries()) {
        const height = row['height'] as string;
        const isKnown = keyBlocks[Number(height)]!['beneficiary_reward'] !== null;
        const here = isKnown ? { own: own.get(height) ?? 0n, dev: dev.get(height) ?? 0n } : null;
        expect([row['block_reward'], row['dev_reward']], height).to.deep.equal([
          textOf(here?.own ?? null),
          textOf(here?.dev ?? null),
        ]);
        expect([totals[i]!['sum_block_reward'], totals[i]!['sum_dev_reward']], height).to.deep.equal([
          textOf(sums?.own ?? null),
          textOf(sums?.dev ?? null),
        ]);
        sums = sums === null || here === null ? null : { own: sums.own + here.own, dev: sums.dev + here.dev };
      }
      if (of.startsWith('realnode-hyperchain')) expect(sums).to.equal(null);
      else expect(changes.filter((row) => row['block_reward'] !== null)).to.have.length.above(150);
      if (of === 'realnode') expect(sums!.dev > 0n).to.equal(true);
      if (of !== 'realnode-tokens') return;
      // The node says the same of each.
      const nodeBlocks = recordedNodeBlocks(of);
      for (const row of changes.filter((one) => one['block_reward'] !== null)) {
        const operations = nodeBlocks.get(Number(row['height']) - 1)?.nextKeyBlock ?? [];
        const said = operations.reduce((sum, { type, amount }) => sum + (type === 'Chain.reward' ? amount : 0n), 0n);
        expect(row['block_reward'], String(row['height'])).to.equal(String(said));
      }
    });

    it('has no coins above the ledger, and not those that are being computed again', async () => {
      const known = (rows: readonly Members[], name: string): string[] =>
        rows.filter((row) => row[name] !== null).map(({ height }) => height as string);
      const heights = finished.map(({ height }) => String(height));
      await tamper(service.database, 'INSERT INTO ledger_rewrites (height) VALUES (20)');
      expect(known(await read('/v3/stats/delta'), 'locked_in_channels')).to.deep.equal(
        heights.filter((one) => one !== '20'),
      );
      expect(known(await read('/v3/stats/total'), 'locked_in_channels')).to.deep.equal(heights.slice(0, 20));
      await tamper(service.database, 'DELETE FROM ledger_rewrites');
      await service.database.transaction((tx) => cutLedger(tx, (30n << 33n) + 1n));
      // The key block 30 is the last one that it has: it ends generation 29.
      expect(known(await read('/v3/stats/delta'), 'locked_in_channels')).to.deep.equal(heights.slice(0, 29));
      expect(known(await read('/v3/stats/total'), 'locked_in_channels')).to.deep.equal(heights.slice(0, 30));
    });
  });
}

describe('pages of the generations of the compatible API', () => {
  let service: RecordedService;

  before(async () => {
    service = await recordedService('realnode');
    await writeMovements(service.database, 'ae_dev', { delay: 10, treasury: null });
  });
  after(() => service.close());

  for (const path of [
    '/v3/stats/delta',
    '/v2/deltastats?direction=forward',
    '/v3/stats/total',
    '/v2/totalstats?direction=forward',
    '/v3/stats/delta?scope=gen:3-190',
    '/v3/stats/total?scope=gen:190-3',
    '/v3/stats/total?scope=gen:150-9007199254740991',
  ])
    it(`${path} are the same rows by next, by prev and with any limit`, async () => {
      const all = await rowsOf(service.api, withLimit(path, 1000));
      expect(all).to.have.length.above(60);
      for (const limit of [7, 100]) {
        const pages = await pagesOf(service.api, withLimit(path, limit));
        expect(pages.flatMap(({ data }) => data)).to.deep.equal(all);
        expect((await pagesBefore(service.api, pages.at(-1)!)).flatMap(({ data }) => data)).to.deep.equal(all);
      }
    });

  it('are of the range that is asked for, of finished generations above genesis', async () => {
    const heights = async (path: string): Promise<unknown[]> =>
      (await rowsOf(service.api, path)).map(({ height }) => height);
    expect(await heights('/v3/stats/delta?scope=gen:5-7')).to.deep.equal([5, 6, 7]);
    expect(await heights('/v3/stats/total?scope=gen:7-5')).to.deep.equal([7, 6, 5]);
    expect(await heights('/v3/stats/delta?scope=gen:0-2')).to.deep.equal([1, 2]);
    expect(await heights('/v3/stats/total?scope=gen:212-300')).to.deep.equal([212, 213]);
    expect(await heights('/v3/stats/total?scope=gen:300')).to.deep.equal([]);
    const { data } = (await service.api.json(below('/v3/stats/delta?limit=1'))) as Page;
    expect(data[0]!['height']).to.equal(213);
  });

  it('refuse what they do not know, and wait while a copy of an earlier version is being completed', async () => {
    for (const [query, text] of [
      [
        'interval_by=day',
        'invalid query: interval_by is not a parameter of this path: limit, cursor, direction, scope',
      ],
      ['limit=1001', 'invalid query: limit too large `1001`'],
      ['scope=time:1-2', 'invalid scope: time'],
    ]) {
      const { status, body } = await service.api.get(below(`/v3/stats/total?${query}`));
      expect([status, JSON.parse(body)], query).to.deep.equal([400, { error: text }]);
    }
    for (const projection of ['generation-changes', 'oracle-lives', 'seen-accounts', 'entries-of-oracle-answers'])
      for (const path of ['/v3/stats/delta', '/v3/stats/total', '/v2/deltastats', '/v2/totalstats']) {
        await tamper(service.database, [`INSERT INTO backfills (projection, position) VALUES ('${projection}', -1)`]);
        try {
          const { status, body } = await service.api.get(below(path));
          expect([status, body], `${path} ${projection}`).to.deep.equal([503, '{"error":"not available yet"}']);
        } finally {
          await tamper(service.database, [`DELETE FROM backfills WHERE projection = '${projection}'`]);
        }
      }
  });
});

/** Ends of what rows of sums are of. */
const ENDS = [
  255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 65_791, 65_792, 65_793, 131_071, 131_072, 131_073, 139_998, 139_999,
];

/** An account in each seventh generation, and a key block at each of those heights. */
const LONG = `
  INSERT INTO seen_accounts (id, position) SELECT 'ak_' || n, (n::bigint << 33) + 65536 FROM generate_series(1, 140000, 7) AS n;
  INSERT INTO generations SELECT n, 0, 0, 0, 0, 0, n FROM unnest('{${ENDS.join()},140000}'::bigint[]) AS n;
  INSERT INTO key_blocks (height, hash, prev_hash, prev_key_hash, beneficiary, time, version, target, body)
  SELECT n, 'kh_' || n, 'kh_' || n - 1, 'kh_' || n - 1, 'ak_miner', n, 5, 1, '{}' FROM unnest('{${ENDS.join()},140000}'::bigint[]) AS n`;

describe('sums before generations of a long chain', () => {
  it('are those of all changes below, and read few rows at any height', async () => {
    const seeded = await emptyDatabase();
    try {
      await tamper(seeded.database, LONG);
      await tamper(seeded.database, 'ANALYZE');
      const api = await testApi(seeded.database);
      try {
        const firsts = Array.from({ length: 20_000 }, (_, i) => 1 + 7 * i);
        const expected = ENDS.map((height) => [height, firsts.filter((first) => first < height).length]);
        for (const limit of [1, 3, 1000]) {
          const rows = await rowsOf(api, `/v3/stats/total?direction=forward&limit=${limit}`);
          expect(rows.map(({ height, accounts }) => [height, accounts])).to.deep.equal(expected);
        }
        const changes = await rowsOf(api, '/v3/stats/delta?direction=forward&limit=1000');
        expect(changes.map(({ accounts }) => accounts)).to.deep.equal(
          ENDS.map((height) => firsts.filter((first) => first === height).length),
        );
      } finally {
        await api.close();
      }
      for (const height of ENDS) {
        const one = { low: BigInt(height), high: BigInt(height), ascending: true, take: 2 };
        for (const { touched } of await explained(seeded.database, (db) => generationTotals(db, one)))
          expect(touched, String(height)).to.be.below(600);
      }
    } finally {
      await seeded.drop();
    }
  });
});
