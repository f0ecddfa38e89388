/** Compares records of names, auctions and oracles with those of the node in the background. */
import type { NodePool } from '../node/pool.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { NODE_RECORD_KINDS, countDiffering } from '../store/node-records.js';
import type { BesideOptions } from './beside.js';
import { compareSome, newWalks } from './compare-records.js';

/** Pause between two rounds, ms: near the head the node gets some ten requests a minute. */
const PAUSE_MS = 30_000;
/** Pause before a round is repeated, because the copy and the node had different heads, ms. */
const REPEAT_MS = 2_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function compareNodeRecords(options: BesideOptions & { node: NodePool }): Promise<void> {
  const { database, logger, metrics, signal } = options;
  const walks = newWalks();
  await repeat({
    signal,
    async runOnce() {
      const isDone = options.mayWork() && (await compareSome(options, walks)) !== 'moved';
      const counts = await countDiffering(database);
      for (const kind of NODE_RECORD_KINDS) metrics.differingRecords.set({ kind }, counts[kind]);
      return isDone ? PAUSE_MS : REPEAT_MS;
    },
    onFault(error) {
      logger.debug({ reason: reasonOf(error) }, 'Could not compare records of names and oracles with the node');
      return PAUSE_MS;
    },
  });
}
