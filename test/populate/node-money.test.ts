import { expect } from 'chai';
import type { RewardRules } from '../../src/chain/money/key-block.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import { keyPosition } from '../../src/chain/position.js';
import { createRosettaNode } from '../../src/node/rosetta.js';
import type { RosettaNode } from '../../src/node/rosetta.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { keepLedger } from '../../src/populate/ledger.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import { writeIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { cutLedger } from '../../src/store/projections/ledger-rewrite.js';
import { movements } from '../../src/store/projections/movements.js';
import { truncate } from '../../src/store/write/truncate.js';
import { silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { movementDump } from '../support/ledger-rows.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedChanges, recordedNodeBlocks } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { startRosetta } from '../support/rosetta.js';
import type { RosettaAnswer, RosettaServer } from '../support/rosetta.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };
const GENESIS_ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

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

  async function position(): Promise<bigint> {
    const { rows } = await database.query<{ position: string }>({
      name: 'test.ledger',
      text: 'SELECT position FROM ledger WHERE NOT EXISTS (SELECT FROM ledger_rewrites)',
    });
    return BigInt(rows[0]?.position ?? -1);
  }

  /** Works as the populator does, until everything is written and every generation has been asked about at least once. */
  async function work({
    rewards = RULES,
    metrics = createMetrics(),
    isAway = false,
  }: { rewards?: RewardRules | null; metrics?: Metrics; isAway?: boolean } = {}): Promise<void> {
    const stopping = new AbortController();
    const { signal } = stopping;
    const shared = {
      database,
      metrics,
      logger: silent,
      signal,
      fence: fenceBesideWriter,
      mayWork: () => true,
      rosetta: client,
    };
    const enriching = enrich(enrichContext(database, node, signal, shared), (ms) => waitOrAbort(ms / 20, signal));
    const bookkeeping = keepLedger({ ...shared, ...(rewards && { rewards }), pauseMs: 10 });
    try {
      await eventually(
        async () => {
          const isAsked = (await waiting()).every(({ attempts }) => attempts > 0);
          return (isAway || isAsked) && (await position()) >= keyPosition(703);
        },
        (done) => done,
      );
    } finally {
      stopping.abort();
      await Promise.all([enriching, bookkeeping]);
    }
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
    const tables = movements.tables.map(({ name }) => name);
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
  for (const [state, change] of Object.entries(UNUSABLE)) {
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
