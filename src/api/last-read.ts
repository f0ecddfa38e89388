import type { heldReorgOf } from '../store/queries/status.js';

/** What the readiness check reads from the database. */
export interface StoredFacts {
  height: number | null;
  /** Time of the head key block, ms since 1970. */
  head_time: number | null;
  node_height: number | null;
  /** `ok`, or why the populator waits for the node; null if no populator has reported for a minute. */
  node_state: string | null;
  /** Key blocks behind the node; null if nobody knows the height of the node now. */
  lag: number | null;
  /** Whether the first load has not reached the head yet. Loaded heights can already be read. */
  loading: boolean;
  /** The reorg that waits until a second node or the administrator confirms it; absent if there is none. */
  held_reorg?: ReturnType<typeof heldReorgOf>;
  /** Rows that this populator found wrong and could not mend; absent if it does not verify. */
  differing_rows?: number;
  /** The populator has reported before, but not recently: the height of the node is what it answers to this process. */
  populator_silent?: true;
}

/** What the readiness check has read most recently: nothing if it never has, or if the schema cannot be used. */
export interface LastRead {
  facts?: StoredFacts | undefined;
}
