import type { ProofSetting } from '../chain/proof/level.js';
import type { Config } from '../config.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { isNodeFault } from '../node/faults.js';
import { createNodePool } from '../node/pool.js';
import type { NodePool } from '../node/pool.js';
import type { Identity } from '../store/chain-state.js';
import { channelParties } from '../store/channels.js';
import type { Database } from '../store/connection/database.js';
import { schemaState } from '../store/schema/migrate.js';

interface OpenNodeOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  database: Database;
  signal: AbortSignal;
  /** The chain that the database holds; null if it holds none. */
  identity: Identity | null;
  /** Whether the process can begin its work without a node that answers. */
  mayWait: boolean;
  /** Whether the process can begin its work with the copy of a chain that began anew. */
  mayBeginAnew?: boolean;
  /** Max `retry-after` for which the node pool waits without reporting it, ms. */
  patienceMs?: number | undefined;
}

type PoolOptions = Pick<OpenNodeOptions, 'config' | 'logger' | 'metrics' | 'database' | 'signal' | 'patienceMs'>;

function createPool(
  { config, logger, metrics, database, signal, patienceMs }: PoolOptions,
  proof: ProofSetting,
): NodePool {
  return createNodePool({
    urls: config.nodeUrls,
    ...(config.networkId !== undefined && { expected: { networkId: config.networkId } }),
    api: config.nodeApi,
    caFile: config.nodeCaFile,
    timeoutMs: config.nodeTimeoutMs,
    concurrency: config.nodeConcurrency,
    proof,
    channelParties: (channel) => channelParties(database, channel),
    acceptUnknownProtocol: config.acceptUnknownProtocol === 'on',
    work: config,
    logger,
    signal,
    ...(patienceMs !== undefined && { patienceMs }),
    observe: {
      request: (outcome, seconds) => {
        metrics.nodeRequests.inc({ outcome });
        metrics.nodeRequestSeconds.observe({ outcome }, seconds);
      },
      extraMembers: (count) => metrics.extraMembers.inc(count),
    },
  });
}

/**
 * A pool whose answers are proven in full: `node` itself if it proves in full, otherwise a second pool of the same nodes. It
 * is separate so that a node whose answer fails a full proof is excluded from this pool alone, and still followed by `node`.
 */
export const openProver = (options: PoolOptions, node: NodePool): NodePool =>
  options.config.proof === 'full' || options.config.proof === 'signatures' ? node : createPool(options, 'full');

/**
 * Opens the pool of nodes. Throws if the chain of a node is not that of the database, or if no node answers and `mayWait`
 * is false.
 */
export async function openNode(options: OpenNodeOptions): Promise<NodePool> {
  const { config, logger, identity, mayWait, mayBeginAnew = false } = options;
  const node = createPool(options, config.proof);
  try {
    refuseOtherNetwork(config, identity);
    if (identity !== null) node.expect(identity);
    else await refuseSeveralChains(config, node);
    await node.status();
  } catch (error) {
    const isAnew = mayBeginAnew && isNodeFault(error) && error.code === 'node_wrong_genesis';
    if (!isAnew && (!isNodeFault(error) || error.row.lasting || !mayWait)) {
      node.close();
      throw error;
    }
    const message = isAnew ? 'The nodes are of another chain' : 'No node has answered yet';
    logger.warn({ code: error.code, reason: error.message }, message);
  }
  return node;
}

/** Throws `wrong_chain` if the copy is of another network than the one that is set. */
function refuseOtherNetwork({ networkId }: Pick<Config, 'networkId'>, identity: Identity | null): void {
  if (networkId === undefined || identity === null || identity.networkId === networkId) return;
  const message = `The database holds network ${identity.networkId}, and NETWORK_ID is ${networkId}: correct NETWORK_ID or use another database`;
  throw new MiddlewareError('wrong_chain', message);
}

/** Throws `wrong_chain` if nodes are of several chains, and neither the copy nor a setting says which one is meant. */
async function refuseSeveralChains({ networkId: wanted }: Pick<Config, 'networkId'>, node: NodePool): Promise<void> {
  const reports = await node.check();
  const others = reports.filter(
    ({ state }) => state === 'wrong_genesis' || (state === 'wrong_network' && wanted === undefined),
  );
  if (others.length === 0 || others.length === reports.length) return;
  const { networkId, genesisHash } = await node.status();
  const named = others.map(({ reason }) => reason).join('; ');
  throw new MiddlewareError(
    'wrong_chain',
    `The nodes are of several chains, and the database is empty: the first is of ${networkId} (genesis ${genesisHash}), but ${named}. Remove the wrong nodes from NODE_URL, or set NETWORK_ID`,
  );
}

/** Throws if the schema is not that of this version. For verification, which must not change the database. */
export async function mustHaveSchema(database: Database): Promise<void> {
  const { pending, breaking } = await schemaState(database);
  if (breaking.length > 0) {
    const message = `The database was made by a newer version (it has migration ${breaking.join(', ')})`;
    throw new MiddlewareError('schema_newer', message);
  }
  if (pending.length > 0) {
    const message = `The database lacks migration ${pending.join(', ')}: run mdw migrate, or populate it first`;
    throw new MiddlewareError('schema_older', message);
  }
}
