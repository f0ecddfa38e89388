/** The Rosetta interface of the simulated node: in the form of a real node, and its sums are the changes of its balances. */
import { expect } from 'chai';
import { readNodeBlock } from '../../src/chain/money/node-operations.js';
import type { NodeBlock } from '../../src/chain/money/node-operations.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { recordedNodeBlocks, recordedRosetta } from '../support/recorded-money.js';
import { recordedGenerations } from '../support/recording.js';
import { shareOf } from '../support/share.js';

interface Tx {
  type: string;
  tx?: { tx: Tx };
}

interface MinedTx {
  hash: string;
  tx: Tx;
}

/** Names of the members at any depth, in the order of the text. */
function membersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/"(\w+)":/g)].map(([, name]) => name!))].sort();
}

const UNRECORDED = [
  'GAMetaTx(ContractCreateTx): GA.amount, Chain.refund',
  'GAMetaTx(ContractCallTx): GA.amount, Chain.refund',
  'ChannelSettleTx: Chain.fee, Channel.settle, Channel.settle, Chain.lock',
];

const typesOf = ({ type, tx }: Tx): string => (tx === undefined ? type : `${type}(${typesOf(tx.tx)})`);

/** The types of operations of transactions, by the types of these. */
function patterns(of: Iterable<readonly [Tx, NodeBlock, string]>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [tx, block, hash] of of) {
    const types = block.transactions.get(hash)!.map(({ type }) => type);
    const own = found.get(typesOf(tx)) ?? new Set();
    // The simulated node does not pay inside contracts.
    const pattern = types.join(', ').replace(/(?<=Contract.amount)(, Spend.amount, Spend.amount)+/, '');
    found.set(typesOf(tx), own.add(pattern));
  }
  return found;
}

describe('the Rosetta interface of the simulated node', () => {
  let devnode: Devnode;
  before(async () => {
    devnode = await startDevnode({
      ...{ external: '127.0.0.1:0', rosetta: '127.0.0.1:0' },
      source: {
        generate: {
          ...{ seed: 'rosetta', generations: 215, txsPerGeneration: 9, microBlocksPerGeneration: 2, accounts: 14 },
        },
      },
    });
  });
  after(() => devnode.close());

  async function ask(body: object): Promise<{ status: number; text: string }> {
    const network_identifier = { blockchain: 'aeternity', network: 'ae_dev' };
    const answer = await fetch(`${devnode.rosettaUrl}/block`, {
      method: 'POST',
      body: JSON.stringify({ network_identifier, ...body }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async function blockAt(height: number): Promise<NodeBlock> {
    const { status, text } = await ask({ block_identifier: { index: height } });
    expect(status, text).to.equal(200);
    return readNodeBlock(text);
  }

  const get = async (path: string): Promise<string> => (await fetch(`${devnode.externalUrl}${path}`)).text();

  const balanceAt = async (account: string, height: number): Promise<bigint> =>
    BigInt(/"balance":(\d+)/.exec(await get(`/v3/accounts/${account}/height/${height}`))?.[1] ?? 0);

  /** Generations of which the operations of an account do not add up to the change of its balance; of a share of all accounts that were ever named. */
  async function wrongSums(): Promise<string[]> {
    const sums: Map<string, bigint>[] = [];
    for (let height = 0; height < devnode.height(); height += 1) {
      const block = await blockAt(height);
      const sum = new Map<string, bigint>();
      for (const { account, amount } of [block.nextKeyBlock, ...block.transactions.values()].flat())
        sum.set(account, (sum.get(account) ?? 0n) + amount);
      sums.push(sum);
    }
    const wrong: string[] = [];
    for (const account of shareOf([...new Set(sums.flatMap((sum) => [...sum.keys()]))])) {
      let before = await balanceAt(account, 0);
      for (const [height, sum] of sums.entries()) {
        const after = await balanceAt(account, height + 1);
        const rest = after - before - (sum.get(account) ?? 0n);
        if (rest !== 0n) wrong.push(`${height} ${account} ${rest}`);
        before = after;
      }
    }
    return wrong;
  }

  it('has the members of a real answer, and its refusals', async () => {
    const [, real] = [...recordedRosetta('realnode-tokens')].find(([, text]) => text.includes('th_3QJmnh'))!;
    const { text } = await ask({ block_identifier: { index: 200 } });
    expect(membersOf(text)).to.deep.equal(membersOf(real));
    const { hash } = readNodeBlock(text);
    expect((await ask({ block_identifier: { hash } })).text).to.equal(text);
    for (const wanted of [{ index: 1_000 }, { hash: 'kh_nonsense' }])
      expect(await ask({ block_identifier: wanted })).to.deep.equal({
        ...{ status: 500, text: '{"reason":"Internal server error"}' },
      });
    expect(await ask({})).to.deep.include({ status: 400 });
  });

  it('adds up to the changes of all balances, rewards and what ends included, after forks too', async () => {
    expect(await wrongSums()).to.deep.equal([]);
    await devnode.fork({ depth: 6, grow: 7, retainTxs: 'some' });
    await devnode.addMicroBlock();
    await devnode.microFork({ drop: 1, keep: 'none', next: 'key-block' });
    expect(await wrongSums()).to.deep.equal([]);
  });

  it('has the operations of each type of transaction that a real node has', async () => {
    const real = recordedNodeBlocks('realnode-tokens');
    const recorded = patterns(
      recordedGenerations('realnode-tokens').flatMap(({ height, microBlocks }) =>
        height >= 703
          ? []
          : microBlocks.flatMap(({ transactions }) =>
              (JSON.parse(transactions) as { transactions: MinedTx[] }).transactions.map(
                ({ hash, tx }) => [tx, real.get(height)!, hash] as const,
              ),
            ),
      ),
    );
    const own: [Tx, NodeBlock, string][] = [];
    for (let height = 0; height < devnode.height(); height += 1) {
      const block = await blockAt(height);
      for (const hash of block.transactions.keys())
        own.push([(JSON.parse(await get(`/v3/transactions/${hash}`)) as MinedTx).tx, block, hash]);
    }
    const found = patterns(own);
    const other: string[] = [];
    for (const [type, shapes] of found)
      for (const shape of shapes) if (recorded.get(type)?.has(shape) === false) other.push(`${type}: ${shape}`);
    // The recording has neither: an inner transaction that fails is one of another type there, and its channels leave nothing.
    expect(other.filter((one) => !UNRECORDED.includes(one))).to.deep.equal([]);
    expect([...found.keys()].filter((type) => recorded.has(type)).length).to.be.above(20);
  });
});
