/** Coins of the genesis block and of hard forks in the compatible API: of the network whose lists are in the package, over a recorded chain with its versions. */
import { expect } from 'chai';
import { readKeyBlock } from '../../../src/chain/facts.js';
import { KINDS } from '../../../src/chain/money/kinds.js';
import { presetsBelow } from '../../../src/chain/money/presets.js';
import { presetsOf } from '../../../src/store/projections/preset-files.js';
import { testApi } from '../../support/api.js';
import { pagesBefore, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { writeMovements } from '../../support/ledger-rows.js';
import { recordedGenerations } from '../../support/recording.js';
import { tamper } from '../../support/roles.js';
import { emptyDatabase } from '../../support/seed.js';

const OF = 'realnode';
const NETWORK = 'ae_mainnet';

describe('coins of the genesis block and of hard forks in the compatible API', () => {
  let service: RecordedService;
  /** As rows, oldest first. */
  const expected: Record<string, unknown>[] = [];

  before(async () => {
    service = await recordedService(OF);
    await writeMovements(service.database, NETWORK, { delay: 10, treasury: null });
    const versions = recordedGenerations(OF).map(({ keyBlock }) => readKeyBlock(keyBlock).version);
    for (const version of [1, 2, 3, 4])
      for (const { account, amount, kind } of (await presetsOf(NETWORK, version))!)
        expected.push({
          ...{ height: String(versions.indexOf(version)), account_id: account, amount: String(amount) },
          ...{ kind: KINDS[kind].transfer, ref_tx_hash: null, ref_tx_type: null, ref_block_hash: null },
        });
  });
  after(() => service.close());

  const list = (path: string): Promise<Record<string, unknown>[]> =>
    rowsOf(service.api, `/v3/transfers?int-as-string=true&${path}`);

  it('are transfers of the kinds that clients know', async () => {
    expect(expected).to.have.length(2_043);
    for (const kind of [
      'accounts_roma',
      'accounts_minerva',
      'accounts_l',
      'accounts',
      'accounts_extra_lima',
      'contracts_lima',
    ]) {
      const own = expected.filter((row) => (row['kind'] as string).startsWith(kind));
      expect(own, kind).to.not.deep.equal([]);
      expect(await list(`kind=${kind}&limit=100&direction=forward`), kind).to.deep.equal(own);
      expect(await list(`kind=${kind}&limit=99`), kind).to.deep.equal([...own].reverse());
    }
  });

  it('are among all transfers, in the order of the chain, and page by page', async () => {
    const all = await list('limit=100&direction=forward');
    expect(all.filter(({ kind }) => /^(accounts|contracts)_/.test(kind as string))).to.deep.equal(expected);
    expect(all.length).to.be.above(expected.length + 100);
    const heights = all.map(({ height }) => Number(height));
    expect(heights).to.deep.equal([...heights].sort((a, b) => a - b));
    const pages = await pagesOf(service.api, '/v3/transfers?limit=40&scope=gen:0-6');
    expect((await pagesBefore(service.api, pages.at(-1)!)).map(({ data }) => data)).to.deep.equal(
      pages.map(({ data }) => data),
    );
  });

  it('are those of an account, and among its activities', async () => {
    const counts = new Map<unknown, number>();
    for (const { account_id: account } of expected) counts.set(account, (counts.get(account) ?? 0) + 1);
    const often = [...counts].filter(([, count]) => count > 2).map(([account]) => account);
    expect(often).to.have.length.above(5);
    for (const account of often.slice(0, 4) as string[]) {
      const own = expected.filter((row) => row['account_id'] === account);
      for (const limit of [1, 100]) {
        expect(await list(`account=${account}&limit=${limit}&direction=forward`)).to.deep.equal(own);
        expect(await list(`account=${account}&kind=accounts&limit=${limit}`)).to.deep.equal([...own].reverse());
      }
      const rows = await rowsOf(service.api, `/v3/accounts/${account}/activities?direction=forward&int-as-string=true`);
      expect(rows.map(({ height, type, payload }) => [height, type, payload])).to.deep.equal(
        own.map(({ height, kind, amount }) => [height, 'InternalTransferEvent', { kind, amount, ref_tx_hash: null }]),
      );
    }
  });

  it('are in the supply, as far as all rewards are known', async () => {
    const rows = await rowsOf(service.api, '/v3/stats/total?direction=forward&int-as-string=true&limit=1000');
    let known = 0;
    for (const { height, total_token_supply: supply, sum_block_reward: own, sum_dev_reward: dev } of rows) {
      const presets = presetsBelow(NETWORK, Number(height))!;
      expect(supply, String(height)).to.equal(
        own === null ? null : String(presets + BigInt(own as string) + BigInt(dev as string)),
      );
      if (own !== null) known += 1;
    }
    expect(known).to.be.above(10);
  });
});

describe('the supply of a network whose administrator gave the coins of the genesis block', () => {
  it('has them, and is not known without them', async () => {
    const service = await recordedService(OF);
    try {
      await writeMovements(service.database, 'ae_own', { delay: 10, treasury: null });
      // Each with a limit of its own: an answer stays in memory until the chain changes.
      const path = '/v3/stats/total?direction=forward&int-as-string=true&limit=';
      for (const row of await rowsOf(service.api, `${path}1000`)) expect(row['total_token_supply']).to.equal(null);
      const coins = 9_007_199_254_740_993n;
      await tamper(
        service.database,
        `UPDATE ledger SET genesis_accounts = '{"ak_a": ${coins - 5n}, "ak_b": 5, "ak_c": 0}'`,
      );
      let known = 0;
      for (const row of await rowsOf(service.api, `${path}999`)) {
        const { total_token_supply: supply, sum_block_reward: own, sum_dev_reward: dev } = row;
        const all = own === null ? null : String(coins + BigInt(own as string) + BigInt(dev as string));
        expect(supply).to.equal(all);
        if (own !== null) known += 1;
      }
      expect(known).to.be.above(10);
      // A later version gives more, from the generation after its first key block on.
      const fork = recordedGenerations(OF).findIndex(({ keyBlock }) => readKeyBlock(keyBlock).version === 3);
      await tamper(service.database, [
        `INSERT INTO forks (version, height) VALUES (3, ${fork}) ON CONFLICT DO NOTHING`,
        `UPDATE ledger SET fork_accounts = '{"3": {"ak_a": 7, "ak_d": ${coins}}, "77": {"ak_a": 1}, "4": {}}'`,
      ]);
      for (const row of await rowsOf(service.api, `${path}997`)) {
        const { height, total_token_supply: supply, sum_block_reward: own, sum_dev_reward: dev } = row;
        const given = Number(height) > fork ? coins + coins + 7n : coins;
        expect(supply).to.equal(own === null ? null : String(given + BigInt(own as string) + BigInt(dev as string)));
      }
      await tamper(service.database, `UPDATE ledger SET genesis_accounts = '{}', fork_accounts = NULL`);
      const [first] = await rowsOf(service.api, `${path}998`);
      expect(first).to.include({ total_token_supply: '0', sum_block_reward: '0' });
    } finally {
      await service.close();
    }
  });
});

/** First heights above the key blocks that give coins, and others. */
const HEIGHTS = [1, 47_800, 47_801, 90_800, 90_801, 161_150, 161_151, 200_000];

/** A reward in each of a few generations. */
const LONG = `
  INSERT INTO ledger (position, network_id, reward_delay) VALUES (300000::bigint << 33, '${NETWORK}', 180);
  INSERT INTO ledger_ids (id) VALUES ('ak_miner');
  INSERT INTO movement_rows (position, account, index, kind, amount, balance)
  SELECT n::bigint << 33, key, 0, 19, 5, 5 FROM ledger_ids, unnest('{${HEIGHTS.join()}}'::bigint[]) AS n;
  INSERT INTO generations SELECT n, 0, 0, 0, 0, 0, n FROM unnest('{${HEIGHTS.join()},200001}'::bigint[]) AS n;
  INSERT INTO key_blocks (height, hash, prev_hash, prev_key_hash, beneficiary, time, version, target, body)
  SELECT n, 'kh_' || n, 'kh_' || n - 1, 'kh_' || n - 1, 'ak_miner', n, 5, 1, '{}' FROM unnest('{${HEIGHTS.join()},200001}'::bigint[]) AS n`;

describe('the supply of the main network', () => {
  it('grows with the key blocks that give coins, and with rewards', async () => {
    const seeded = await emptyDatabase();
    try {
      await tamper(seeded.database, LONG);
      const api = await testApi(seeded.database);
      try {
        const [roma, minerva, fortuna, lima] = [
          89_451_376_822_397_976_634_367_408n,
          27_051_422_546_127_651_538_826_703n,
          72_681_157_406_723_951_132_840_970n,
          86_948_638_040_240_004_719_633_952n,
        ];
        const given = [
          ...[roma, roma, roma + minerva, roma + minerva, roma + minerva + fortuna, roma + minerva + fortuna],
          ...[roma + minerva + fortuna + lima, roma + minerva + fortuna + lima],
        ];
        const rows = await rowsOf(api, '/v3/stats/total?direction=forward&int-as-string=true');
        expect(rows.map(({ height, total_token_supply: supply }) => [height, supply])).to.deep.equal(
          HEIGHTS.map((height, i) => [String(height), String(given[i]! + 5n * BigInt(i))]),
        );
        await tamper(seeded.database, `UPDATE ledger SET network_id = 'ae_dev'`);
        const others = await rowsOf(api, '/v3/stats/total?direction=forward&int-as-string=true&limit=11');
        expect(new Set(others.map((row) => row['total_token_supply']))).to.deep.equal(new Set([null]));
      } finally {
        await api.close();
      }
    } finally {
      await seeded.drop();
    }
  });
});
