/**
 * One measurement of bench/repair.ts in a process of its own, with the code of any checkout: `<root> <work as JSON>`. Says what it took as
 * JSON on standard output.
 */
import type * as Gaps from '../src/store/chain-state.js';
import type * as Connection from '../src/store/connection/database.js';
import type * as Log from '../src/observe/logger.js';
import type * as Measures from '../src/observe/metrics.js';
import type * as Heights from '../src/populate/heights.js';
import type * as Decoder from '../src/compiler/decoder.js';
import type * as Pool from '../src/node/pool.js';
import type * as Run from '../src/populate/run.js';
import type * as Migrate from '../src/store/schema/migrate.js';
import type * as Commit from '../src/store/write/commit.js';
import type * as Replace from '../src/store/write/replace.js';
import { popularName } from './popular-name.js';
import { cpuOfPostgres } from './processes.js';

/** `cluster` is the folder of PostgreSQL, whose processor time is measured as well. */
export type RepairWork = { url: string; schema: string; cluster: string } & (
  | { do: 'store'; uses: number }
  | { do: 'analyze' }
  | { do: 'replace'; uses: number; pointsTo: 'bob' | 'carol' }
  | { do: 'island'; nodeUrl: string; island: number }
  | { do: 'load'; nodeUrl: string }
);

export interface RepairCost {
  seconds: number;
  processorSeconds: number;
  databaseSeconds: number;
  mebibytes: number;
}

const [root, text] = process.argv.slice(2) as [string, string];
const work = JSON.parse(text) as RepairWork;
const load = async <T>(path: string): Promise<T> => (await import(`${root}/src/${path}`)) as T;

const { createLogger } = await load<typeof Log>('observe/logger.js');
const { createDatabase } = await load<typeof Connection>('store/connection/database.js');
const logger = createLogger({ level: 'fatal' });
const database = createDatabase({ url: work.url, schema: work.schema, poolSize: 4, statementTimeoutMs: 0, logger });

async function measured(what: () => Promise<unknown>): Promise<RepairCost> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const databaseBefore = cpuOfPostgres(work.cluster);
  await what();
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - began) / 1000,
    processorSeconds: (user + system) / 1e6,
    databaseSeconds: cpuOfPostgres(work.cluster) - databaseBefore,
    mebibytes: process.resourceUsage().maxRSS / 1024,
  };
}

async function store(uses: number): Promise<RepairCost> {
  const { migrate } = await load<typeof Migrate>('store/schema/migrate.js');
  const { commit } = await load<typeof Commit>('store/write/commit.js');
  await migrate(database);
  return measured(async () => {
    let base: string | null = null;
    for (const blocks of popularName(uses, 'bob')) {
      await commit(database, () => Promise.resolve(), { base, removeFrom: null, blocks });
      base = blocks.at(-1)!.hash;
    }
  });
}

async function replace(uses: number, pointsTo: 'bob' | 'carol'): Promise<RepairCost> {
  const module = await load<typeof Replace & { replaceGeneration?: typeof Replace.replaceGenerations }>(
    'store/write/replace.js',
  );
  // Height 0 to 2 come first: the update is the last of them.
  const [first] = popularName(uses, pointsTo);
  const at = first!.findLastIndex(({ kind }) => kind === 'key');
  return measured(() =>
    database.transaction(async (tx) => {
      await module.beginReplacing(tx);
      await (module.replaceGenerations ?? module.replaceGeneration!)(tx, first!.slice(at));
    }),
  );
}

async function nodeAt(nodeUrl: string): Promise<{ node: Pool.NodePool; top: number }> {
  const { createNodePool } = await load<typeof Pool>('node/pool.js');
  const node = createNodePool({ urls: [nodeUrl], api: 'auto', timeoutMs: 10_000, concurrency: 16, logger });
  return { node, top: (await node.currentGeneration()).keyBlock.height };
}

/** In a process of its own: the load begins with code that is not compiled yet, whatever the island. */
async function storeIsland(nodeUrl: string, island: number): Promise<RepairCost> {
  const { migrate } = await load<typeof Migrate>('store/schema/migrate.js');
  const { replaceHeights } = await load<typeof Heights>('populate/heights.js');
  await migrate(database);
  const { node, top } = await nodeAt(nodeUrl);
  const heights = island > 0 ? [{ from: top - island + 1, to: top }] : [];
  const cost = await measured(() => replaceHeights({ database, node, heights }));
  node.close();
  return cost;
}

async function loadChain(nodeUrl: string): Promise<RepairCost> {
  const { populate } = await load<typeof Run>('populate/run.js');
  const { createMetrics } = await load<typeof Measures>('observe/metrics.js');
  const { createCallDecoder } = await load<typeof Decoder>('compiler/decoder.js');
  const { gaps, readHead } = await load<typeof Gaps>('store/chain-state.js');
  const { node, top } = await nodeAt(nodeUrl);
  const stopping = new AbortController();
  // With the last commit: the decoding that would begin then is no part of the load.
  const onProgress = async (): Promise<void> => {
    if ((await readHead(database))?.height === top && (await gaps(database)).length === 0) stopping.abort();
  };
  const cost = await measured(() =>
    populate({
      database,
      node,
      prover: node,
      decoder: createCallDecoder(),
      config: {
        // The head is followed beside a load below an island, as after every load: what that costs grows with the time, not with the load.
        pollIntervalMs: 60_000,
        leaseSeconds: 15,
        powEdgeBits: undefined,
        powIntervalMs: undefined,
        acceptUnknownProtocol: 'off',
        maxUnprovenReorg: { blocks: 100 },
        verifyShare: 0,
        tokenDryRuns: 'off',
        internalCalls: 'off',
        secondOpinionShare: 0,
        newGenesis: 'off',
      },
      logger,
      metrics: createMetrics(),
      signal: stopping.signal,
      onProgress: () => void onProgress(),
    }),
  );
  node.close();
  return cost;
}

function cost(): Promise<RepairCost> {
  switch (work.do) {
    case 'store':
      return store(work.uses);
    case 'analyze':
      return measured(() => database.query({ name: 'bench.analyze', text: 'ANALYZE' }));
    case 'replace':
      return replace(work.uses, work.pointsTo);
    case 'island':
      return storeIsland(work.nodeUrl, work.island);
    case 'load':
      return loadChain(work.nodeUrl);
  }
}

const taken = await cost();
await database.close();
console.log(JSON.stringify(taken));
