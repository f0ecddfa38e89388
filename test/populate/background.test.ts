import { expect } from 'chai';
import pg from 'pg';
import type { Devnode } from '../../devtools/devnode/start.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { verifyInBackground } from '../../src/populate/background.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { readProgress } from '../../src/store/proven.js';
import { NO_WORK, nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { shareOf } from '../support/share.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const ALWAYS = { verifyShare: 50 };

describe('a copy with rows that do not follow from the chain', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  /** A proxy before the node: while it lies, it alters amounts and empties micro blocks. */
  let proxy: TestServer;
  let lies = false;
  let clean: Record<string, string[]>;
  let hand: pg.Client;

  before(async () => {
    server = await testDatabase();
    // A chain in which a milestone is in the rankings.
    devnode = await generated({ seed: 'background 9', generations: 40, txsPerGeneration: 16 });
    let asked = 0;
    proxy = await startServer(async (request, response) => {
      const answer = await fetch(devnode.externalUrl + request.url);
      const text = await answer.text();
      const isLie = lies && answer.ok && request.url!.endsWith('/transactions');
      const lie = asked++ % 3 === 0 ? '{"transactions":[]}' : text.replace(/"amount":(\d+)/g, '"amount":1$1');
      reply(response, answer.status, isLie ? lie : text);
    });
    clean = await cleanDump(server, 'clean', devnode.externalUrl);
    hand = new pg.Client({ connectionString: server.url });
    await hand.connect();
  });

  beforeEach(() => {
    lies = false;
  });

  after(async () => {
    await hand.end();
    await proxy.close();
    await closeDevnodes();
    await server.drop();
  });

  /** Number of differences so far by outcome: `mended`, `left`. */
  async function outcomes({ metrics }: Populating): Promise<Record<string, number>> {
    const { values } = await metrics.differences.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
  }

  /** Number of rows that are known to differ. */
  const differingRows = async ({ metrics }: Populating): Promise<number> =>
    (await metrics.differingRows.get()).values[0]?.value ?? NaN;

  const caughtUp = ({ log }: Populating): Promise<unknown> =>
    eventually(
      () => Promise.resolve(log),
      (lines) => lines.some(({ msg }) => msg === 'Caught up with the node'),
    );

  const provenUpTo = async (database: Database): Promise<number> => (await readProgress(database)).provenHeight;

  async function differences(database: Database): Promise<ReportedDifference[]> {
    const found: ReportedDifference[] = [];
    await verifyProjections({ database, prove: true, onDifference: (one) => found.push(one) });
    return found;
  }

  /** Changes one digit or letter in one row in the middle. */
  const HANDS: Record<string, string | string[]> = {
    'the amount in a transaction': `UPDATE transactions SET body = replace(body, '"amount":', '"amount":1') WHERE position =
      (SELECT max(position) FROM transactions WHERE body LIKE '%"amount":%' AND position < 20::bigint << 33)`,
    'the fee beside a transaction': `UPDATE transactions SET fee = fee + 1 WHERE position = (SELECT max(position) FROM transactions
      WHERE position < 30::bigint << 33)`,
    'the signature of a micro block': `UPDATE micro_blocks SET body = replace(body, '"signature":"sg_', '"signature":"sg_2')
      WHERE position = (SELECT max(position) FROM micro_blocks WHERE position < 12::bigint << 33)`,
    'who mined a key block': 'UPDATE key_blocks SET beneficiary = prev_hash WHERE height = 17',
    'the owner of a name': 'UPDATE names SET owner = tx_hash WHERE position = (SELECT max(position) FROM names)',
    'the fees of a generation': 'UPDATE generations SET fees = fees + 1 WHERE height = 23',
    'the spends of a day': 'UPDATE days SET count = count + 1 WHERE day = (SELECT max(day) FROM days)',
    'the number of a transaction in a list': `UPDATE entries SET ordinal = ordinal + 1000 WHERE (list, ordinal) =
      (SELECT list, ordinal FROM entries ORDER BY list, ordinal LIMIT 1 OFFSET 40)`,
    // In two steps, so that no two are the same meanwhile.
    'two numbers of a list, each the one before': ['ordinal <= 2', 'ordinal < 0'].map(
      (
        which,
        step,
      ) => `UPDATE entries SET ordinal = ordinal ${step === 0 ? '- 1000' : '+ 999'} WHERE ${which} AND list =
      (SELECT list FROM entries GROUP BY list ORDER BY count(*) DESC, list LIMIT 1)`,
    ),
    'the transactions up to a generation': 'UPDATE generations SET tx_total = tx_total + 1 WHERE height = 23',
    'a query and a channel of no transaction': `WITH asked AS (INSERT INTO oracle_queries (id) VALUES ('oq_none'))
      INSERT INTO channels (id) VALUES ('ch_none')`,
    'the height of a sum': 'UPDATE generations SET height = height + 1000000 WHERE height = 20',
    'what a ranking ranks': 'UPDATE rankings SET kind = kind + 100 WHERE key = (SELECT max(ranking) FROM ranks)',
    'when an oracle expires': 'UPDATE oracles SET expires_at = expires_at + 1 WHERE id = (SELECT max(id) FROM oracles)',
  };

  /** Counts of rankings depend on the order in which calls are decoded, so each test has its own copy. */
  const COUNTED: Record<string, string> = {
    'a place in a ranking': 'UPDATE ranks SET key = key + 1 WHERE position = (SELECT max(position) FROM ranks)',
    'the place of a milestone': `UPDATE ranks SET key = key + 1
      WHERE ctid = (SELECT ctid FROM ranks WHERE position % 509 = 0 ORDER BY position DESC LIMIT 1)`,
    'what a milestone counts':
      'UPDATE milestones SET count = count + 1 WHERE ctid = (SELECT max(ctid::text)::tid FROM milestones)',
    'what is counted below and above milestones': `INSERT INTO sampled_counts (ranking, level, key, label, position, count)
      SELECT max(ranking), 1, 5, 'x', 32, 7 FROM ranks`,
  };

  /** Changes one row by hand, and resolves when the copy equals a clean load again. */
  async function isMended(populating: Populating, schema: string, statement: string | string[]): Promise<void> {
    const { mended: mendedBefore = 0 } = await outcomes(populating);
    const loggedBefore = populating.log.length;
    await hand.query(`SET search_path = ${schema}`);
    await hand.query('BEGIN');
    for (const one of [statement].flat()) expect((await hand.query(one)).rowCount).to.be.above(0);
    await hand.query('COMMIT');

    await eventually(
      () => outcomes(populating),
      ({ mended = 0 }) => mended > mendedBefore,
    );
    await eventually(
      () => differences(populating.database),
      (left) => left.length === 0,
    );
    expect(await chainDump(populating.database)).to.deep.equal(clean);
    expect(await outcomes(populating)).to.include({ left: 0 });
    const line = await eventually(
      () => {
        const lines = populating.log.slice(loggedBefore);
        return Promise.resolve(lines.find(({ msg }) => msg === 'Mended rows that did not follow from the chain'));
      },
      (one) => one !== undefined,
    );
    expect(line).to.have.nested.property('rows[0].table');
  }

  describe('is mended after one digit was changed by hand, while the head is followed', () => {
    let populating: Populating;

    // All tests share one copy: each restores it.
    before(async () => {
      populating = await startPopulating(server, 'hand', [proxy.url], {}, ALWAYS);
      await caughtUp(populating);
    });
    after(() => populating.stop());

    for (const [what, statement] of shareOf(Object.entries(HANDS)))
      it(what, () => isMended(populating, 'hand', statement));
  });

  for (const [index, [what, statement]] of shareOf(Object.entries(COUNTED)).entries()) {
    it(`is mended after one digit was changed by hand, while the head is followed: ${what}`, async () => {
      const populating = await startPopulating(server, `hand_${index}`, [proxy.url], {}, ALWAYS);
      try {
        await caughtUp(populating);
        await isMended(populating, `hand_${index}`, statement);
      } finally {
        await populating.stop();
      }
    });
  }

  it('gets its totals mended even if blocks are added meanwhile', async () => {
    const growing = await generated({ seed: 'growing', generations: 12 });
    const populating = await startPopulating(server, 'totals', [growing.externalUrl], {}, ALWAYS);
    try {
      await caughtUp(populating);
      // The total is that of the head, which is verified only when the next generation follows it.
      await hand.query(`
        SET search_path = totals;
        UPDATE generations SET tx_total = tx_total + 7, max_time = max_time + 7 WHERE height = (SELECT max(height) FROM generations);
        UPDATE generation_types SET total = total + 7 WHERE height = (SELECT max(height) FROM generation_types)`);
      await growing.grow(3);
      await populating.at(growing.top().hash);

      await eventually(
        () => differences(populating.database),
        (left) => left.length === 0,
      );
      expect(await chainDump(populating.database)).to.deep.equal(
        await cleanDump(server, 'totals_clean', growing.externalUrl),
      );
      expect(await outcomes(populating)).to.include({ left: 0 });
    } finally {
      await populating.stop();
    }
  });

  it('loaded with PROOF=off from a node that lied, is mended and proven once a node is honest', async () => {
    lies = true;
    const options = { proof: 'off', distrustMs: 100 } as const;
    const populating = await startPopulating(server, 'lied', [proxy.url], options, ALWAYS);
    const { database } = populating;
    try {
      await caughtUp(populating);
      await eventually(
        () => Promise.resolve(populating.log),
        (lines) => lines.some(({ msg }) => msg.includes('could not be mended')),
      );
      const { height } = (await readHead(database))!;
      expect(await provenUpTo(database)).to.be.below(height - 1);
      expect(await chainDump(database)).not.to.deep.equal(clean);
      expect(await differingRows(populating)).to.be.above(0);

      lies = false;

      // The generation at the head still grows. It is proven when the next one follows it.
      await eventually(
        () => provenUpTo(database),
        (proven) => proven >= height - 1,
      );
      expect(await differencesBelow(database, height)).to.deep.equal([]);
      await eventually(
        () => differingRows(populating),
        (rows) => rows === 0,
      );
    } finally {
      await populating.stop();
    }
  });

  const differencesBelow = async (database: Database, height: number): Promise<ReportedDifference[]> =>
    (await differences(database)).filter((one) => one.height === null || one.height < height);

  it('is proven up to the head also after a reorg', async () => {
    const forking = await generated({ seed: 'forking', generations: 12 });
    const database = await emptyCopy(server.url, 'forked');
    const full = nodeAt(forking.externalUrl);
    try {
      const context = syncContext(database, full);
      await syncFully(context);
      await forking.fork({ depth: 4, grow: 6 });
      await syncFully(context);
      expect((await readHead(database))!.height).to.equal(await provenUpTo(database));
    } finally {
      full.close();
      await database.close();
    }
  });

  it('is proven up to the head at once with PROOF=full, also after a reload, but not with a lower level', async () => {
    const database = await emptyCopy(server.url, 'proven');
    const full = nodeAt(devnode.externalUrl);
    const less = nodeAt(devnode.externalUrl, { proof: 'hashes' });
    try {
      await syncFully(syncContext(database, full));
      const { height } = (await readHead(database))!;
      expect(await provenUpTo(database)).to.equal(height);

      await replaceHeights({ database, node: full, heights: [{ from: 5, to: 6 }] });
      expect(await provenUpTo(database)).to.equal(height);
      await replaceHeights({ database, node: less, heights: [{ from: 30, to: 30 }] });
      expect(await provenUpTo(database)).to.equal(29);
      await replaceHeights({ database, node: full, heights: [{ from: 30, to: 30 }] });
      expect(await provenUpTo(database)).to.equal(30);
    } finally {
      full.close();
      less.close();
      await database.close();
    }
  });

  it('is verified on both sides of a gap', async () => {
    const database = await emptyCopy(server.url, 'gap');
    const node = nodeAt(devnode.externalUrl);
    const stopping = new AbortController();
    const metrics = createMetrics();
    try {
      const heights = [
        { from: 0, to: 6 },
        { from: 12, to: 30 },
      ];
      await replaceHeights({ database, node, heights });
      await hand.query('UPDATE gap.key_blocks SET beneficiary = prev_hash WHERE height IN (6, 12, 29)');
      const fence = () => Promise.resolve();
      const options = { database, node, logger: silent, metrics, signal: stopping.signal, fence, mayWork: () => true };
      const working = verifyInBackground({ ...options, share: 50, work: NO_WORK, acceptUnknownProtocol: false });

      await eventually(
        () => differences(database),
        (left) => left.length === 0,
      );
      stopping.abort();
      await working;

      expect(await provenUpTo(database)).to.equal(6);
    } finally {
      stopping.abort();
      node.close();
      await database.close();
    }
  });

  it('lets blocks that arrive during the verification go first', async () => {
    const database = await emptyCopy(server.url, 'yields');
    const node = nodeAt(devnode.externalUrl);
    const stopping = new AbortController();
    const order: string[] = [];
    try {
      await syncFully(syncContext(database, node));
      const watched: Database = {
        ...database,
        transaction: (work) =>
          database.transaction((tx) =>
            work({
              ...tx,
              query(statement) {
                if (statement.name !== 'verify.export-snapshot') order.push('statement');
                return tx.query(statement);
              },
            }),
          ),
      };
      const options = {
        ...{ database: watched, node, logger: silent, metrics: createMetrics(), signal: stopping.signal },
        fence: () => Promise.resolve(),
        mayWork() {
          // A block arrives after the verification has begun.
          const may = order.filter((what) => what.startsWith('may')).length !== 1;
          order.push(may ? 'may' : 'may not');
          return may;
        },
      };
      const working = verifyInBackground({ ...options, share: 50, work: NO_WORK, acceptUnknownProtocol: false });
      await eventually(
        () => Promise.resolve(order),
        (seen) => seen.includes('statement'),
      );
      stopping.abort();
      await working;

      expect(order.slice(0, 4)).to.deep.equal(['may', 'may not', 'may', 'statement']);
    } finally {
      stopping.abort();
      node.close();
      await database.close();
    }
  });

  it('is not verified while blocks arrive, nor when the share is 0', async () => {
    const database = await emptyCopy(server.url, 'quiet');
    const node = nodeAt(devnode.externalUrl);
    const metrics = createMetrics();
    const stopping = new AbortController();
    const verified = async (): Promise<number> => (await metrics.verifiedTransactions.get()).values[0]?.value ?? 0;
    try {
      await syncFully(syncContext(database, node, { batch: { blocks: 20, transactions: 100, characters: 1_000_000 } }));
      let looks = 0;
      let isQuiet = false;
      const options = {
        ...{ database, node, logger: silent, metrics, signal: stopping.signal, fence: () => Promise.resolve() },
        mayWork() {
          looks++;
          return isQuiet;
        },
      };
      await verifyInBackground({ ...options, share: 0, work: NO_WORK, acceptUnknownProtocol: false });
      expect(looks).to.equal(0);

      const working = verifyInBackground({ ...options, share: 50, work: NO_WORK, acceptUnknownProtocol: false });
      await eventually(
        () => Promise.resolve(looks),
        (count) => count > 3,
      );
      expect(await verified()).to.equal(0);
      isQuiet = true;
      await eventually(verified, (count) => count > 0);
      stopping.abort();
      await working;
    } finally {
      stopping.abort();
      node.close();
      await database.close();
    }
  });
});
