import type { Config } from '../config.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { isNodeFault } from '../node/faults.js';
import { createNodePool } from '../node/pool.js';
import type { NodePool } from '../node/pool.js';
import { readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/database.js';
import { schemaState } from '../store/migrate.js';

export interface OpenNodeOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  database: Database;
  signal: AbortSignal;
  /** Whether the process is of use without a node. */
  mayWait: boolean;
  /** Longest `retry-after` that is waited for unseen, ms. */
  patienceMs?: number | undefined;
}

/** Faults that somebody has to mend before this process is of use. */
export const LASTING_NODE_FAULTS: ReadonlySet<string> = new Set(['node_wrong_network', 'node_wrong_genesis']);

/** Opens the nodes and refuses to start on a chain other than the database's, or without any node that answers. */
export async function openNode(options: OpenNodeOptions): Promise<NodePool> {
  const { config, logger, metrics, database, signal, mayWait, patienceMs } = options;
  const node = createNodePool({
    urls: config.nodeUrls,
    api: config.nodeApi,
    timeoutMs: config.nodeTimeoutMs,
    concurrency: config.nodeConcurrency,
    logger,
    signal,
    ...(patienceMs !== undefined && { patienceMs }),
    observe: {
      request: (outcome, seconds) => {
        metrics.nodeRequests.inc({ outcome });
        metrics.nodeRequestSeconds.observe({ outcome }, seconds);
      },
    },
  });
  try {
    const identity = await readIdentity(database);
    if (identity !== null) node.expect(identity);
    await node.status();
  } catch (error) {
    if (!isNodeFault(error) || LASTING_NODE_FAULTS.has(error.code) || !mayWait) {
      node.close();
      throw error;
    }
    logger.warn({ code: error.code, reason: error.message }, 'No node answers yet');
  }
  return node;
}

/** Verification changes nothing, so it does not migrate either. */
export async function mustHaveSchema(database: Database): Promise<void> {
  const { pending, unknown } = await schemaState(database);
  if (unknown.length > 0) {
    const message = `The database was made by a newer version (it has migration ${unknown.join(', ')})`;
    throw new MiddlewareError('conflict', 'schema_newer', message);
  }
  if (pending.length > 0) {
    const message = `The database lacks migration ${pending.join(', ')}: run mdw migrate, or populate it first`;
    throw new MiddlewareError('conflict', 'schema_older', message);
  }
}
