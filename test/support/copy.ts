import type { WorkSettings } from '../../src/chain/networks.js';
import type { Database } from '../../src/store/connection/database.js';
import { createLogger } from '../../src/observe/logger.js';
import type { SyncContext } from '../../src/populate/context.js';
import type { ChainNode } from '../../src/node/client.js';
import { createNodePool } from '../../src/node/pool.js';
import type { NodePool } from '../../src/node/pool.js';
import { createGapFiller } from '../../src/populate/gaps.js';
import { replaceAbove, syncOnce } from '../../src/populate/sync.js';

export const silent = createLogger({ level: 'silent' });

/** The node at an address, as a populator uses it. */
export const nodeAt = (url: string, changes: Partial<Parameters<typeof createNodePool>[0]> = {}): NodePool =>
  createNodePool({
    urls: [url],
    api: 'v2',
    timeoutMs: 5_000,
    concurrency: 8,
    proof: 'full',
    logger: silent,
    ...changes,
  });

export function syncContext(database: Database, node: ChainNode, changes: Partial<SyncContext> = {}): SyncContext {
  return {
    database,
    node,
    fence: () => Promise.resolve(),
    window: { generations: 32, transactions: 5_000, characters: 10_000_000 },
    batch: { blocks: 100, transactions: 500, characters: 1_000_000 },
    network: undefined,
    maxUnprovenReorg: { blocks: Infinity },
    confirms: () => Promise.resolve(false),
    keyBlocksAt: () => Promise.resolve({ followed: 0, others: [] }),
    signal: new AbortController().signal,
    onCommit: () => undefined,
    onReorg: () => undefined,
    ...changes,
  };
}

/** Settings of a network that is not known to have a proof of work. */
export const NO_WORK: WorkSettings = { powEdgeBits: undefined, powIntervalMs: undefined };

/** Syncs once, to the current head of the node. */
export async function syncRound(context: SyncContext): ReturnType<typeof syncOnce> {
  return syncOnce(context, await context.node.currentGeneration());
}

/** Syncs until the database has the head of the node. */
export async function syncFully(context: SyncContext): Promise<void> {
  while ((await syncRound(context)).changed);
}

/** Fills all gaps as the populator does. */
export async function fillGaps(context: SyncContext): Promise<void> {
  const filler = createGapFiller(context);
  for (;;) {
    const outcome = await filler.fillNext();
    if (outcome === 'none') return;
    if (outcome !== 'filled') {
      await replaceAbove(context, outcome.above);
      return;
    }
  }
}
