/** The coins of a genesis block that is not built in, as an administrator gives them: the ledger begins with them, and takes no others than the chain has. */
import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { readKeyBlock } from '../../src/chain/facts.js';
import type { RewardRules } from '../../src/chain/money/key-block.js';
import type { GenesisAccounts } from '../../src/chain/money/genesis-accounts.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import type { ChainNode } from '../../src/node/client.js';
import type { Logger } from '../../src/observe/logger.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { checkGenesisAccounts } from '../../src/populate/genesis-accounts.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { keepLedger } from '../../src/populate/ledger.js';
import { verifyLedger } from '../../src/populate/verify-ledger.js';
import { compareWithGenesis } from '../../src/node/balances.js';
import { writeForks, writeIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { beginLedger, extendLedger, takeGenesisAccounts } from '../../src/store/projections/ledger-extend.js';
import { nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { differencesIn } from '../support/filled.js';
import { movementDump } from '../support/ledger-rows.js';
import { compareAllBalances } from '../support/keep-money.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedBalances } from '../support/recorded-money.js';
import type { WithBalances } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordingDatabase } from '../support/recording-database.js';
import { recordedGenerations, recording } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';

const RULES = { delay: 10, treasury: null };

/** Keeps what is warned of. */
function warningLogger(warned: string[]): Logger {
  const logger = Object.create(silent) as Logger;
  logger.warn = ((facts: { reason?: string }, message: string) =>
    void warned.push(`${message} ${facts.reason ?? ''}`.trim())) as Logger['warn'];
  return logger;
}

interface Keeping {
  rewards?: RewardRules | undefined;
  genesis?: GenesisAccounts | undefined;
  node: Pick<ChainNode, 'get'>;
  /** Whether enough was done, in addition. */
  isEnough?: () => boolean;
}

/** Writes all movements as the populator does, or until something is warned of. Returns the warnings. */
async function keep(database: Database, { rewards, genesis, node, isEnough = () => true }: Keeping): Promise<string[]> {
  const stopping = new AbortController();
  const warned: string[] = [];
  const keeping = keepLedger({
    ...{ database, rewards, metrics: createMetrics(), logger: warningLogger(warned), signal: stopping.signal },
    ...{ fence: fenceBesideWriter, mayWork: () => true, pauseMs: 10 },
    genesis: genesis && { accounts: genesis, node },
  });
  const isDone = async (): Promise<boolean> => {
    const { rows } = await database.query<{ done: boolean; given: string | null }>({
      name: 'test.done',
      text: `
        SELECT l.position >= (SELECT max(height) << 33 FROM key_blocks) AND l.network_id = (SELECT network_id FROM chain)
          AND NOT EXISTS (SELECT FROM ledger_rewrites) AS done, l.genesis_accounts::text AS given FROM ledger AS l`,
    });
    const hasTaken = genesis === undefined || rows[0]?.given?.split(',').length === genesis.genesis.size;
    return rows[0]?.done === true && hasTaken && isEnough();
  };
  try {
    await eventually(
      async () => (await isDone()) || warned.some((one) => one.startsWith('Could not')),
      (ended) => ended,
    );
  } finally {
    stopping.abort();
    await keeping;
  }
  return warned;
}

const genesisOf = (...amounts: [string, bigint][]): GenesisAccounts => ({
  ...{ genesis: new Map(amounts), forks: new Map() },
});

const textsOf = async (database: Database, text: string): Promise<string[]> =>
  (await database.query<{ text: string }>({ name: `test.${text.replace(/\W+/g, '').slice(0, 40)}`, text })).rows.map(
    (row) => row.text,
  );

const rowsAtGenesis = (database: Database): Promise<string[]> =>
  textsOf(
    database,
    `SELECT concat_ws(' ', m.kind, m.from_node, a.id, m.amount) AS text
     FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account WHERE m.position = 0 ORDER BY m.index`,
  );

const gapsAtGenesis = (database: Database): Promise<string[]> =>
  textsOf(database, 'SELECT gaps::text AS text FROM ledger_gaps WHERE position = 0');

/** Accounts whose balance after a key block is not the node's, and those that wait for the coins of the genesis block. */
async function wrongAfter(database: Database, node: Pick<ChainNode, 'get'>, height: number): Promise<string[]> {
  const wrong: string[] = [];
  const heights = [{ from: height, to: height }];
  const options = { database, node, heights, share: 100, signal: new AbortController().signal };
  for await (const { is, account } of verifyLedger({ ...options, onProgress: () => undefined }))
    if (is !== 'same') wrong.push(`${is} ${account}`);
  return wrong;
}

const genesisHashOf = (of: WithBalances): string => readKeyBlock(recordedGenerations(of)[0]!.keyBlock).hash;

describe('the coins of a genesis block that is not built in', () => {
  const OF = 'realnode-tokens';
  const ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
  const AMOUNT = 10_000_000_000_000_000_000_000_000_000_000n;
  const GIVEN = genesisOf([ACCOUNT, AMOUNT]);
  const balances = recordedBalances(OF);
  const node: ChainNode = { ...recordedNode(undefined, OF), get: (path) => Promise.resolve(balances(path)) };
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await writeIdentity(database, { networkId: 'ae_dev', genesisHash: genesisHashOf(OF) });
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const network = { networkId: 'ae_dev', genesisHash: genesisHashOf(OF), consensus: 'on_demand' as const };
  const check = (accounts: GenesisAccounts, warned: string[], get = node.get, of: object = {}): Promise<void> =>
    checkGenesisAccounts(database, { ...network, ...of }, { accounts, node: { get }, logger: warningLogger(warned) });

  it('are not taken if a digit is another one than the node has, and nothing is written', async () => {
    const wrong = genesisOf([ACCOUNT, AMOUNT + 1n]);
    const [warning, ...others] = await keep(database, { rewards: RULES, genesis: wrong, node });
    expect(others).to.deep.equal([]);
    expect(warning).to.equal(
      `Could not write what changed balances, will retry GENESIS_ACCOUNTS_FILE: it gives ${ACCOUNT} ${AMOUNT + 1n}, but after the genesis block the node has ${AMOUNT}`,
    );
    expect(await textsOf(database, 'SELECT position::text AS text FROM ledger')).to.deep.equal([]);
  });

  it('are not taken if the node does not have one of the accounts', async () => {
    const absent = genesisOf([ACCOUNT, AMOUNT], ['ak_1GPPzM3VDKCP5RNEbp2uBNtgGTHRNQmrNkeAKGp7wfPWKYQvM', 5n]);
    const [warning] = await keep(database, { rewards: RULES, genesis: absent, node });
    expect(warning).to.match(/ak_1GPP\w+ 5, but after the genesis block the node has 0$/);
  });

  it('are a gap without the setting', async () => {
    expect(await keep(database, { rewards: RULES, node })).to.deep.equal([]);
    expect(await rowsAtGenesis(database)).to.deep.equal([]);
    expect(await gapsAtGenesis(database)).to.deep.equal(['16']);
    expect(await wrongAfter(database, node, 0)).to.deep.equal([`early ${ACCOUNT}`]);
  });

  it('are the first rows of a ledger that begins again with them, without a gap, also in place of what balances told', async () => {
    await database.query({
      name: 'test.told',
      text: 'INSERT INTO ledger_corrections (position, account, amount) VALUES (0, $1, $2)',
      values: [ACCOUNT, AMOUNT],
    });
    expect(await keep(database, { rewards: RULES, genesis: GIVEN, node })).to.deep.equal([]);
    expect(await rowsAtGenesis(database)).to.deep.equal([`${KINDS.preset.code} f ${ACCOUNT} ${AMOUNT}`]);
    expect(await gapsAtGenesis(database)).to.deep.equal([]);
    expect(await textsOf(database, 'SELECT account AS text FROM ledger_corrections')).to.deep.equal([]);
    for (const height of [0, 1, 10]) expect(await wrongAfter(database, node, height), String(height)).to.deep.equal([]);
    expect(await differencesIn(database)).to.deep.equal([]);
    whole = await movementDump(database);
  });

  it('are part of the copy: who loads heights again or goes on without the setting has them, too', async () => {
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: 1 }] });
    expect(failed).to.deep.equal([]);
    await decodeAll(database, node);
    expect(await keep(database, { rewards: RULES, node })).to.deep.equal([]);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are compared with the node once', async () => {
    const asked: string[] = [];
    const ran: { name: string; rows: number }[] = [];
    const get: ChainNode['get'] = (path) => {
      asked.push(path);
      return node.get(path);
    };
    const count = (name: string): number => ran.filter((one) => one.name === name).length;
    // Before a node is asked, and before they are taken.
    const isEnough = (): boolean => count('ledger.has-genesis-accounts') === 2;
    await keep(recordingDatabase(database, ran), { rewards: RULES, genesis: GIVEN, node: { get }, isEnough });
    expect(asked).to.deep.equal([]);
    expect(await movementDump(database)).to.deep.equal(whole);

    await database.query({ name: 'test.again', text: 'UPDATE ledger SET genesis_accounts = NULL' });
    await keep(recordingDatabase(database, ran), { rewards: RULES, genesis: GIVEN, node: { get } });
    expect(asked).to.deep.equal([`/accounts/${ACCOUNT}/hash/${network.genesisHash}`]);
    expect(count('ledger.take-genesis-accounts')).to.equal(1);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are believed, with a warning, if the node has no state of the genesis block any more', async () => {
    const warned: string[] = [];
    const get: ChainNode['get'] = () => Promise.resolve({ status: 410, text: '{"reason":"State not available"}' });
    await check(genesisOf([ACCOUNT, 5n]), warned, get);
    expect(warned).to.deep.equal(['The node does not tell balances after the genesis block: the file is believed']);
  });

  it('are compared account by account, each with all its digits', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `ak_${i}`);
    const get: ChainNode['get'] = (path) =>
      Promise.resolve({ status: 200, text: `{"balance":9007199254740993${/ak_(\d+)/.exec(path)![1]}}` });
    const right = new Map(ids.map((id, i) => [id, BigInt(`9007199254740993${i}`)]));
    await check(genesisOf(...right), [], get);
    for (const i of [0, 7, 8, 19]) {
      const wrong = new Map(right).set(ids[i]!, right.get(ids[i]!)! - 1n);
      const error: unknown = await check(genesisOf(...wrong), [], get).catch((reason: unknown) => reason);
      expect(String(error), ids[i]).to.contain(`it gives ${ids[i]} `);
    }
  });

  it('wait for a node that does not answer', async () => {
    const error: unknown = await check(genesisOf([ACCOUNT, 5n]), [], () => Promise.reject(new Error('away'))).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('message', 'away');
  });

  it('are looked for once in a copy of a network that is built in, however many parts there are to write', async () => {
    await database.query({ name: 'test.built-in', text: "UPDATE chain SET network_id = 'ae_mainnet'" });
    const ran: { name: string; rows: number }[] = [];
    expect(await keep(recordingDatabase(database, ran), { rewards: RULES, node })).to.deep.equal([]);
    const count = (name: string): number => ran.filter((one) => one.name === name).length;
    expect(count('ledger.extend')).to.be.above(1);
    expect(count('ledger.without-presets')).to.equal(1);
  });

  it('are refused for a network that is built in', async () => {
    const error: unknown = await check(GIVEN, [], node.get, { networkId: 'ae_uat' }).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('GENESIS_ACCOUNTS_FILE: the coins of ae_uat are built in: remove the setting');
  });
});

describe('the coins of the genesis block of a hyperchain', () => {
  const OF = 'realnode-hyperchain';
  const balances = recordedBalances(OF);
  const node: ChainNode = { ...recordedNode(undefined, OF), get: (path) => Promise.resolve(balances(path)) };
  const USER = 'ak_Lrpf6hfYBoVAYJLd9toLHrjDP65FrfVm2koCgZQmsUM2jkcua';
  const STAKER = 'ak_n8uKAr4cBAP3JWWbZdZBtYWknpaCkgmG1YGhMYRJAmjVX2eGh';
  const CODE = KINDS.preset.code;
  /** It staked a million coins by a call in the genesis block, and paid for it. */
  const GIVEN = new Map([
    [USER, 5_000_000_000_000_000_000_000n],
    [STAKER, 2_100_000_000_000_000_000_000_000_000n],
  ]);
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await writeIdentity(database, { networkId: 'hc_rec1', genesisHash: genesisHashOf(OF) });
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  it('are rows beside a gap, because contracts moved some in the same block', async () => {
    expect(await keep(database, { genesis: genesisOf(...GIVEN), node })).to.deep.equal([]);
    expect(await rowsAtGenesis(database)).to.deep.equal(
      [...GIVEN].map(([account, amount]) => `${CODE} f ${account} ${amount}`),
    );
    expect(await gapsAtGenesis(database)).to.deep.equal(['16']);
    expect((await wrongAfter(database, node, 0)).filter((one) => one.includes(USER))).to.deep.equal([]);
    expect(await wrongAfter(database, node, 0)).to.include(`early ${STAKER}`);
  });

  it('are completed by the balances of the node, as what is not explained', async () => {
    await compareAllBalances(database, node);
    expect(await wrongAfter(database, node, 0)).to.deep.equal([]);
    const rows = await rowsAtGenesis(database);
    expect(rows.filter((row) => row.includes(USER))).to.deep.equal([`${CODE} f ${USER} ${GIVEN.get(USER)!}`]);
    expect(rows.filter((row) => row.includes(STAKER))).to.deep.equal([
      `${CODE} f ${STAKER} ${GIVEN.get(STAKER)!}`,
      `${KINDS.unexplained.code} t ${STAKER} -1000000000032552660000000`,
    ]);
    expect(await differencesIn(database)).to.deep.equal([]);
  });
});

describe('the coins of the genesis block of a simulated network', () => {
  it('make all its balances those of the node, from the genesis block on', async () => {
    const server = await testDatabase();
    const devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'genesis', generations: 12, txsPerGeneration: 6, accounts: 9 } },
    });
    const node = nodeAt(devnode.externalUrl, { retries: [], proof: 'hashes' });
    const database = await emptyCopy(server.url);
    try {
      const status = (await (await fetch(`${devnode.externalUrl}/v3/status`)).json()) as Record<string, string>;
      const genesisHash = status['genesis_key_block_hash']!;
      await writeIdentity(database, { networkId: 'ae_own', genesisHash });
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      const rewards = { delay: 180, treasury: null };
      await keep(database, { rewards, node });
      const given = new Map<string, bigint>();
      for (const id of await textsOf(database, `SELECT id AS text FROM ledger_ids WHERE id LIKE 'ak_%'`)) {
        const { status: code, text } = await node.get(`/accounts/${id}/hash/${genesisHash}`);
        if (code === 200) given.set(id, BigInt((parseExact(text) as { balance: bigint }).balance));
      }
      expect(given.size).to.be.above(5);
      expect(await wrongAfter(database, node, 12)).to.have.length.above(5);
      expect(await keep(database, { rewards, genesis: genesisOf(...given), node })).to.deep.equal([]);
      for (const height of [0, 1, 12]) expect(await wrongAfter(database, node, height)).to.deep.equal([]);
      expect(await gapsAtGenesis(database)).to.deep.equal([]);
    } finally {
      await database.close();
      node.close();
      await devnode.close();
      await server.drop();
    }
  });
});

describe('the coins of hard forks of a network that is not built in', () => {
  /** It has all protocol versions. */
  const OF = 'realnode';
  const ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
  const OTHER = 'ak_1GPPzM3VDKCP5RNEbp2uBNtgGTHRNQmrNkeAKGp7wfPWKYQvM';
  const RULES = { delay: 10, treasury: null };
  const node = recordedNode(undefined, OF);
  const keyBlocks = recordedGenerations(OF).map(({ keyBlock }) => readKeyBlock(keyBlock));
  const firstOf = (version: number) => keyBlocks.find((block) => block.version === version)!;
  const [second, fourth] = [2, 4].map((version) => firstOf(version));
  const GIVEN: GenesisAccounts = {
    genesis: new Map([[ACCOUNT, 5n]]),
    forks: new Map([
      [
        2,
        new Map([
          [ACCOUNT, 9_007_199_254_740_993n],
          [OTHER, 7n],
        ]),
      ],
      [4, new Map([[OTHER, 11n]])],
    ]),
  };
  const network = { networkId: 'ae_own', genesisHash: keyBlocks[0]!.hash, consensus: 'pow' as const };
  const ROWS = [
    `0 ${ACCOUNT} 5 5`,
    `${second!.height} ${OTHER} 7 7`,
    `${second!.height} ${ACCOUNT} 9007199254740993 9007199254740998`,
    `${fourth!.height} ${OTHER} 11 18`,
  ];
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await writeIdentity(database, { networkId: network.networkId, genesisHash: network.genesisHash });
    await syncFully(syncContext(database, node));
    await writeForks(
      database,
      [1, 2, 3, 4, 5, 6].map((version) => ({ version, height: firstOf(version).height })),
    );
    await decodeAll(database, node);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  /** What a node has after a block, if the key blocks of the forks gave this. */
  function nodeWith(given: GenesisAccounts, more: Record<string, bigint> = {}): Pick<ChainNode, 'get'> {
    const amountOf = (id: string, upTo: number): bigint =>
      [...given.forks].reduce(
        (sum, [version, amounts]) => sum + (firstOf(version).height <= upTo ? (amounts.get(id) ?? 0n) : 0n),
        (given.genesis.get(id) ?? 0n) + (upTo >= second!.height ? (more[id] ?? 0n) : 0n),
      );
    return {
      get(path) {
        const [, id, hash] = /^\/accounts\/(ak_\w+)\/hash\/(\w+)$/.exec(path) ?? [];
        if (id === undefined) return Promise.resolve(recordedAnswer(path));
        const block = keyBlocks.find((one) => one.hash === hash);
        const below = keyBlocks.find((one) => one.prevHash === hash);
        return Promise.resolve({
          status: 200,
          text: `{"balance":${amountOf(id, block?.height ?? below!.height - 1)}}`,
        });
      },
    };
  }

  function recordedAnswer(path: string): { status: number; text: string } {
    const height = /^\/key-blocks\/height\/(\d+)$/.exec(path)?.[1];
    const text =
      height === undefined
        ? recording(OF).get(`GET /v2${path}`)!.body
        : recordedGenerations(OF)[Number(height)]?.keyBlock;
    return text === undefined ? { status: 404, text: '{"reason":"Block not found"}' } : { status: 200, text };
  }

  const stored = (): Promise<string[]> =>
    textsOf(
      database,
      `SELECT concat_ws(' ', m.position >> 33, a.id, m.amount, m.balance) AS text
       FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account WHERE m.kind = ${KINDS.preset.code} AND NOT m.from_node
       ORDER BY m.position, m.index`,
    );

  const write = async (): Promise<void> => {
    while ((await database.transaction((tx) => extendLedger(tx))) !== null);
  };

  it('are rows of the first key blocks of their versions, also in place of what balances told', async () => {
    await database.transaction((tx) => beginLedger(tx, network.networkId, RULES));
    await write();
    expect(await stored()).to.deep.equal([]);
    await tamper(
      database,
      `INSERT INTO ledger_corrections (position, account, amount) VALUES (${fourth!.height}::bigint << 33, '${OTHER}', 11), (7, '${OTHER}', 1)`,
    );
    await database.transaction((tx) => takeGenesisAccounts(tx, GIVEN));
    await write();
    expect(await stored()).to.deep.equal(ROWS);
    expect(await textsOf(database, 'SELECT position::text AS text FROM ledger_corrections')).to.deep.equal(['7']);
    await tamper(database, 'DELETE FROM ledger_corrections');
    expect(await differencesIn(database)).to.deep.equal([]);
    whole = await movementDump(database);
  });

  it('are part of the copy: heights that are loaded again have them, too', async () => {
    const heights = [second!, fourth!].map(({ height }) => ({ from: height - 1, to: height }));
    expect((await replaceHeights({ database, node, heights })).failed).to.deep.equal([]);
    await decodeAll(database, node);
    await write();
    expect(await movementDump(database)).to.deep.equal(whole);
    await database.transaction((tx) => takeGenesisAccounts(tx, GIVEN));
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are compared with what the key blocks of a node gave, and one may give more', async () => {
    expect(await compareWithGenesis(nodeWith(GIVEN), network, GIVEN)).to.equal('same');
    expect(await compareWithGenesis(nodeWith(GIVEN, { [ACCOUNT]: 3n }), network, GIVEN)).to.equal('same');
    const wrong = { ...GIVEN, forks: new Map([...GIVEN.forks, [4, new Map([[OTHER, 12n]])]]) };
    expect(await compareWithGenesis(nodeWith(GIVEN), network, wrong)).to.deep.equal({
      fault: `GENESIS_ACCOUNTS_FILE: it gives ${OTHER} 12 with version 4, but key block ${fourth!.height} of the node 11`,
    });
  });

  it('are not of a version that the node does not have, nor of that of the genesis block', async () => {
    const compared = (version: number) =>
      compareWithGenesis(nodeWith(GIVEN), network, { ...GIVEN, forks: new Map([[version, new Map([[OTHER, 1n]])]]) });
    expect(await compared(50)).to.deep.equal({
      fault: 'GENESIS_ACCOUNTS_FILE: the node does not have the protocol version 50',
    });
    expect(await compared(keyBlocks[0]!.version))
      .to.have.property('fault')
      .that.contains('begins with the genesis block');
  });

  it('are believed where the node has no state of the block any more, and wait for a fork that is not reached', async () => {
    const { get } = nodeWith(GIVEN);
    const without = (of: RegExp, status: number): Pick<ChainNode, 'get'> => ({
      get: (path) => (of.test(path) ? Promise.resolve({ status, text: '{"reason":"no"}' }) : get(path)),
    });
    expect(await compareWithGenesis(without(new RegExp(fourth!.hash), 410), network, GIVEN)).to.equal('unknown');
    expect(await compareWithGenesis(without(/key-blocks/, 404), network, GIVEN)).to.equal('same');
    expect(await compareWithGenesis(without(/key-blocks/, 500), network, GIVEN)).to.equal('unknown');
  });
});
