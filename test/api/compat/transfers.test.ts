import { expect } from 'chai';
import { tamper } from '../../support/roles.js';
import { below, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { compatModel, nested } from '../../support/compat-model.js';
import type { CompatModel } from '../../support/compat-model.js';
import { writeMovements } from '../../support/ledger-rows.js';
import { recordedMoney, recordedNodeBlocks } from '../../support/recorded-money.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };

interface Transfer {
  height: string;
  account_id: string;
  amount: string;
  kind: string;
  ref_tx_hash: string | null;
  ref_tx_type: string | null;
  ref_block_hash: string | null;
}

/** Of the node's operations, the kinds of transfers. */
const KIND_OF: Record<string, string> = {
  'Chain.reward': 'reward_block',
  'Oracle.refund': 'fee_refund_oracle',
  'Oracle.queryfee': 'reward_oracle',
  'Name.refund': 'fee_refund_name',
};

describe('transfers of the compatible API, compared with what a real node says of balances', () => {
  let service: RecordedService;
  let chain: CompatModel;
  /** All, oldest first. */
  let all: Transfer[];
  /** Transactions of which the movements are all that happened. */
  let whole: Set<string>;
  /** Heights whose rewards need call information that the node does not give. */
  let unknown: Set<number>;
  const nodeBlocks = recordedNodeBlocks(OF);

  before(async () => {
    service = await recordedService(OF);
    chain = compatModel(OF);
    await writeMovements(service.database, 'ae_dev', RULES);
    const money = recordedMoney(OF, RULES);
    unknown = new Set(
      money.filter((one) => one.kind === 'key' && one.moves.gaps.includes('result')).map((one) => one.height),
    );
    const transactions = money.flatMap((block) => block.transactions);
    whole = new Set(transactions.filter(({ moves }) => moves.gaps.length === 0).map((one) => one.transaction.hash));
    all = await list('/v3/transfers?direction=forward&limit=100');
  });
  after(() => service.close());

  const list = async (path: string): Promise<Transfer[]> =>
    (await rowsOf(service.api, `${path}&int-as-string=true`)) as unknown as Transfer[];

  /** Rows of a kind at a place, in any order. */
  const shown = (rows: readonly Transfer[]): string[] =>
    rows.map(({ kind, account_id: account, amount }) => `${kind} ${account} ${amount}`).sort();

  it('are the rewards and refunds of each key block', () => {
    let seen = 0;
    for (const { height, nextKeyBlock } of nodeBlocks.values()) {
      if (unknown.has(height + 1)) continue;
      const expected = nextKeyBlock.flatMap(({ type, account, amount }) =>
        KIND_OF[type] === undefined ? [] : [`${KIND_OF[type]} ${account} ${amount}`],
      );
      const own = all.filter(
        (row) => row.height === String(height + 1) && /^(reward_block|reward_dev|fee_refund_oracle)$/.test(row.kind),
      );
      // A query that a contract asked is refunded to it, which no transaction says.
      const known = expected.filter((text) => text.startsWith('reward_block') || shown(own).includes(text));
      expect(shown(own), String(height + 1)).to.deep.equal(known.sort());
      seen += own.length;
    }
    expect(seen).to.be.above(600);
  });

  it('are the fees and refunds of each transaction, with the transaction they are about', () => {
    const kinds = new Set<string>();
    for (const { height, transactions } of nodeBlocks.values()) {
      for (const [hash, operations] of transactions) {
        if (!whole.has(hash)) continue;
        const expected = operations.flatMap(({ type, account, amount }) =>
          KIND_OF[type] === undefined ? [] : [`${KIND_OF[type]} ${account} ${amount}`],
        );
        const locked = operations.find(({ type }) => type === 'Name.lock');
        if (locked !== undefined) {
          const ends = operations.some(({ type }) => type === 'Chain.lock');
          expected.push(`${ends ? 'fee_lock_name' : 'fee_spend_name'} ${locked.account} ${-locked.amount}`);
        }
        for (const text of expected) {
          kinds.add(text.split(' ')[0]!);
          const found = all.filter((row) => row.height === String(height) && shown([row])[0] === text);
          expect(found, `${hash} ${text}`).to.not.deep.equal([]);
          const own = found.find((row) => isAbout(row, hash));
          expect(own, `${hash} ${text}`).to.not.equal(undefined);
        }
      }
    }
    expect([...kinds]).to.have.members([...['fee_lock_name', 'fee_spend_name', 'fee_refund_name', 'reward_oracle']]);
  });

  /** Whether a row that a transaction made refers to the right one. */
  function isAbout(
    { kind, ref_tx_hash: ref, ref_tx_type: type, ref_block_hash: block }: Transfer,
    hash: string,
  ): boolean {
    const at = chain.transactions.findIndex((one) => one.hash === hash);
    const about = chain.transactions.find((one) => one.hash === ref);
    if (about === undefined || about.tx['type'] !== type || about.microBlock !== block) return false;
    const innermost = (of: (typeof chain.transactions)[number]) => nested(of.tx).at(-1)!;
    const own = innermost(chain.transactions[at]!);
    if (kind === 'fee_refund_name') {
      const before = chain.transactions
        .slice(0, at)
        .findLast((one) => innermost(one)['type'] === 'NameClaimTx' && innermost(one)['name'] === own['name']);
      return before?.hash === ref;
    }
    if (kind === 'reward_oracle') {
      const { type: asked, oracle_id: oracle, query_fee: fee } = innermost(about);
      return asked === 'OracleQueryTx' && BigInt(String(fee)) > 0n && String(oracle).length > 0;
    }
    return ref === hash;
  }

  it('lock the highest bid of an auction when it ends, of who won it', async () => {
    const locks = [...nodeBlocks.values()].flatMap(({ height, nextKeyBlock }) =>
      nextKeyBlock.filter(({ type }) => type === 'Chain.lock').map(({ amount }) => ({ height: height + 1, amount })),
    );
    const ends = all.filter(
      ({ kind, height }) => kind === 'fee_lock_name' && locks.some((one) => String(one.height) === height),
    );
    const own = ends.filter(({ ref_tx_hash: ref }) => {
      const about = chain.transactions.find(({ hash }) => hash === ref);
      return about !== undefined;
    });
    expect(own).to.not.deep.equal([]);
    for (const { ref_tx_hash: ref, account_id: account, amount } of own) {
      const bid = nested(chain.transactions.find(({ hash }) => hash === ref)!.tx).at(-1)!;
      expect([bid['type'], bid['account_id'], bid['name_fee']]).to.deep.equal(['NameClaimTx', account, amount]);
      const listed = await list(`/v3/transfers?account=${account}&kind=fee_lock&limit=100`);
      expect(listed.map((row) => row.ref_tx_hash)).to.include(ref);
    }
  });

  it('are the same by account and kind, page by page, in both directions', async () => {
    expect(await list('/v3/transfers?limit=100')).to.deep.equal([...all].reverse());
    expect(await list('/v2/transfers?direction=forward&limit=100')).to.deep.equal(all);
    const accounts = new Set(all.map((row) => row.account_id));
    for (const account of accounts) {
      const own = all.filter((row) => row.account_id === account);
      for (const limit of [3, 100]) {
        const path = `/v3/transfers?account=${account}&limit=${own.length > 300 ? 100 : limit}`;
        expect(await list(`${path}&direction=forward`), path).to.deep.equal(own);
      }
    }
    for (const kind of ['reward', 'fee_', 'fee_refund_oracle', 'accounts', 'reward_blocks']) {
      const own = all.filter((row) => row.kind.startsWith(kind));
      expect(await list(`/v3/transfers?kind=${kind}&direction=forward&limit=100`), kind).to.deep.equal(own);
    }
    const scoped = all.filter(({ height }) => Number(height) >= 40 && Number(height) <= 90);
    expect(await list('/v3/transfers?scope=gen:40-90&limit=7')).to.deep.equal(scoped);
    // Backwards by `prev` from each page.
    const pages = await pagesOf(service.api, '/v3/transfers?scope=gen:40-90&limit=7');
    for (const [i, page] of pages.entries()) {
      if (page.prev === null) continue;
      expect(((await service.api.json(below(page.prev))) as Page).data).to.deep.equal(pages[i - 1]!.data);
    }
    for (const query of ['account=ct_x', `account=${[...accounts][0]!.replace('ak_', 'ct_')}`, 'kind=', 'x=1'])
      expect((await service.api.get(below(`/v3/transfers?${query}`))).status, query).to.equal(400);
  });

  it('are among the activities of an account, page by page', async () => {
    for (const account of [...new Set(all.map((row) => row.account_id))].slice(0, 12)) {
      const path = `/v3/accounts/${account}/activities?direction=forward`;
      const own = all.filter((row) => row.account_id === account);
      const rows = await rowsOf(service.api, `${path}&type=transfers&int-as-string=true&limit=100`);
      const keep = ({ kind, amount, ref_tx_hash }: Transfer) => ({ kind, amount, ref_tx_hash });
      expect(rows.map(({ payload }) => payload)).to.deep.equal(own.map(keep));
      expect(rows.map(({ height, type }) => [height, type])).to.deep.equal(
        own.map(({ height }) => [height, 'InternalTransferEvent']),
      );
      expect(await rowsOf(service.api, `${path}&type=transfers&owned_only=true`)).to.deep.equal([]);
      const whole = await rowsOf(service.api, `${path}&limit=100`);
      expect(whole.filter(({ type }) => type === 'InternalTransferEvent')).to.have.length(own.length);
      if (whole.length > 300) continue;
      expect(await rowsOf(service.api, `${path}&limit=1`)).to.deep.equal(whole);
      const backward = await rowsOf(service.api, `/v3/accounts/${account}/activities?limit=3`);
      expect(backward).to.deep.equal([...whole].reverse());
      const heights = whole.map(({ height }) => Number(height));
      expect(heights).to.deep.equal([...heights].sort((a, b) => a - b));
    }
  });

  it('add up to the reward of a key block, and of each miner', async () => {
    const rows = await rowsOf(service.api, '/v3/key-blocks?direction=forward&limit=100&int-as-string=true');
    const rewards = new Map<string, bigint>();
    const sums = new Map<string, bigint>();
    for (const { height, account_id: account, amount, kind } of all) {
      if (kind !== 'reward_block') continue;
      rewards.set(height, (rewards.get(height) ?? 0n) + BigInt(amount));
      sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount));
    }
    let known = 0;
    for (const { height, beneficiary_reward: reward } of rows) {
      expect(reward === null, String(height)).to.equal(unknown.has(Number(height)));
      if (reward === null) continue;
      known += 1;
      expect(reward, String(height)).to.equal(String(rewards.get(height as string) ?? 0n));
    }
    expect(known).to.be.above(650);
    const miners = await rowsOf(service.api, '/v3/stats/miners?limit=1&int-as-string=true');
    expect(miners).to.not.deep.equal([]);
    for (const { miner, total_reward: total } of miners)
      expect(total).to.equal(String(sums.get(miner as string) ?? 0n));
    expect(await rowsOf(service.api, '/v2/minerstats?direction=forward&int-as-string=true')).to.deep.equal(
      [...miners].reverse(),
    );
  });

  it('of miners are listed page by page, there and back', async () => {
    await tamper(service.database, `INSERT INTO miners VALUES ('ak_1', 1), ('ak_2', 1), ('ak_3', 1)`);
    const all = await rowsOf(service.api, '/v3/stats/miners?limit=100&direction=forward');
    const ids = all.map(({ miner }) => miner as string);
    expect(ids)
      .to.include.members(['ak_1', 'ak_2', 'ak_3'])
      .and.deep.equal([...ids].sort());
    for (const direction of ['forward', 'backward']) {
      const pages = await pagesOf(service.api, `/v3/stats/miners?limit=1&direction=${direction}`);
      expect(pages.flatMap(({ data }) => data)).to.deep.equal(direction === 'forward' ? all : [...all].reverse());
      for (const [i, { prev }] of pages.entries())
        if (i > 0) expect(((await service.api.json(below(prev!))) as Page).data).to.deep.equal(pages[i - 1]!.data);
    }
    await tamper(service.database, `DELETE FROM miners WHERE length(id) = 4`);
  });

  it('are not known of a key block whose generation lacks call information', async () => {
    await tamper(service.database, `INSERT INTO ledger_gaps VALUES (${400n << 33n}, 2) ON CONFLICT DO NOTHING`);
    await tamper(service.database, 'INSERT INTO ledger_rewrites VALUES (402)');
    for (const height of [400, 402])
      expect(await service.api.json(below(`/v3/key-blocks/${height}`))).to.include({ beneficiary_reward: null });
    expect(await service.api.json(below('/v3/key-blocks/401'))).to.not.include({ beneficiary_reward: null });
  });
});
