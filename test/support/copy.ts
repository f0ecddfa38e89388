import { createDatabase } from '../../src/store/database.js';
import type { Database } from '../../src/store/database.js';
import { createLogger } from '../../src/observe/logger.js';
import { migrate } from '../../src/store/migrate.js';
import type { SyncContext } from '../../src/populate/sync.js';
import type { ChainNode } from '../../src/node/client.js';
import { createNodePool } from '../../src/node/pool.js';
import type { NodePool, NodePoolOptions } from '../../src/node/pool.js';
import { syncOnce } from '../../src/populate/sync.js';

export const silent = createLogger({ level: 'silent' });

/** The node at an address, asked as a populator asks it. */
export const nodeAt = (url: string, changes: Partial<NodePoolOptions> = {}): NodePool =>
  createNodePool({ urls: [url], api: 'v2', timeoutMs: 5_000, concurrency: 8, logger: silent, ...changes });

/** A migrated, empty copy in a schema of its own. */
export async function emptyCopy(url: string, schema = 'mdw'): Promise<Database> {
  const database = createDatabase({ url, schema, poolSize: 4, statementTimeoutMs: 60_000, logger: silent });
  await migrate(database);
  return database;
}

export function syncContext(database: Database, node: ChainNode, changes: Partial<SyncContext> = {}): SyncContext {
  return {
    database,
    node,
    fence: () => Promise.resolve(),
    window: { generations: 32, transactions: 5_000 },
    batch: { blocks: 100, transactions: 500 },
    signal: new AbortController().signal,
    onCommit: () => undefined,
    onFork: () => undefined,
    ...changes,
  };
}

/** Rounds until the database has the node's top. */
export async function syncFully(context: SyncContext): Promise<void> {
  while ((await syncOnce(context)).changed);
}
