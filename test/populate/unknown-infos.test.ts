import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verify } from '../../src/populate/verify.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { truncate } from '../../src/store/write/truncate.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { chainDump, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recorded, recordedGenerations } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import type { ReplayAnswer } from '../support/replay-server.js';
import { emptyCopy, openAs, tamper } from '../support/roles.js';

const TOP = 703;
const HEAD = (JSON.parse(recorded('/v2/key-blocks/current', 'realnode-tokens')) as { hash: string }).hash;
/** A PayingForTx around a GAMetaTx: the recorded node answers 500 to its call information, for ever. */
const UNANSWERED = 'th_t5tt3pihfrHgxnFKknQ2ckwb3QKZmmQ1mSUofXabW3hPatjwb';
const ERROR: ReplayAnswer = { status: 500, body: '{"reason":"Internal server error"}' };

const WAYS: Record<string, ReplayAnswer> = {
  error: ERROR,
  busy: { status: 503, body: '', headers: { 'retry-after': '30' } },
  other: { status: 200, body: '{"colour":"red"}' },
  silence: 'silence',
};
/** The node has the block, but not what was computed with it. */
const ABSENT: ReplayAnswer = { status: 404, body: '{"reason":"Transaction not found"}' };

/** A GAMetaTx whose inner transaction failed: it takes no effect. */
const FAILED = recordedGenerations('realnode-tokens')
  .flatMap(({ microBlocks }) => microBlocks)
  .flatMap(({ transactions }) => transactions.match(/th_2Qovo9oNfZo\w+/) ?? [])[0]!;

interface Call {
  type: string;
  arguments: string;
  result: string | null;
}
const argumentsOf = (calls: readonly Call[]): string[] =>
  calls.filter(({ type }) => type === 'ContractCallTx').map((call) => call.arguments);

describe('call information that no node answers', () => {
  let server: TestDatabase;
  before(async () => (server = await testDatabase()));
  after(() => server.drop());

  const unknown = async (database: Database): Promise<string[]> => {
    const { rows } = await database.query<{ hash: string }>({
      name: 'test.unknown',
      text: 'SELECT hash FROM unknown_infos JOIN transactions USING (position) ORDER BY position',
    });
    return rows.map(({ hash }) => hash);
  };
  const spendPosition = async (database: Database): Promise<string> => {
    const { rows } = await database.query<{ position: string }>({
      name: 'test.spends',
      text: `SELECT t.position FROM transactions AS t JOIN types AS y ON y.code = t.type WHERE y.name = 'SpendTx' ORDER BY 1 LIMIT 1`,
    });
    return rows[0]!.position;
  };
  const differences = async (database: Database, url: string): Promise<string[]> => {
    const node = nodeAt(url, { retries: [] });
    const found: string[] = [];
    for await (const { height, ok, reason } of verify({ database, node })) if (!ok) found.push(`${height}: ${reason}`);
    await verifyProjections({
      database,
      prove: true,
      onDifference: (difference) => found.push(JSON.stringify(difference)),
    });
    node.close();
    return found;
  };

  it('does not hold the head: a recorded chain with such a transaction is loaded whole, and verifies clean', async () => {
    const node = await replayServer('realnode-tokens');
    const populating = await startPopulating(server, 'whole', [node.url], { timeoutMs: 5_000 });
    await populating.at(HEAD);

    // Only what a transaction with an authentication does depends on its call information.
    const asked = node.asked
      .slice(0, node.asked.lastIndexOf('/generations/height/702'))
      .filter((path) => path.endsWith('/info'));
    expect(new Set(asked)).to.have.length(11);
    const { rows } = await populating.database.query({
      name: 'test.loaded',
      text: `SELECT count(*)::int AS heights, (SELECT count(*)::int FROM transactions) AS transactions,
        (SELECT count(*)::int FROM transactions WHERE NOT valid) AS invalid, (SELECT count(*)::int FROM unproven) AS unproven
        FROM key_blocks`,
    });
    expect(rows).to.deep.equal([{ heights: TOP + 1, transactions: 336, invalid: 0, unproven: 0 }]);
    expect(await unknown(populating.database)).to.deep.equal([UNANSWERED]);
    await eventually(
      async () => (await populating.metrics.unknownInfos.get()).values[0]?.value,
      (count) => count === 1,
    );
    expect(await differences(populating.database, node.url)).to.deep.equal([]);
    await populating.stop();
    await node.close();
  });

  it('is marked for every way in which nodes fail, and stored as soon as one answers, with what follows from it', async () => {
    const clean = await emptyCopy(server.url, 'clean');
    const honest = await replayServer('realnode-tokens');
    const direct = nodeAt(honest.url);
    await syncFully(syncContext(clean, direct));
    direct.close();
    const wanted = await chainDump(clean);
    await clean.close();

    for (const [way, answer] of Object.entries(WAYS)) {
      let isBroken = true;
      const broken = (path: string): ReplayAnswer | undefined =>
        isBroken && path.endsWith('/info') ? answer : undefined;
      const nodes = [await replayServer('realnode-tokens', broken), await replayServer('realnode-tokens', broken)];
      const schema = `way_${way}`;
      const populating = await startPopulating(
        server,
        schema,
        nodes.map(({ url }) => url),
      );
      await populating.at(HEAD);
      const { database } = populating;
      const marked = await unknown(database);
      expect(marked, way).to.include(UNANSWERED).and.to.include(FAILED);
      expect(marked, way).to.have.length(11);
      // The inner transaction counts as authenticated, so more follows from it than in the end.
      expect(await differences(database, nodes[0]!.url), way).to.deep.equal([]);
      expect(await differences(database, honest.url), way).to.deep.equal([]);
      // A fault of an addition is no fault of the node. On a busy machine a health check may exceed its time.
      expect(
        populating.log.filter(({ reason }) => String(reason).includes('/info')),
        way,
      ).to.deep.equal([]);

      isBroken = false;
      await tamper(database, 'UPDATE unknown_infos SET due_at = now()');
      await eventually(
        () => unknown(database),
        (hashes) => hashes.length === 1,
      );
      await populating.stop();
      const copy = openAs(server.url, schema);
      expect(await chainDump(copy), way).to.deep.equal(wanted);
      await copy.close();
      for (const node of nodes) await node.close();
    }
    await honest.close();
  });

  it('is that of another node, if the first one does not have it', async () => {
    for (const [way, answer] of Object.entries({ error: ERROR, absent: ABSENT })) {
      const first = await replayServer('realnode-tokens', (path) => (path.endsWith('/info') ? answer : undefined));
      const second = await replayServer('realnode-tokens');
      const populating = await startPopulating(server, `other_${way}`, [first.url, second.url]);
      await populating.at(HEAD);
      expect(await unknown(populating.database), way).to.deep.equal([UNANSWERED]);
      await populating.stop();
      await first.close();
      await second.close();
    }
  });

  it('is marked if the only node does not have it, also that of plain calls, and asked again', async () => {
    const decoded = async (database: Database): Promise<Call[]> => {
      await eventually(
        async () =>
          (
            await database.query({
              name: 'test.pending',
              text: `SELECT FROM contract_calls WHERE state IN ('pending', 'unknown')`,
            })
          ).rows.length,
        (pending) => pending === 0,
      );
      const text = `SELECT c.position, y.name AS type, c.state, c.arguments, c.result, i.body
        FROM contract_calls AS c JOIN transactions AS t USING (position) JOIN types AS y ON y.code = t.type LEFT JOIN infos AS i USING (position)
        ORDER BY position`;
      return (await database.query<Call>({ name: 'test.decoded', text })).rows;
    };
    const honest = await replayServer('realnode-tokens');
    const clean = await startPopulating(server, 'answered', [honest.url]);
    await clean.at(HEAD);
    const wanted = await decoded(clean.database);
    expect(wanted.filter(({ result }) => result !== null)).to.not.be.empty;
    expect(await unknown(clean.database)).to.deep.equal([UNANSWERED]);
    await clean.stop();
    await honest.close();

    let isBroken = true;
    const node = await replayServer('realnode-tokens', (path) =>
      isBroken && path.endsWith('/info') ? ABSENT : undefined,
    );
    const populating = await startPopulating(server, 'absent', [node.url]);
    await populating.at(HEAD);
    const { database } = populating;
    const without = await decoded(database);
    expect(argumentsOf(without)).to.deep.equal(argumentsOf(wanted)).and.to.have.length.above(100);
    const { rows } = await database.query<{ hash: string; type: string; call: boolean }>({
      name: 'test.types',
      text: `SELECT t.hash, y.name AS type, c.position IS NOT NULL AS call FROM transactions AS t JOIN types AS y ON y.code = t.type
        LEFT JOIN contract_calls AS c USING (position)`,
    });
    const marked = await unknown(database);
    expect(marked).to.include.members(rows.filter(({ call }) => call).map(({ hash }) => hash));
    expect(marked).to.include(UNANSWERED).and.to.include(FAILED);
    // A spend has none: nobody asks for it.
    const spends = rows.filter(({ type }) => type === 'SpendTx').map(({ hash }) => hash);
    expect(spends).to.not.be.empty;
    expect(marked).to.not.include.oneOf(spends);
    expect(node.asked.filter((path) => spends.some((hash) => path.endsWith(`${hash}/info`)))).to.deep.equal([]);
    await eventually(
      async () => (await populating.metrics.unknownInfos.get()).values[0]?.value,
      (count) => count === marked.length,
    );

    isBroken = false;
    await tamper(database, 'UPDATE unknown_infos SET due_at = now()');
    await eventually(
      () => unknown(database),
      (hashes) => hashes.length === 1,
    );
    expect(await decoded(database)).to.deep.equal(wanted);
    await populating.stop();
    await node.close();
  });

  it('is asked again although many rows are left of blocks that an earlier release has removed', async () => {
    let isBroken = true;
    const node = await replayServer('realnode-tokens', (path) =>
      isBroken && path.endsWith('/info') ? ERROR : undefined,
    );
    const populating = await startPopulating(server, 'left', [node.url]);
    await populating.at(HEAD);
    const { database } = populating;
    expect(await unknown(database)).to.have.length(11);
    const spend = await spendPosition(database);
    await tamper(database, [
      `INSERT INTO unknown_infos (position, due_at) SELECT (1::bigint << 45) + i, now() - interval '1 day' FROM generate_series(1, 100) AS i`,
      // Another transaction has taken the place of the one that was removed.
      `INSERT INTO unknown_infos (position, due_at) VALUES (${spend}, now() - interval '1 day')`,
      'UPDATE unknown_infos SET due_at = now() WHERE due_at > now()',
    ]);
    isBroken = false;
    await eventually(
      () => unknown(database),
      (hashes) => hashes.length === 1,
    );
    await eventually(
      async () => (await populating.metrics.unknownInfos.get()).values[0]?.value,
      (count) => count === 1,
    );
    // The rows that are left are not counted for clients either, at any height.
    expect((await statusFacts(database)).row?.unknown_infos).to.equal('0');
    await populating.stop();
    await node.close();
  });

  it('goes with its block, and stays as it was when the block is loaded again', async () => {
    const node = await replayServer('realnode-tokens', (path) =>
      isBroken && path.endsWith('/info') ? ERROR : undefined,
    );
    let isBroken = false;
    const database = await emptyCopy(server.url, 'again');
    const pool = nodeAt(node.url, { retries: [] });
    await syncFully(syncContext(database, pool));
    expect(await unknown(database)).to.deep.equal([UNANSWERED]);
    const before = await logicalDump(database);

    isBroken = true;
    const { failed } = await replaceHeights({ database, node: pool, heights: [{ from: 130, to: 160 }] });
    expect(failed).to.deep.equal([]);
    expect(await unknown(database)).to.deep.equal([UNANSWERED]);
    expect(await logicalDump(database)).to.deep.equal(before);

    await database.transaction((tx) => truncate(tx, keyPosition(140)));
    expect(await unknown(database)).to.deep.equal([]);
    pool.close();
    await database.close();
    await node.close();
  });
});
