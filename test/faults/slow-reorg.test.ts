import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { NodePool } from '../../src/node/pool.js';
import type { Database } from '../../src/store/connection/database.js';
import { fillGaps, nodeAt, syncContext, syncFully, syncRound } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

/** Longer than a database transaction may be idle. */
const SLOW_MS = 6_500;
const DEPTH = 20;

describe('a reorg of a node whose answers take longer than a database transaction may be idle', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  const databases: Database[] = [];

  beforeEach(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: { seed: 'slow', generations: 30, txsPerGeneration: 4, accounts: 8 },
      },
    });
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
    await devnode.close();
    await server.drop();
  });

  const copy = async (schema: string): Promise<Database> => {
    const database = await emptyCopy(server.url, schema);
    databases.push(database);
    return database;
  };

  const fork = async (): Promise<void> => {
    await devnode.fork({ depth: DEPTH, grow: DEPTH + 1, retainTxs: 'some', txsPerGeneration: 4 });
    devnode.misbehave({ slowMs: SLOW_MS, paths: `/generations/height/${devnode.height() - 5}$` });
  };

  it('is applied, and leaves no staged blocks', async () => {
    const populating = await startPopulating(server, 'followed', [devnode.externalUrl], { timeoutMs: 10_000 });
    await populating.at(devnode.top().hash);

    await fork();
    await populating.at(devnode.top().hash);
    devnode.misbehave(null);
    const stored = await chainDump(populating.database);
    const { rows } = await populating.database.query({ name: 'test.staged', text: 'SELECT FROM staged_blocks' });
    // The node has left the branch whose call information is read.
    const isOfBranch = ({ msg }: { msg?: unknown }): boolean =>
      /^No node answers the call information/.test(String(msg));
    const warnings = populating.log.filter((line) => line.level === 40 && !isOfBranch(line)).map(({ msg }) => msg);
    await populating.stop();

    expect(stored).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    expect(rows).to.have.length(0);
    expect(warnings).to.deep.equal([]);
  });

  it('is applied by -H over several heights', async () => {
    const node = nodeAt(devnode.externalUrl, { timeoutMs: 10_000 });
    const database = await copy('heights');
    await syncFully(syncContext(database, node));

    await fork();
    const heights = [{ from: devnode.height() - DEPTH, to: devnode.height() }];
    const { failed } = await replaceHeights({ database, node, heights });
    devnode.misbehave(null);
    await syncFully(syncContext(database, node));
    node.close();

    expect(failed).to.deep.equal([]);
    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    const { rows } = await database.query({ name: 'test.staged', text: 'SELECT FROM staged_blocks' });
    expect(rows).to.have.length(0);
  });

  it('leaves no staged blocks when the process ends half-way', async () => {
    // Blocks that were read before a fault are staged.
    const populating = await startPopulating(server, 'ended', [devnode.externalUrl], { timeoutMs: 1_000 });
    await populating.at(devnode.top().hash);
    const staged = async (): Promise<number> => {
      const { rows } = await administrator.query<{ count: string }>('SELECT count(*) FROM ended.staged_blocks');
      return Number(rows[0]!.count);
    };
    const administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    await devnode.fork({ depth: DEPTH, grow: DEPTH + 1, txsPerGeneration: 4 });
    devnode.misbehave({ hang: true, paths: `/generations/height/${devnode.height() - 5}$` });
    await eventually(staged, (count) => count > 0);
    await populating.stop();
    // A stage as -H would have left it.
    await administrator.query(`INSERT INTO ended.staged_blocks SELECT 'heights dead', position, hash, prev_hash, target, version,
      body, transactions, infos FROM ended.staged_blocks`);

    devnode.misbehave(null);
    const database = await copy('ended');
    const next = await startPopulating(server, 'ended', [devnode.externalUrl]);
    await next.at(devnode.top().hash);
    await eventually(staged, (count) => count === 0);
    await next.stop();
    await administrator.end();

    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
  });

  it('is applied while a gap is filled', async () => {
    const node = nodeAt(devnode.externalUrl, { timeoutMs: 10_000 });
    const database = await copy('holed');
    await replaceHeights({ database, node, heights: [{ from: 0, to: 5 }] });
    await replaceHeights({ database, node, heights: [{ from: 12, to: 30 }] });

    await fork();
    await fillGaps(syncContext(database, node));
    devnode.misbehave(null);
    await syncFully(syncContext(database, node));
    node.close();

    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
  });
});

describe('a reorg during which the node fails', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let proxy: TestServer;
  /** Paths that are answered with 500. */
  let broken: RegExp | undefined;

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'fails', generations: 30, txsPerGeneration: 4, accounts: 8 } },
    });
    proxy = await startServer(async (request, response) => {
      if (broken?.test(request.url!) === true) return reply(response, 500, '');
      const answer = await fetch(devnode.externalUrl + request.url!);
      reply(response, answer.status, await answer.text());
    });
  });
  after(async () => {
    await proxy.close();
    await devnode.close();
    await server.drop();
  });

  it('continues from the blocks read so far, and requests none of them again', async () => {
    const database = await emptyCopy(server.url, 'resumed');
    const node = nodeAt(proxy.url, { retries: [] });
    const context = syncContext(database, node, { batch: { blocks: 8, transactions: 1_000, characters: Infinity } });
    await syncFully(context);
    const stored = await chainDump(database);
    await devnode.fork({ depth: DEPTH, grow: DEPTH + 1, txsPerGeneration: 4 });
    const asked = (requests: readonly string[]): number[] =>
      requests.flatMap((request) => /\/generations\/height\/(\d+)$/.exec(request)?.[1] ?? []).map(Number);

    const breaksAt = devnode.height() - 5;
    // Also the way around it: the block after it names the blocks of the generation.
    broken = new RegExp(`/(generations/height/${breaksAt}|key-blocks/height/${breaksAt + 1})$`);
    proxy.requests.length = 0;
    const failed = await syncRound(context).catch((error: unknown) => error);
    expect(failed).to.include({ code: 'node_error' });
    expect(await chainDump(database)).to.deep.equal(stored);

    broken = undefined;
    proxy.requests.length = 0;
    expect(await syncRound(context)).to.include({ state: 'ok', changed: true });
    node.close();

    const again = asked(proxy.requests).filter((height) => height < breaksAt - 1);
    // Except for the common ancestor, whose micro blocks may have changed.
    expect(again.filter((height) => height > devnode.height() - DEPTH - 1)).to.deep.equal([]);
    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    await database.close();
  });
});

describe('a reorg that is longer than one read of the stage', () => {
  const LONG = 180;
  let server: TestDatabase;
  let devnode: Devnode;

  beforeEach(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: { seed: 'long', generations: LONG + 5, txsPerGeneration: 3, accounts: 8 },
      },
    });
  });
  afterEach(async () => {
    await devnode.close();
    await server.drop();
  });

  /** A node that answers only while no database transaction is open: waiting for it inside one would take forever. */
  const holdingBack = (database: Database): { database: Database; node: NodePool } => {
    let open = 0;
    let ended = (): void => undefined;
    let noneOpen = Promise.resolve();
    const transaction: Database['transaction'] = async (work) => {
      if (open++ === 0) noneOpen = new Promise((resolve) => (ended = resolve));
      try {
        return await database.transaction(work);
      } finally {
        if (--open === 0) ended();
      }
    };
    const node = nodeAt(devnode.externalUrl);
    const held =
      <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
      async (...asked: Asked): Promise<Answer> => {
        const answer = await ask(...asked);
        while (open > 0) await noneOpen;
        return answer;
      };
    const { status, currentGeneration, generation, keyBlock, microBlock, info } = node;
    return {
      database: { ...database, transaction },
      node: {
        ...node,
        status: held(status),
        currentGeneration: held(currentGeneration),
        generation: held(generation),
        keyBlock: held(keyBlock),
        microBlock: held(microBlock),
        info: held(info),
      },
    };
  };

  for (const way of ['sync', 'heights'] as const) {
    it(`is applied by ${way === 'sync' ? 'the populator' : '-H'}, which never waits for the node inside a database transaction`, async () => {
      const plain = await emptyCopy(server.url, way);
      const { database, node } = holdingBack(plain);
      const context = syncContext(database, node);
      await syncFully(context);
      await devnode.fork({ depth: LONG, grow: LONG + 1, retainTxs: 'some', txsPerGeneration: 3, microBlocks: 3 });

      if (way === 'heights') {
        const heights = [{ from: devnode.height() - LONG, to: devnode.height() }];
        expect(await replaceHeights({ database, node, heights })).to.deep.equal({ failed: [] });
      }
      await syncFully(context);
      node.close();

      expect(await chainDump(plain)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
      await plain.close();
    });
  }
});
