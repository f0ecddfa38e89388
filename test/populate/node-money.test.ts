import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RewardRules } from '../../src/chain/money/key-block.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import { keyPosition } from '../../src/chain/position.js';
import { agreeingNodes, createRosettaNode } from '../../src/node/rosetta.js';
import type { ChainNode } from '../../src/node/client.js';
import type { NodePool } from '../../src/node/pool.js';
import type { RosettaNode } from '../../src/node/rosetta.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { checkBalances } from '../../src/populate/check-balances.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { keepLedger } from '../../src/populate/ledger.js';
import { wrongSupply } from '../../src/populate/verify-supply.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import { writeIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { correct, cutLedger } from '../../src/store/projections/ledger-rewrite.js';
import { childContracts } from '../../src/store/projections/child-contracts.js';
import { movements } from '../../src/store/projections/movements.js';
import { truncate } from '../../src/store/write/truncate.js';
import { NO_WORK, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { movementDump } from '../support/ledger-rows.js';
import { keepMoney } from '../support/keep-money.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedBalances, recordedChanges, recordedChildren, recordedNodeBlocks } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { recording } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { startRosetta } from '../support/rosetta.js';
import type { RosettaAnswer, RosettaServer } from '../support/rosetta.js';
import { shareOf } from '../support/share.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };
const GENESIS_ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** The last statement of the migration that keeps which contracts were created. */
const AGAIN = /INSERT INTO ledger_questions[^;]*/.exec(
  readFileSync('migrations/0072_expand_child_contracts.up.sql', 'utf8'),
)![0];

interface Operation {
  type: string;
  amount: { value: string };
}

describe('what a node says of generations', () => {
  let server: TestDatabase;
  let database: Database;
  let rosetta: RosettaServer;
  let client: RosettaNode;
  let whole: Record<string, string[]>;
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    rosetta = await startRosetta(OF);
    client = createRosettaNode({ url: rosetta.url, timeoutMs: 10_000 });
    database = await emptyCopy(server.url);
    await writeIdentity(database, { networkId: 'ae_dev', genesisHash: 'kh_genesis' });
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await work();
    whole = await movementDump(database);
  });
  afterEach(() => {
    rosetta.change = undefined;
  });
  after(async () => {
    client.close();
    await database.close();
    await rosetta.close();
    await server.drop();
  });

  /** The rows are those of the beginning. Their differences are named: there are thousands. */
  async function expectWhole(): Promise<void> {
    const now = await movementDump(database);
    for (const [table, rows] of Object.entries(whole)) {
      const [before, after] = [new Set(rows), new Set(now[table])];
      expect(
        now[table]!.filter((row) => !before.has(row)),
        `new ${table}`,
      ).to.deep.equal([]);
      expect(
        rows.filter((row) => !after.has(row)),
        `lost ${table}`,
      ).to.deep.equal([]);
      expect(now[table]).to.have.length(rows.length);
    }
  }

  async function waiting(): Promise<{ height: number; state: string; attempts: number }[]> {
    const { rows } = await database.query<{ height: number; state: string; attempts: number }>({
      name: 'test.questions',
      text: 'SELECT height::int, state, attempts FROM ledger_questions ORDER BY height',
    });
    return rows;
  }

  /** Whether all rows are written, and of no generation it is to be asked for the first time: as of one moment, because each brings the other. */
  async function isDone(isAway: boolean): Promise<boolean> {
    const { rows } = await database.query<{ is_done: boolean }>({
      name: 'test.ledger',
      text: `
        SELECT position >= $1 AND NOT EXISTS (SELECT FROM ledger_rewrites)
          AND ($2 OR NOT EXISTS (SELECT FROM ledger_questions WHERE attempts = 0)) AS is_done
        FROM ledger`,
      values: [keyPosition(703), isAway],
    });
    return rows[0]?.is_done === true;
  }

  /** Works as the populator does, until everything is written and every generation has been asked about at least once. */
  async function work({
    rewards = RULES,
    metrics = createMetrics(),
    isAway = false,
    asked = client,
  }: { rewards?: RewardRules | null; metrics?: Metrics; isAway?: boolean; asked?: RosettaNode } = {}): Promise<void> {
    await keepMoney({ database, node, rosetta: asked, rewards, metrics }, () => isDone(isAway));
  }

  /** Generations and accounts of which our rows do not say what the node's balances say. */
  async function wrongBalances(): Promise<string[]> {
    const { rows } = await database.query<{ hash: string; id: string; amount: string }>({
      name: 'test.changes',
      text: `
        SELECT COALESCE(b.hash, k.hash) AS hash, a.id, sum(m.amount) AS amount FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account
        LEFT JOIN LATERAL (
          SELECT hash FROM micro_blocks AS b WHERE b.position <= m.position AND m.position < b.position + b.tx_count ORDER BY position DESC LIMIT 1
        ) AS b ON true
        LEFT JOIN key_blocks AS k ON k.height << 33 = m.position GROUP BY 1, 2`,
    });
    const ours = new Map(rows.map(({ hash, id, amount }) => [`${hash} ${id}`, BigInt(amount)]));
    const wrong: string[] = [];
    for (const [hash, changed] of recordedChanges(OF)) {
      for (const [id, change] of changed) {
        const own = ours.get(`${hash} ${id}`) ?? 0n;
        ours.delete(`${hash} ${id}`);
        if (own !== change) wrong.push(`${hash} ${id} ${change - own}`);
      }
    }
    return [...wrong, ...[...ours].flatMap(([place, amount]) => (amount === 0n ? [] : [`${place} ${-amount}`]))];
  }

  async function differing(): Promise<string[]> {
    const found: string[] = [];
    const tables = [movements, childContracts].flatMap((one) => one.tables.map(({ name }) => name));
    const onDifference = (one: ReportedDifference): void => {
      if (tables.includes(one.table)) found.push(JSON.stringify(one));
    };
    await verifyProjections({ database, onDifference });
    return found;
  }

  async function gaps(): Promise<string[]> {
    const { rows } = await database.query<{ text: string }>({
      name: 'test.gaps',
      text: `SELECT (position >> 33) || ' ' || gaps AS text FROM ledger_gaps ORDER BY position`,
    });
    return rows.map(({ text }) => text);
  }

  const unexplained = async (): Promise<number> =>
    (
      await database.query<{ count: number }>({
        name: 'test.unexplained',
        text: `SELECT count(*)::int AS count FROM movements WHERE kind = ${KINDS.unexplained.code}`,
      })
    ).rows[0]!.count;

  const isGenesis = (one: string): boolean => one.includes(GENESIS_ACCOUNT) && one.endsWith(` ${10n ** 31n}`);

  it('makes each balance after each block that of the node, and nothing is unexplained', async () => {
    const wrong = await wrongBalances();
    expect(wrong.filter((one) => !isGenesis(one))).to.deep.equal([]);
    expect(await unexplained()).to.equal(0);
    expect(await differing()).to.deep.equal([]);
    // What is left: the coins of the genesis block, and the last generation, of which nobody can be asked yet.
    expect((await gaps()).filter((one) => !one.startsWith('703 '))).to.deep.equal(['0 16']);
    expect(await waiting()).to.deep.equal([]);
  });

  it('adds up with all that the chain keeps to the supply that the node says, part by part, at every recorded height', async () => {
    const genesis = (await node.keyBlock(0))!.hash;
    const at = { position: 0n, end: 0n, hash: genesis, account: GENESIS_ACCOUNT };
    await database.transaction((tx) => correct(tx, { ...at, amount: 10n ** 31n }));
    const heights: number[] = [];
    for (const [request, { status, body }] of recording(OF)) {
      const [, text] = /^GET \/v3\/debug\/token-supply\/height\/(\d+)$/.exec(request) ?? [];
      if (text === undefined || status !== 200) continue;
      const height = Number(text);
      const block = { height, hash: (await node.keyBlock(height))!.hash };
      expect(await wrongSupply(database, block, body), text).to.deep.equal([]);
      const more = body.replace(/("total":\d+)\d/, '$19');
      expect((await wrongSupply(database, block, more))!.map(({ part }) => part)).to.deep.equal(['total']);
      heights.push(height);
    }
    expect(heights).to.have.length.above(20);
    expect(await wrongSupply(database, { height: 5, hash: genesis }, '{}')).to.equal(undefined);
    await tamper(database, 'DELETE FROM ledger_corrections');
    await database.transaction((tx) => cutLedger(tx, 0n));
    await work();
    await expectWhole();
  });

  it('is what our rows are for each generation, by account and sum', async () => {
    const { rows } = await database.query<{ height: string; id: string; amount: string }>({
      name: 'test.generation-sums',
      text: `
        SELECT (m.position - 1) >> 33 AS height, a.id, sum(m.amount) AS amount
        FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account WHERE m.position > 0 GROUP BY 1, 2 HAVING sum(m.amount) <> 0`,
    });
    const ours = rows.map(({ height, id, amount }) => `${height} ${id} ${amount}`);
    const theirs: string[] = [];
    for (const [height, { nextKeyBlock, transactions }] of recordedNodeBlocks(OF)) {
      const sums = new Map<string, bigint>();
      for (const { account, amount } of [...nextKeyBlock, ...[...transactions.values()].flat()])
        sums.set(account, (sums.get(account) ?? 0n) + amount);
      for (const [account, sum] of sums) if (sum !== 0n) theirs.push(`${height} ${account} ${sum}`);
    }
    expect(ours).to.have.members(theirs);
    expect(theirs.length).to.be.above(1_000);
  });

  it('marks the rows that only it tells of', async () => {
    const { rows } = await database.query<{ kind: number; count: number }>({
      name: 'test.from-node',
      text: 'SELECT kind, count(*)::int AS count FROM movements WHERE from_node GROUP BY kind ORDER BY kind',
    });
    const names = Object.entries(KINDS);
    expect(rows.map(({ kind }) => names.find(([, { code }]) => code === kind)![0])).to.deep.equal([
      ...['spend', 'gas', 'payment', 'name_fee', 'bid', 'bid_refund', 'lock', 'oracle_fee', 'oracle_reward'],
      ...['oracle_refund', 'reward'],
    ]);
  });

  it('is verified with the rows that follow from it', async () => {
    const changes = {
      movement_rows: 'kind = -kind WHERE position = (SELECT max(position) FROM movement_rows WHERE kind < 0)',
      unseen_held: 'amount = -amount WHERE position = (SELECT max(position) FROM unseen_held)',
    };
    for (const [table, change] of Object.entries(changes)) {
      await tamper(database, `UPDATE ${table} SET ${change}`);
      expect((await differing()).join(), table).to.contain(`"table":"${table}"`);
      await database.transaction((tx) => cutLedger(tx, 0n));
      await work();
      await expectWhole();
    }
  });

  it('proves which contracts calls created, and in which transaction', async () => {
    const { rows } = await database.query<{ id: string; hash: string }>({
      name: 'test.children',
      text: 'SELECT c.id, t.hash FROM child_contracts AS c JOIN transactions AS t ON t.position = c.position',
    });
    expect(Object.fromEntries(rows.map(({ id, hash }) => [id, hash]))).to.deep.equal(recordedChildren);
  });

  it('is compared with the contracts that follow from it, which are written again', async () => {
    const changes = ['id = replace(id, right(id, 3), $$xyz$$)', 'position = position + 1', 'index = index + 5'];
    changes.push('creator = id', 'nonce = nonce + 1', 'amount = amount + 1', 'is_certain = false');
    let count = 0;
    for (const [i, change] of changes.entries()) {
      await tamper(database, `UPDATE child_contracts SET ${change} WHERE id = '${Object.keys(recordedChildren)[i]!}'`);
      const found = await differing();
      expect(found.length, change).to.be.above(count);
      expect(found.every((one) => one.includes('"table":"child_contracts"'))).to.equal(true);
      count = found.length;
    }
    const { rows } = await database.query<{ height: number }>({
      name: 'test.child-heights',
      text: 'SELECT DISTINCT (position >> 33)::int AS height FROM child_contracts',
    });
    const heights = rows.map(({ height }) => ({ from: height, to: height }));
    expect((await replaceHeights({ database, node, heights })).failed).to.deep.equal([]);
    await decodeAll(database, node);
    await work();
    await expectWhole();
    expect(await differing()).to.deep.equal([]);
  });

  it('is asked of few generations, at most four at a time', async () => {
    expect(new Set(rosetta.asked).size).to.equal(rosetta.asked.length);
    await forget();
    rosetta.maxInFlight = 0;
    let release: (() => void)[] = [];
    rosetta.change = async (_, recorded) => {
      await new Promise<void>((resolve) => {
        release.push(resolve);
        // Several at a time: what has come in meanwhile waits for the rest.
        if (release.length === 1) setImmediate(() => setImmediate(() => setImmediate(freeAll)));
      });
      return recorded;
    };
    const freeAll = (): void => {
      for (const free of release) free();
      release = [];
    };
    await work();
    expect(rosetta.maxInFlight).to.be.within(1, 4);
    await expectWhole();
  });

  it('is asked for again about what an earlier version did not keep, and the rows of the ledger stay as they are', async () => {
    const rowsAt = async (): Promise<string[]> =>
      (
        await database.query<{ at: string }>({
          name: 'test.versions',
          text: `SELECT position || ' ' || xmin AS at FROM movement_rows ORDER BY position, index`,
        })
      ).rows.map(({ at }) => at);
    const before = await rowsAt();
    // What the migration finds, and does.
    await tamper(
      database,
      `UPDATE node_money SET operations = regexp_replace(operations, ',"made":.*', '}'); ${AGAIN}; UPDATE ledger_questions SET due_at = now()`,
    );
    expect((await movementDump(database))['children']).to.deep.equal([]);
    await keepMoney({ database, node, rosetta: client, rewards: RULES }, async () => (await waiting()).length === 0);
    await expectWhole();
    expect(await rowsAt()).to.deep.equal(before);
  });

  it('is not asked for again when rows are computed again', async () => {
    rosetta.asked.length = 0;
    await database.transaction((tx) => cutLedger(tx, 0n));
    await work();
    await expectWhole();
    const heights = [36, 80, 153, 567].map((height) => ({ from: height, to: height }));
    expect((await replaceHeights({ database, node, heights })).failed).to.deep.equal([]);
    await decodeAll(database, node);
    await work();
    await expectWhole();
    expect(rosetta.asked).to.deep.equal([]);
  });

  it('is asked for again when the blocks change, also when only the key block above does', async () => {
    for (const [height, first] of [
      [153, 152],
      [100, 99],
    ] as const) {
      rosetta.asked.length = 0;
      await database.transaction((tx) => truncate(tx, keyPosition(height)));
      expect(await differing()).to.deep.equal([]);
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      await work();
      await expectWhole();
      const asked = [...recordedNodeBlocks(OF).values()].filter(({ hash }) => rosetta.asked.includes(hash));
      expect(Math.min(...asked.map((one) => one.height))).to.equal(first);
    }
  });

  it('tells the rewards of a network whose delay is not known', async () => {
    await database.transaction((tx) => cutLedger(tx, 0n));
    await work({ rewards: null });
    expect((await wrongBalances()).filter((one) => !isGenesis(one))).to.deep.equal([]);
    expect(await unexplained()).to.equal(0);
    expect(await differing()).to.deep.equal([]);
    await forget();
    await work();
    await expectWhole();
  });

  /** There is no answer, and nothing is written. */
  async function forget(): Promise<void> {
    await tamper(database, 'DELETE FROM node_money');
    await tamper(database, 'DELETE FROM ledger_questions');
    await database.transaction((tx) => cutLedger(tx, 0n));
  }

  /** The first operation of each transaction takes one more. */
  function withOtherFees(body: string): string {
    const answer = JSON.parse(body) as {
      block: {
        transactions: { transaction_identifier: { hash: string }; operations: { amount: { value: string } }[] }[];
      };
    };
    for (const { transaction_identifier: id, operations } of answer.block.transactions) {
      const first = operations[0];
      // Of a GAMetaTx inside a PayingForTx nobody knows the gas: what the node says of it cannot be checked here.
      const isChecked = id.hash !== 'th_3QJmnh' && !id.hash.startsWith('th_t5tt3pihfrH');
      if (isChecked && first !== undefined) first.amount.value = String(BigInt(first.amount.value) - 1n);
    }
    return JSON.stringify(answer);
  }

  const UNUSABLE: Record<string, (hash: string, recorded: RosettaAnswer) => RosettaAnswer> = {
    refused: () => ({ status: 403, body: '{"reason":"Bad request: timeout"}' }),
    no_state: () => ({ status: 410, body: '{"reason":"State was garbage collected"}' }),
    failed: () => ({ status: 500, body: '{"reason":"Internal server error"}' }),
    malformed: (_, { body }) => ({ status: 200, body: body.slice(0, -5) }),
    other_block: (_, { body }) => ({ status: 200, body: body.replace(/th_\w{40,}/, 'th_of_before_the_fork') }),
    contradicts: (_, { body }) => ({ status: 200, body: withOtherFees(body) }),
    away: () => ({ status: 503, body: '', headers: { 'retry-after': '1' } }),
  };
  for (const [state, change] of shareOf(Object.entries(UNUSABLE))) {
    it(`leaves gaps while it is ${state}, and completes the rows as soon as it tells`, async () => {
      await forget();
      rosetta.change = change;
      const metrics = createMetrics();
      await work({ metrics, isAway: state === 'away' });
      const questions = await waiting();
      const states = new Set(questions.map((one) => one.state));
      expect(states.has(state), [...states].join()).to.equal(true);
      expect((await gaps()).length).to.be.above(20);
      expect(await differing()).to.deep.equal([]);
      rosetta.change = undefined;
      await tamper(database, 'UPDATE ledger_questions SET due_at = now(), attempts = 0');
      await work();
      await expectWhole();
    });
  }

  /** Lies that add up: both sides of each payment inside contracts change, or both are missing. */
  const ADDING_UP: Record<string, (pair: [Operation, Operation]) => Operation[]> = {
    'a payment of another amount': ([payer, payee]) => {
      const more = (one: Operation, by: bigint): Operation => ({
        ...one,
        amount: { ...one.amount, value: String(BigInt(one.amount.value) + by) },
      });
      return [more(payer, -3n), more(payee, 3n)];
    },
    'a payment that is missing': () => [],
  };
  describe('with a second node', () => {
    let second: RosettaServer;
    let other: RosettaNode;
    before(async () => {
      second = await startRosetta(OF);
      other = createRosettaNode({ url: second.url, timeoutMs: 10_000 });
    });
    beforeEach(forget);
    afterEach(() => {
      second.change = undefined;
    });
    after(async () => {
      other.close();
      await second.close();
    });

    const lies = (_hash: string, recorded: RosettaAnswer): RosettaAnswer => ({
      ...recorded,
      body: withOtherPayments(recorded.body, ADDING_UP['a payment of another amount']!),
    });

    for (const liar of ['first', 'second'] as const) {
      it(`is not used where the ${liar} one lies so that it adds up, however often it is asked`, async () => {
        (liar === 'first' ? rosetta : second).change = lies;
        await work({ asked: agreeingNodes([client, other], 1) });
        const disputed = await waiting();
        expect(disputed.length).to.be.above(10);
        expect(new Set(disputed.map(({ state }) => state))).to.deep.equal(new Set(['disputed']));
        expect(await differing()).to.deep.equal([]);
        // Of those about which the nodes did not agree, both are asked, whatever the share is. One without an answer does not settle it.
        for (const isSilent of [false, true]) {
          if (isSilent) second.change = () => ({ status: 503, body: '' });
          await tamper(database, 'UPDATE ledger_questions SET due_at = now(), attempts = 0');
          await work({ asked: agreeingNodes([client, other], 0) });
          expect((await waiting()).map(({ height, state }) => [height, state])).to.deep.equal(
            disputed.map(({ height }) => [height, 'disputed']),
          );
        }
        rosetta.change = second.change = undefined;
        await tamper(database, 'UPDATE ledger_questions SET due_at = now(), attempts = 0');
        await work({ asked: agreeingNodes([client, other], 1) });
        await expectWhole();
      });
    }

    it('is what the second one says while the first is away, and counts where the second does not know it', async () => {
      rosetta.change = () => ({ status: 503, body: '', headers: { 'retry-after': '60' } });
      const [away, answering] = [createRosettaNode({ url: rosetta.url, timeoutMs: 10_000 }), other];
      await work({ asked: agreeingNodes([away, answering], 1), isAway: true });
      await tamper(database, 'UPDATE ledger_questions SET due_at = now(), attempts = 0');
      await work({ asked: agreeingNodes([away, answering], 1) });
      await expectWhole();
      away.close();
      await forget();
      rosetta.change = undefined;
      second.change = () => ({ status: 500, body: '{"reason":"Internal server error"}' });
      await work({ asked: agreeingNodes([client, other], 1) });
      await expectWhole();
    });
  });

  for (const [lie, change] of Object.entries(ADDING_UP)) {
    it(`is found to be a lie, if it tells of ${lie}, and no such balance is verified`, async () => {
      await forget();
      rosetta.change = (_, recorded) => ({ ...recorded, body: withOtherPayments(recorded.body, change) });
      await work();
      const answers = recordedBalances(OF);
      const metrics = createMetrics();
      const stopping = new AbortController();
      const checking = checkBalances({
        ...{ database, node: { ...node, get: (path) => Promise.resolve(answers(path)) }, metrics, logger: silent },
        ...{ hasRosetta: true, signal: stopping.signal, work: NO_WORK, fence: fenceBesideWriter },
        ...{ mayWork: () => true, share: 100, pauseMs: 0 },
      });
      await eventually(
        async () => (await metrics.accountsVerifiedShare.get()).values[0]?.value,
        (share) => share !== undefined,
      );
      stopping.abort();
      await checking;
      const wrong = (await wrongBalances()).filter((one) => !isGenesis(one)).map((one) => one.split(' ')[1]!);
      expect(wrong).to.not.deep.equal([]);
      const { rows } = await database.query<{ id: string; height: string }>({
        name: 'test.verified',
        text: `
          SELECT i.id, c.height FROM ledger_checks AS c JOIN ledger_ids AS i ON i.key = c.account WHERE c.wrong_at IS NULL AND c.height >= 693`,
      });
      const verified = new Map(rows.map(({ id, height }) => [id, Number(height)]));
      expect(await stillWrongAt(693, verified, answers)).to.deep.equal([]);
      expect(verified.size).to.be.above(20);
      rosetta.change = undefined;
      await forget();
      await tamper(database, 'DELETE FROM ledger_checks; DELETE FROM ledger_corrections');
      await work();
      await expectWhole();
    });
  }

  it('is found to be a lie by a second node, also after a fork, where the balances of the first one are those of its lie', async () => {
    const answers = recordedBalances(OF);
    const change = ADDING_UP['a payment of another amount']!;
    /** The node has what its lie makes of each account. */
    const get: ChainNode['get'] = async (path) => {
      const [, id, hash] = /^\/accounts\/(.+)\/hash\/(.+)$/.exec(path)!;
      const { rows } = await database.query<{ balance: string }>({
        name: 'test.balance-of-lie',
        text: `
          SELECT m.balance FROM ledger_ids AS i JOIN movement_rows AS m ON m.account = i.key
          WHERE i.id = $1 AND m.position < (
            SELECT (height << 33) + 1 FROM key_blocks WHERE hash = $2 UNION ALL SELECT position + 65536 FROM micro_blocks WHERE hash = $2
          )
          ORDER BY m.position DESC, m.index DESC LIMIT 1`,
        values: [id, hash],
      });
      return { status: 200, text: `{"balance":${rows[0]?.balance ?? '0'}}` };
    };
    const honest: ChainNode = { ...node, get: (path) => Promise.resolve(answers(path)) };
    const liar = { ...node, get };

    async function check(
      asked: ChainNode & Partial<Pick<NodePool, 'others'>>,
      isExpected: (mismatches: number) => boolean,
    ): Promise<void> {
      await tamper(database, 'DELETE FROM ledger_checks');
      const metrics = createMetrics();
      const stopping = new AbortController();
      const checking = checkBalances({
        ...{ database, node: asked, metrics, logger: silent, hasRosetta: true, signal: stopping.signal },
        ...{ work: NO_WORK, fence: fenceBesideWriter, mayWork: () => true, share: 100, pauseMs: 0, secondShare: 1 },
      });
      const valueOf = async (gauge: Metrics['accountMismatches']): Promise<number | undefined> =>
        (await gauge.get()).values[0]?.value;
      await eventually(
        async () => [await valueOf(metrics.accountsVerifiedShare), await valueOf(metrics.accountMismatches)] as const,
        ([share, found]) => share !== undefined && found !== undefined && isExpected(found),
      );
      stopping.abort();
      await checking;
    }

    await forget();
    rosetta.change = (_, recorded) => ({ ...recorded, body: withOtherPayments(recorded.body, change) });
    for (const round of ['at first', 'after a fork']) {
      await work();
      const { rows: accounts } = await database.query<{ id: string }>({
        name: 'test.accounts',
        text: 'SELECT i.id FROM ledger_ids AS i WHERE EXISTS (SELECT FROM movement_rows AS m WHERE m.account = i.key)',
      });
      // No row says what the genesis account had.
      const others = accounts.filter(({ id }) => id !== GENESIS_ACCOUNT);
      const wrong = await stillWrongAt(693, new Map(others.map(({ id }) => [id, 693])), answers);
      expect(wrong.length, round).to.be.above(3);
      // Nothing shows it to whom asks the liar alone.
      await check(liar, (found) => found === 0);
      await check({ ...liar, others: () => [{ url: 'http://other', node: honest }] }, (found) => found >= wrong.length);
      const { rows } = await database.query<{ id: string }>({
        name: 'test.disputed',
        text: 'SELECT i.id FROM ledger_checks AS c JOIN ledger_ids AS i ON i.key = c.account WHERE c.wrong_at IS NOT NULL',
      });
      expect(
        rows.map(({ id }) => id),
        round,
      ).to.include.members(wrong.map((one) => one.split(' ')[0]!));
      if (round === 'after a fork') break;
      await database.transaction((tx) => truncate(tx, keyPosition(40)));
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
    }
    rosetta.change = undefined;
    await forget();
    await tamper(database, 'DELETE FROM ledger_checks; DELETE FROM ledger_corrections');
    await work();
    await expectWhole();
  });

  /** Accounts that are verified though the node has another balance. */
  async function stillWrongAt(
    height: number,
    verified: ReadonlyMap<string, number>,
    answers: ReturnType<typeof recordedBalances>,
  ): Promise<string[]> {
    const { hash } = (await node.keyBlock(height))!;
    const { rows } = await database.query<{ id: string; balance: string }>({
      name: 'test.balances',
      text: `
        SELECT i.id, m.balance FROM ledger_ids AS i CROSS JOIN LATERAL (
          SELECT balance FROM movement_rows WHERE account = i.key AND position <= $1::bigint << 33 ORDER BY position DESC, index DESC LIMIT 1
        ) AS m WHERE i.id LIKE 'ak_%'`,
      values: [height],
    });
    return rows.flatMap(({ id, balance }) => {
      const theirs = /"balance":(\d+)/.exec(answers(`/accounts/${id}/hash/${hash}`).text)?.[1] ?? '0';
      return verified.has(id) && theirs !== balance ? [`${id} ${theirs} ${balance}`] : [];
    });
  }

  function withOtherPayments(body: string, change: (pair: [Operation, Operation]) => Operation[]): string {
    if (body.startsWith('{"reason"')) return body;
    const answer = JSON.parse(body) as { block: { transactions: { operations: Operation[] }[] } };
    for (const transaction of answer.block.transactions) {
      const { operations } = transaction;
      const start = operations.findIndex(({ type }) => type === 'Contract.amount');
      const at = operations.findIndex(
        ({ type, amount }, i) => i > start && type === 'Spend.amount' && amount.value !== '0',
      );
      if (start >= 0 && at >= 0) operations.splice(at, 2, ...change([operations[at]!, operations[at + 1]!]));
    }
    return JSON.stringify(answer);
  }

  it('is not stored if the blocks changed while it was being asked', async () => {
    await database.transaction((tx) => truncate(tx, keyPosition(100)));
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    let hasChanged = false;
    rosetta.change = async (_, recorded) => {
      if (!hasChanged) {
        hasChanged = true;
        // A fork and back: the same blocks are stored again, but nothing is known of them. The ledger writes at the same time: of two
        // transactions that wait for each other, PostgreSQL ends one.
        await eventually(
          () => database.transaction((tx) => truncate(tx, keyPosition(90))).then(() => 'done', String),
          (outcome) => outcome === 'done',
        );
      }
      return recorded;
    };
    const stopping = new AbortController();
    const { signal } = stopping;
    const shared = {
      database,
      metrics: createMetrics(),
      logger: silent,
      signal,
      fence: fenceBesideWriter,
      mayWork: () => true,
    };
    const working = [
      enrich(enrichContext(database, node, signal, { ...shared, rosetta: client }), (ms) =>
        waitOrAbort(ms / 20, signal),
      ),
      keepLedger({ ...shared, rosetta: client, rewards: RULES, pauseMs: 10 }),
    ];
    try {
      await eventually(
        () => Promise.resolve(hasChanged),
        (done) => done,
      );
      await eventually(
        async () => (await waiting()).length,
        (count) => count === 0,
      );
    } finally {
      stopping.abort();
      await Promise.all(working);
    }
    const { rows } = await database.query({
      name: 'test.answered-above',
      text: 'SELECT height FROM node_money WHERE height >= 89',
    });
    expect(rows).to.deep.equal([]);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await work();
    await expectWhole();
  });
});
