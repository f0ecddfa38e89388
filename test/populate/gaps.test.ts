import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { ChainNode } from '../../src/node/client.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { gaps, goLive } from '../../src/store/chain-state.js';
import { statusFacts } from '../../src/store/queries/status.js';
import type { Committed } from '../../src/store/write/commit.js';
import { isLive as readIsLive } from '../../src/store/announced.js';
import { fillGaps, nodeAt, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { logicalDump } from '../support/dump.js';
import { chainDump, cleanDump, populateInto, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('a gap in the stored heights', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let node: ChainNode & { close(): void };

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'holes', generations: 12, txsPerGeneration: 8, accounts: 5 } },
    });
    node = nodeAt(devnode.externalUrl, { retries: [] });
  });
  after(async () => {
    node.close();
    await devnode.close();
    await server.drop();
  });

  it('is filled when a reorg moved transactions from above it into it', async () => {
    const database = await emptyCopy(server.url, 'holed');
    const heights = [
      { from: 0, to: 3 },
      { from: 9, to: 12 },
    ];
    expect(await replaceHeights({ database, node, heights })).to.deep.equal({ failed: [] });
    await devnode.fork({ depth: 8, grow: 9, retainTxs: 'all', txsPerGeneration: 40 });
    const moved = await replaceHeights({ database, node, heights: [{ from: 4, to: 8 }] });
    const context = syncContext(database, node);
    await fillGaps(context);
    await syncFully(context);
    const fresh = await emptyCopy(server.url, 'clean');
    await syncFully(syncContext(fresh, node));

    // Else this shows nothing.
    expect(moved.failed.map(({ reason }) => reason)).to.include(
      "a transaction of the node is stored at another height, which is not of the node's branch",
    );
    expect(new Set(moved.failed.map(({ code }) => code))).to.deep.equal(new Set(['other_branch']));
    expect(await logicalDump(database)).to.deep.equal(await logicalDump(fresh));
    await Promise.all([database.close(), fresh.close()]);
  });

  it('is filled from the first block on when all stored blocks are of an abandoned branch', async () => {
    const database = await emptyCopy(server.url, 'abandoned');
    const top = devnode.height();
    await replaceHeights({ database, node, heights: [{ from: top - 1, to: top }] });
    await devnode.fork({ depth: 3, grow: 4, retainTxs: 'all' });
    const populating = populateInto(database, [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    await eventually(
      () => gaps(database),
      ({ length }) => length === 0,
    );
    const stored = await chainDump(database);
    await populating.stop();
    expect(stored).to.deep.equal(await cleanDump(server, 'abandoned_clean', devnode.externalUrl));
  });

  it('is filled in batches twice as large as those of a load, from the first one on', async () => {
    const database = await emptyCopy(server.url, 'batches');
    const top = (await node.currentGeneration()).keyBlock.height;
    await replaceHeights({ database, node, heights: [{ from: top, to: top }] });
    const batch = { blocks: 1_000, transactions: 60, characters: 10_000_000 };
    const stored: number[] = [];
    const onCommit = ({ transactions }: Committed): void => void stored.push(transactions);
    await fillGaps(syncContext(database, node, { batch, onCommit }));

    // Else this shows nothing.
    expect(stored).to.have.length.above(2);
    for (const transactions of stored.slice(0, -1)) expect(transactions).to.be.at.least(2 * batch.transactions);
    await database.close();
  });

  it('does not stop the populator from following the head, even if the node never answers for it', async () => {
    const island = await emptyCopy(server.url, 'beside');
    const top = devnode.height();
    const heights = [
      { from: 0, to: 3 },
      { from: 9, to: top },
    ];
    expect(await replaceHeights({ database: island, node, heights })).to.deep.equal({ failed: [] });
    // The copy was followed before: a first load would not be over while heights are missing.
    await goLive(island);
    await island.query({
      name: 'test.announced',
      text: `
        INSERT INTO events (seq, kind, position, hash, body)
        SELECT 0, 'micro_block', position, hash, body FROM micro_blocks ORDER BY position DESC LIMIT 1`,
    });
    await island.close();
    devnode.misbehave({ slowMs: 600_000, paths: '/generations/height/[4-8]$' });
    const hanging = await startPopulating(server, 'beside', [devnode.externalUrl], { timeoutMs: 600_000 });
    await hanging.at(devnode.top().hash);
    await eventually(() => readIsLive(hanging.database), Boolean);
    await devnode.grow(2);
    await hanging.at(devnode.top().hash);
    await devnode.fork({ depth: 2, grow: 3, retainTxs: 'some', txsPerGeneration: 4 });
    await hanging.at(devnode.top().hash);

    expect(await gaps(hanging.database)).to.deep.equal([{ from: 4, to: 8 }]);
    const counted = () => statusFacts(hanging.database).then(({ row }) => row?.gaps);
    await eventually(counted, (missing) => missing === '5');
    const { rows: pending } = await eventually(
      () => hanging.database.query({ name: 'test.calls', text: `SELECT FROM contract_calls WHERE state = 'pending'` }),
      ({ rows: left }) => left.length === 0,
    );
    expect(pending).to.deep.equal([]);
    const { rows } = await hanging.database.query<{ kind: string; count: number }>({
      name: 'test.events',
      text: `SELECT kind, COUNT(*)::int AS count FROM events WHERE kind IN ('key_block', 'rollback') GROUP BY 1 ORDER BY 1`,
    });
    expect(rows).to.deep.equal([
      { kind: 'key_block', count: 5 },
      { kind: 'rollback', count: 1 },
    ]);
    await hanging.stop();

    devnode.misbehave(null);
    const healthy = await startPopulating(server, 'beside', [devnode.externalUrl]);
    await eventually(
      () => gaps(healthy.database),
      ({ length }) => length === 0,
    );
    await devnode.grow(1);
    await healthy.at(devnode.top().hash);
    const stored = await chainDump(healthy.database);
    await healthy.stop();
    expect(stored).to.deep.equal(await cleanDump(server, 'beside_clean', devnode.externalUrl));
  });

  it('in a first load lets the populator follow the head, without polling it', async () => {
    const island = await emptyCopy(server.url, 'unhurried');
    await replaceHeights({ database: island, node, heights: [{ from: 9, to: devnode.height() }] });
    await island.close();
    devnode.misbehave({ slowMs: 600_000, paths: '/generations/height/[0-8]$' });
    const config = { pollIntervalMs: 1_000 };
    const hanging = await startPopulating(server, 'unhurried', [devnode.externalUrl], { timeoutMs: 600_000 }, config);
    const { headHash } = hanging.node;
    let asked = 0;
    hanging.node.headHash = () => (asked++, headHash());
    await hanging.at(devnode.top().hash);
    for (let grown = 0; grown < 2; grown++) {
      await devnode.grow(1);
      await hanging.at(devnode.top().hash);
    }
    devnode.misbehave(null);
    await hanging.stop();
    expect(asked).to.equal(0);
  });

  it('is filled by a running populator when somebody stores heights above its head', async () => {
    const populating = await startPopulating(server, 'raised', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    const from = devnode.height();
    // The populator does not notice it before the height above is stored.
    devnode.misbehave({ slowMs: 600_000, paths: '/generations/current|/key-blocks/current' });
    await devnode.grow(6);
    const straight = nodeAt(devnode.externalUrl, { retries: [] });
    const heights = [{ from: from + 5, to: from + 5 }];
    expect(await replaceHeights({ database: populating.database, node: straight, heights })).to.deep.equal({
      failed: [],
    });
    expect(await gaps(populating.database)).to.have.length(1);

    devnode.misbehave(null);
    await populating.at(devnode.top().hash);
    await eventually(
      () => gaps(populating.database),
      ({ length }) => length === 0,
    );
    const stored = await chainDump(populating.database);
    await populating.stop();
    straight.close();
    expect(stored).to.deep.equal(await cleanDump(server, 'raised_clean', devnode.externalUrl));
  });

  it('is filled above a generation that was stored without its last micro blocks', async () => {
    const database = await emptyCopy(server.url, 'unfinished');
    await devnode.addMicroBlock();
    const context = syncContext(database, node);
    await syncFully(context);
    const top = devnode.height();
    await devnode.addMicroBlock();
    await devnode.grow(4);
    await replaceHeights({ database, node, heights: [{ from: top + 3, to: top + 4 }] });
    const { rows: before } = await database.query({ name: 'test.seq', text: 'SELECT MAX(seq) FROM events' });
    await fillGaps(context);
    const { rows: after } = await database.query({ name: 'test.seq', text: 'SELECT MAX(seq) FROM events' });

    // No block was removed for it.
    expect(after).to.deep.equal(before);
    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'unfinished_clean', devnode.externalUrl));
    await database.close();
  });
});
