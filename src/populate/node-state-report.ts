import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { writeNodeSeen } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';

/** Time between two writes of the node's height while the state does not change, ms. */
const WRITE_MS = 2_000;

interface NodeStateReportOptions {
  database: Database;
  logger: Logger;
  metrics: Metrics;
  /** While heights may be missing, the processes that serve the copy must see `loading`, not `ok`. */
  mayHaveGaps: () => boolean;
}

/** Reports the state of the node: to the log and the metrics, and by the database to the processes that serve the copy. */
interface NodeStateReport {
  /** Last state that was entered; undefined at the start. */
  state(): string | undefined;
  enter(state: string, nodeHeight: number | null, reason?: string): Promise<void>;
  /** Whether the last write of the height is long ago. */
  isHeightDue(): boolean;
  writeHeight(nodeHeight: number): Promise<void>;
}

export function createNodeStateReport(options: NodeStateReportOptions): NodeStateReport {
  const { database, logger, metrics, mayHaveGaps } = options;
  const known = new Set<string>();
  let state: string | undefined;
  let writtenAt = -Infinity;

  const write = (height: number | null, current: string, reason?: string): Promise<void> =>
    writeNodeSeen(database, { height, state: current === 'ok' && mayHaveGaps() ? 'loading' : current, reason });

  return {
    state: () => state,
    async enter(next, nodeHeight, reason) {
      known.add(next);
      for (const each of known) metrics.nodeState.set({ state: each }, each === next ? 1 : 0);
      if (next !== state) {
        if (next !== 'ok') logger.warn({ state: next, reason }, 'Waiting for the node; nothing is deleted meanwhile');
        else if (state !== undefined) logger.info('Node recovered');
        state = next;
      }
      await write(nodeHeight, next, reason);
    },
    isHeightDue: () => performance.now() - writtenAt > WRITE_MS,
    async writeHeight(nodeHeight) {
      writtenAt = performance.now();
      await write(nodeHeight, state ?? 'loading');
    },
  };
}
