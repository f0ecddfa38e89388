/** What the work has that a populator does beside loading and following. */
import type { WorkSettings } from '../chain/networks.js';
import type { ChainNode } from '../node/client.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database, DbTransaction } from '../store/connection/database.js';

export interface BesideOptions {
  database: Database;
  node: ChainNode;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  /** Key blocks that are stored again must follow the rules of the network. */
  work: WorkSettings;
  /** False while the load or new blocks come first. */
  mayWork: () => boolean;
}
