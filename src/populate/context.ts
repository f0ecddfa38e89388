import type { ChainNode } from '../node/client.js';
import type { Database, DbTransaction } from '../store/connection/database.js';
import type { Committed } from '../store/write/commit.js';
import type { BatchSize, Window } from './source.js';

/** What a process that populates works with. */
export interface SyncContext {
  database: Database;
  node: ChainNode;
  fence: (tx: DbTransaction) => Promise<void>;
  window: Window;
  batch: BatchSize;
  /** Size of the graphs in which key blocks have their proof of work; undefined: none is asked for. */
  edgeBits: number | undefined;
  /** Key blocks that a branch may take back whose work is not proven, unless somebody vouches for it. */
  maxUnprovenReorg: number;
  /** Whether a node other than the one that is read has this key block, too. */
  confirms: (height: number, hash: string) => Promise<boolean>;
  signal: AbortSignal;
  /** Called after each commit: what was stored and up to which height. */
  onCommit: (committed: Committed, height: number) => void;
  /** Called when stored blocks were replaced: key blocks taken back, 0 for a micro fork. */
  onFork: (depth: number) => void;
}
