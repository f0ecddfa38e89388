/** What the work has that a populator does beside loading and following. */
import { edgeBitsOf } from '../chain/work/cuckoo.js';
import type { ChainNode } from '../node/client.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { readIdentity } from '../store/chain-state.js';
import type { Database, DbTransaction } from '../store/connection/database.js';

export interface BesideOptions {
  database: Database;
  node: ChainNode;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  /** Value of the setting `POW_EDGE_BITS`; key blocks that are stored again must have a proof of work if the network has one. */
  powEdgeBits: number | undefined;
  /** False while the load or new blocks come first. */
  mayWork: () => boolean;
}

/** Edge bits of the network of this copy; undefined if its key blocks are not known to have a proof of work. */
export async function storedEdgeBits({
  database,
  powEdgeBits,
}: Pick<BesideOptions, 'database' | 'powEdgeBits'>): Promise<number | undefined> {
  const identity = await readIdentity(database);
  return identity === null ? undefined : edgeBitsOf(identity.networkId, powEdgeBits);
}
