import { expect } from 'chai';
import type { KeyBlock } from '../../src/chain/facts.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import type { ChainNode } from '../../src/node/client.js';
import { nodeFault } from '../../src/node/faults.js';
import { dueInfos, saveDecoded } from '../../src/store/calls.js';
import { contractCalls, contracts } from '../../src/store/queries/contracts.js';
import { beginReplacing, replaceGenerations } from '../../src/store/write/replace.js';
import { truncate } from '../../src/store/write/truncate.js';
import type { Database } from '../../src/store/connection/database.js';
import { syncContext, syncFully } from '../support/copy.js';
import { enrichContext } from '../support/decoding.js';
import { emptyCopy } from '../support/roles.js';
import { eventually } from '../support/populator.js';
import { recordingDatabase } from '../support/recording-database.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedInfo } from '../support/recording.js';
import { recordedBlocks } from '../support/seed.js';

/** Calls added to the recorded ones: enough for several batches. */
const COPIES = 3_000;
const ALL = { by: 'number' as const, skip: 0n, take: 1_000, wanted: null };

describe('decoding the calls of a recorded chain', () => {
  let server: TestDatabase;
  let database: Database;
  let schemas = 0;
  let statements = 0;
  let metrics: ReturnType<typeof createMetrics>;
  before(async () => (server = await testDatabase()));
  after(() => server.drop());
  beforeEach(async () => {
    metrics = createMetrics();
    database = await emptyCopy(server.url, `decode${(schemas += 1)}`);
    await syncFully(syncContext(database, recordedNode()));
  });
  afterEach(() => database.close());

  const rows = async (text: string): Promise<Record<string, unknown>[]> =>
    (await database.query({ name: `test.${(statements += 1)}`, text })).rows;

  const decodeWith = (
    ran: { name: string; rows: number }[],
    signal: AbortSignal,
    changes: Partial<ChainNode>,
    pause: (ms: number) => Promise<void>,
  ): Promise<void> =>
    enrich(
      enrichContext(recordingDatabase(database, ran), { ...recordedNode(), ...changes }, signal, {
        metrics,
        fence: () => Promise.resolve(),
      }),
      pause,
    );

  /** Decodes with this node until the condition is true, and returns the statements that were run. */
  async function decodeUntil(isDone: () => Promise<boolean>, changes: Partial<ChainNode> = {}) {
    const ran: { name: string; rows: number }[] = [];
    const stopping = new AbortController();
    const decoding = decodeWith(ran, stopping.signal, changes, (ms) => waitOrAbort(ms / 10, stopping.signal));
    try {
      await eventually(isDone, (done) => done);
    } finally {
      stopping.abort();
      await decoding;
    }
    const of = (name: string) => ran.filter((statement) => statement.name === name);
    return { count: (name: string) => of(name).length, rows: (name: string) => of(name).map((one) => one.rows) };
  }

  const nothingWaits = async (): Promise<boolean> =>
    (await rows(`SELECT FROM contract_calls WHERE state = 'pending'`)).length === 0;

  /** Adds copies of the first recorded call to the chain. */
  async function multiplyCalls(): Promise<void> {
    await rows(`
      INSERT INTO transactions (position, hash, type, valid, size, fee, tx_start, tx_length, body)
      SELECT (300::bigint << 33) + 65536 + n, t.hash || n, type, valid, size, fee, tx_start, tx_length, body
      FROM (SELECT t.* FROM transactions t JOIN contract_calls USING (position) ORDER BY position LIMIT 1) t,
        generate_series(1, ${COPIES}) AS n`);
    await rows(`
      INSERT INTO contract_calls (position, contract_id, state)
      SELECT (300::bigint << 33) + 65536 + n, contract_id, 'pending'
      FROM (SELECT * FROM contract_calls ORDER BY position LIMIT 1) c, generate_series(1, ${COPIES}) AS n`);
  }

  it('counts the pending calls once, however many batches there are, and still reports how many remain', async () => {
    await multiplyCalls();
    const ran = await decodeUntil(async () => (await nothingWaits()) && (await backlog()) === 0);

    expect(ran.count('contract_calls.due')).to.be.above(3);
    expect(ran.count('contract_calls.pending')).to.equal(1);
  });

  it('pauses once nothing is due, until blocks are stored', async () => {
    const ran: { name: string; rows: number }[] = [];
    const stopping = new AbortController();
    let rings = 0;
    let ring: (() => void) | undefined;
    const decoding = decodeWith(ran, stopping.signal, {}, () => {
      rings += 1;
      return rings > 2 ? Promise.resolve() : new Promise((resolve) => (ring = resolve));
    });
    try {
      await eventually(
        () => Promise.resolve(rings),
        (n) => n === 1,
      );
      const looked = ran.filter(({ name }) => name === 'contract_calls.due').length;
      await multiplyCalls();
      expect(ran.filter(({ name }) => name === 'contract_calls.due')).to.have.length(looked);

      ring!();
      await eventually(nothingWaits, (done) => done);
    } finally {
      stopping.abort();
      ring?.();
      await decoding;
    }
  });

  it('reads the code of a contract once, however many calls it has', async () => {
    await multiplyCalls();
    const ran = await decodeUntil(nothingWaits);

    const [{ contracts }] = (await rows(
      'SELECT count(DISTINCT contract_id)::int AS contracts FROM contract_calls',
    )) as [{ contracts: number }];
    const read = ran.rows('contracts.codes').reduce((sum, some) => sum + some, 0);
    expect(read).to.equal(contracts);
    const [{ done }] = (await rows(`SELECT count(*)::int AS done FROM contract_calls WHERE state = 'done'`)) as [
      { done: number },
    ];
    expect(done).to.be.above(COPIES);
  });

  it('postpones a call that the node does not answer about, and decodes the others', async () => {
    const [{ hash }] = (await rows(
      `SELECT t.hash FROM contract_calls c JOIN transactions t USING (position) ORDER BY position LIMIT 1`,
    )) as [{ hash: string }];
    const node = recordedNode();
    let asked = 0;
    await decodeUntil(
      async () => (await rows(`SELECT FROM contract_calls WHERE state = 'done'`)).length > 8 && asked > 1,
      {
        info(id) {
          if (id !== hash) return node.info(id);
          asked += 1;
          return Promise.reject(nodeFault('node_unreachable', 'away'));
        },
      },
    );

    const left = await rows(
      `SELECT t.hash FROM contract_calls c JOIN transactions t USING (position) WHERE state = 'pending'`,
    );
    expect(left).to.deep.equal([{ hash }]);
  });

  describe('of contracts whose creation failed', () => {
    /** Ids in /middleware/contracts/all, and the counts of the lists. */
    const listed = async (): Promise<{ ids: string[]; counted: number }> => {
      const { row } = await contracts(database, ALL);
      const ids = (JSON.parse(row!.body) as { contract_id: string }[]).map(({ contract_id }) => contract_id);
      return { ids, counted: Number(row!.total) };
    };
    const allKnown = async (): Promise<boolean> =>
      (await rows('SELECT FROM contracts WHERE NOT outcome_known')).length === 0;
    /** The one recorded creation that reverted. */
    const reverted = async (): Promise<string> => {
      const found = (await rows(`SELECT c.id, t.hash FROM contracts c JOIN transactions t USING (position)`)).filter(
        ({ hash }) => /"return_type":"revert"/.test(recordedInfo(hash as string) ?? ''),
      );
      expect(found).to.have.length(1);
      return found[0]!['id'] as string;
    };

    it('lists them until the node has answered that they failed', async () => {
      const failed = await reverted();
      const before = await listed();
      expect(before.ids).to.include(failed);

      await decodeUntil(allKnown);
      const after = await listed();
      expect(after.ids).to.deep.equal(before.ids.filter((id) => id !== failed));
      expect(after.counted).to.equal(after.ids.length);
    });

    it('lists those whose result the node does not have, and asks again later', async () => {
      const before = await listed();
      await decodeUntil(async () => (await rows('SELECT FROM contracts WHERE attempts = 0')).length === 0, {
        info: () => Promise.resolve(null),
      });
      expect(await listed()).to.deep.equal(before);
      expect(await rows('SELECT FROM contracts WHERE NOT outcome_known AND due_at > now()')).to.have.length(
        before.ids.length,
      );
    });

    it('does not list them again after their height is reloaded, and then uses the new answer of the node', async () => {
      const failed = await reverted();
      await decodeUntil(allKnown);
      const [{ height }] = (await rows(
        `SELECT (position >> 33)::int AS height FROM contracts WHERE id = '${failed}'`,
      )) as [{ height: number }];
      // Call information is requested with a block only if it decides whether a transaction took effect.
      const blocks = recordedBlocks(height, height);
      for (const block of blocks)
        if (block.kind === 'micro') for (const { transaction } of block.transactions) transaction.info = null;
      await database.transaction(async (tx) => {
        await beginReplacing(tx);
        await replaceGenerations(tx, blocks);
      });
      expect((await listed()).ids).not.to.include(failed);

      const info = (hash: string): Promise<string | null> =>
        Promise.resolve(recordedInfo(hash)?.replace('"return_type":"revert"', '"return_type":"ok"') ?? null);
      await decodeUntil(allKnown, { info });
      const { ids, counted } = await listed();
      expect(ids).to.include(failed);
      expect(counted).to.equal(ids.length);
    });
  });

  describe('of a contract that no transaction created', () => {
    let made: string;
    /** The recorded chain without the transaction that created the contract which is called first. */
    beforeEach(async () => {
      const [first] = (await rows(
        `SELECT contract_id, creation.hash FROM contract_calls c JOIN contracts k ON k.id = c.contract_id
         JOIN transactions creation ON creation.position = k.position ORDER BY c.position LIMIT 1`,
      )) as [{ contract_id: string; hash: string }];
      made = first.contract_id;
      await database.close();
      database = await emptyCopy(server.url, `decode${(schemas += 1)}`);
      const node = recordedNode();
      const microBlock = async (hash: string, keyBlock: KeyBlock) => {
        const block = await node.microBlock(hash, keyBlock);
        return block && { ...block, transactions: block.transactions.filter((one) => one.hash !== first.hash) };
      };
      await syncFully(syncContext(database, { ...node, microBlock }));
      expect(await states()).to.deep.equal(['unknown']);
    });
    const states = async (): Promise<unknown[]> =>
      (await rows(`SELECT DISTINCT state FROM contract_calls WHERE contract_id = '${made}'`)).map(({ state }) => state);
    const decoded = async (): Promise<boolean> => (await states()).join() === 'done';

    it('decodes its calls with the code that the node returns, once it returns one', async () => {
      let asked = 0;
      await decodeUntil(decoded, {
        contractCode(id) {
          asked += 1;
          return asked === 1 ? Promise.resolve(null) : recordedNode().contractCode(id);
        },
      });
      // Whether it is a token is asked beside this.
      expect(asked).to.be.at.least(2);
      const { row } = await contractCalls(database, made, ALL);
      const all = await rows(`SELECT FROM contract_calls WHERE contract_id = '${made}'`);
      expect(JSON.parse(row!.body)).to.have.length(all.length);
    });

    it('removes the code together with the last of its calls', async () => {
      await decodeUntil(decoded);
      await database.transaction((tx) => truncate(tx, 40n << 33n));
      expect(await rows('SELECT FROM contract_codes')).to.have.length(0);
    });

    it('uses the code of a transaction that is found to have created it', async () => {
      await decodeUntil(decoded);
      await database.transaction(async (tx) => {
        await beginReplacing(tx);
        await replaceGenerations(tx, recordedBlocks(42, 42));
      });
      expect(await rows('SELECT FROM contract_codes')).to.have.length(0);
      await decodeUntil(nothingWaits);
      expect(await states()).to.deep.equal(['done']);
    });
  });

  it('removes what was decoded with the code of another branch', async () => {
    const call = (await dueInfos(database, 'others', 1_000)).find(({ contractId }) => contractId !== null)!;
    const decoded = { ...call, arguments: '{}', result: null };
    await saveDecoded(database, [{ ...decoded, codeId: 'th_elsewhere' }]);
    expect(await rows(`SELECT FROM contract_calls WHERE state <> 'pending'`)).to.have.length(0);

    await saveDecoded(database, [decoded]);
    expect(await rows(`SELECT FROM contract_calls WHERE state = 'done'`)).to.have.length(1);
  });

  const backlog = async (): Promise<number | undefined> => (await metrics.decodeBacklog.get()).values[0]?.value;
});
