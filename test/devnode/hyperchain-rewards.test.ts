/** What the contracts of a simulated hyperchain pay, what the node's own calls mint, and what the middleware makes of that. */
import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { checkBalances } from '../../src/populate/check-balances.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { NO_WORK, nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { ask, closeDevnodes, generated, readChain } from '../support/devnode.js';
import type { ReadGeneration } from '../support/devnode.js';
import { writeMovements } from '../support/ledger-rows.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

const ELECTION = 'ak_LRbi65kmLtE7YMkG6mvG5TxAXTsPJDZjAtsPuaXtRyPA7gnfJ';
const STAKING = 'ak_KJgjAXMtRF68AbT5A2aC9fTk8PA4WFv26cFSY27fXs6FtYQHK';
const OWNER = 'ak_11111111111111111111111111111115rHyByZ';
const COIN = 10n ** 18n;
const HEAD = 31;
/** Last heights of the epochs of 7 and 5 key blocks in turn. */
const ENDS = [7, 12, 19, 24, 31];
const HOLE = 'ba_4AAAAGoHz9Y=';

describe('the contracts of a simulated hyperchain', () => {
  let devnode: Devnode;
  let chain: ReadGeneration[];
  let server: TestDatabase;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({
      ...{ seed: 'rewards', consensus: 'hyperchain', epochs: [7, 5] },
      ...{ generations: HEAD, txsPerGeneration: 3, emptyShare: 0.5, accounts: 6 },
    });
    chain = await readChain(devnode);
  });
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  const hashOf = (height: number): string => chain[height]!.keyBlock['hash'] as string;
  const flagsOf = (height: number): unknown => chain[height]!.keyBlock['flags'];
  const balance = async (account: string, hash: string): Promise<bigint> => {
    const { body } = await ask(devnode, `/v3/accounts/${account}/hash/${hash}`);
    return BigInt((parseExact(body) as { balance?: bigint }).balance ?? 0);
  };
  /** What a key block changes of a balance. */
  const change = async (account: string, height: number): Promise<bigint> =>
    (await balance(account, hashOf(height))) - (await balance(account, chain[height]!.keyBlock['prev_hash'] as string));

  it('get 100 coins and the fees for the leader two key blocks before, nothing for a hole, and pass the epoch before on to the stakes', async () => {
    /** What came for the leader of each height. */
    const earned = new Map<number, bigint>();
    const holes: number[] = [];
    for (let height = 1; height <= HEAD; height++) {
      const [election, staking] = [await change(ELECTION, height), await change(STAKING, height)];
      const leader = height - 2;
      const paid = election + staking;
      earned.set(leader, paid);
      const hasFees = leader > 0 && chain[leader - 1]!.microBlocks.length > 0;
      if (leader < 1) expect(paid, `${height}`).to.equal(0n);
      else if (flagsOf(leader) === HOLE) {
        holes.push(leader);
        expect(paid, `${height}`).to.equal(0n);
      } else if (hasFees) expect(paid > 100n * COIN && paid < 101n * COIN, `${height}`).to.equal(true);
      else expect(paid, `${height}`).to.equal(100n * COIN);

      const end = ENDS.indexOf(height);
      let sum = 0n;
      if (end > 0) for (let of = (ENDS[end - 2] ?? 0) + 1; of <= ENDS[end - 1]!; of++) sum += earned.get(of)!;
      expect(staking, `stakes at ${height}`).to.equal(sum);
    }
    expect(holes).to.not.be.empty;
  });

  it('pass on only what they have got, also if an epoch ends before its leaders are paid', async () => {
    const short = await generated({
      ...{ seed: 'short', consensus: 'hyperchain', epochs: [3, 1, 1], generations: 24, emptyShare: 1 },
    });
    const keyBlocks = (await readChain(short)).map(({ keyBlock }) => keyBlock);
    /** What the leaders up to a height have earned. */
    const earned = (top: number): bigint =>
      100n *
      COIN *
      BigInt(keyBlocks.filter((one, height) => height > 0 && height <= top && one['flags'] !== HOLE).length);
    const of = async (account: string): Promise<bigint> => {
      const { body } = await ask(short, `/v3/accounts/${account}`);
      return BigInt((parseExact(body) as { balance: bigint }).balance);
    };
    const stakes = (await of(STAKING)) - 12_000_000n * COIN;
    // Epochs end with 20, 23 and 24: the last end passes on what was paid up to key block 22.
    expect(stakes).to.equal(earned(22));
    expect(await of(ELECTION)).to.equal(earned(22) - stakes);
  });

  it('are called by the node in each block, which mints coins for their owner', async () => {
    for (let height = 1; height <= HEAD; height++) {
      const minted = await change(OWNER, height);
      expect(minted, `${height}`).to.equal((ENDS.includes(height) ? 5n : 4n) * 25n * 10n ** 28n);
    }
  });

  it('have the only rows that nothing explains: what they passed on, by the balances of the node', async () => {
    const database = await emptyCopy(server.url);
    const node = nodeAt(devnode.externalUrl);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, 'hc_dev', null);
    const metrics = createMetrics();
    const stopping = new AbortController();
    const checking = checkBalances({
      ...{ database, node, metrics, hasRosetta: false, logger: silent, signal: stopping.signal, work: NO_WORK },
      ...{ fence: fenceBesideWriter, mayWork: () => true, share: 100, pauseMs: 0, secondShare: 1 },
    });
    const valueOf = async (name: 'accountsVerifiedShare' | 'accountMismatches'): Promise<number> =>
      (await metrics[name].get()).values[0]?.value ?? -1;
    const unexplained = async (): Promise<{ id: string; height: number; amount: bigint }[]> => {
      const { rows } = await database.query<{ id: string; height: string; amount: string }>({
        name: 'test.unexplained-rows',
        text: `
          SELECT i.id, m.position >> 33 AS height, m.amount FROM movements AS m JOIN ledger_ids AS i ON i.key = m.account
          WHERE m.kind = ${KINDS.unexplained.code} AND m.position > 0 ORDER BY m.position`,
      });
      return rows.map(({ id, height, amount }) => ({ id, height: Number(height), amount: BigInt(amount) }));
    };
    await eventually(
      async () => [
        await valueOf('accountsVerifiedShare'),
        await valueOf('accountMismatches'),
        (await unexplained()).length,
      ],
      ([share, mismatches, found]) => share === 1 && mismatches === 0 && found! > 0,
    );
    stopping.abort();
    await checking;
    const found = await unexplained();
    expect(found.filter(({ id }) => id !== ELECTION && id !== STAKING)).to.deep.equal([]);
    const passed = found.filter(({ id }) => id === STAKING);
    expect(passed.map(({ height }) => height)).to.deep.equal(ENDS.filter((end) => end > ENDS[0]! && end <= HEAD - 10));
    for (const { height, amount } of passed) expect(amount).to.equal(await change(STAKING, height));
    node.close();
    await database.close();
  });
});
