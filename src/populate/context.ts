import type { Depth } from '../config/checks.js';
import type { Network } from '../chain/networks.js';
import type { ChainNode } from '../node/client.js';
import type { Database, DbTransaction } from '../store/connection/database.js';
import type { Committed } from '../store/write/commit.js';
import type { KeyBlocksAt } from './agreement.js';
import type { BatchSize, Window } from './source.js';

/** What the steps of a populating process share. */
export interface SyncContext {
  database: Database;
  node: ChainNode;
  /** Fails the database transaction if this process no longer has the lease. */
  fence: (tx: DbTransaction) => Promise<void>;
  window: Window;
  batch: BatchSize;
  /** Its rules must be followed by key blocks; undefined before it is known. */
  network: Network | undefined;
  /** Hash of key block 0 of this copy; undefined before it is known. */
  genesisHash?: string | undefined;
  /** What a branch without proof of work may replace before a second node or the administrator confirms it. */
  maxUnprovenReorg: Depth;
  /** Whether a node other than the followed one has this key block. Nodes differ by their peer keys. */
  confirms: (height: number, hash: string) => Promise<boolean>;
  /** What the nodes have at a height. */
  keyBlocksAt: (height: number) => Promise<KeyBlocksAt>;
  signal: AbortSignal;
  /** Called after each commit with what was stored and its highest height. */
  onCommit: (committed: Committed, height: number) => void;
  /** Called after a reorg with the number of key blocks that were removed; 0 for a micro reorg. */
  onReorg: (depth: number) => void;
}
