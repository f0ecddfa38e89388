/** Counts the accounts that transactions name, in each part of the chain that is over, behind the load. */
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { numberCommit } from '../store/connection/commit-number.js';
import { activeAccounts, countNextPart, nextPart } from '../store/projections/active-accounts.js';
import { beginMending } from '../store/write/mend.js';
import type { BesideOptions } from './beside.js';

/** Pause before it is looked whether another part is over, and after a fault, ms. */
const IDLE_MS = 10_000;

interface CountOptions extends Omit<BesideOptions, 'node' | 'work'> {
  /** Transactions of a part; as many as the projection says if absent. */
  size?: number;
  /** Waits that long, or less if there is something to do. */
  pauseMs?: number;
}

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function countActiveAccounts(options: CountOptions): Promise<void> {
  const { database, fence, signal, logger, metrics, size, pauseMs = IDLE_MS } = options;
  const table = activeAccounts.name;
  await repeat({
    signal,
    async runOnce() {
      if (!options.mayWork()) return pauseMs;
      // A look takes no lock and no number of a commit.
      if ((await nextPart(database, size)) === null) {
        metrics.backfillHeight.remove({ table });
        return pauseMs;
      }
      const reached = await database.transaction(async (tx) => {
        await beginMending(tx);
        await fence(tx);
        const upto = await countNextPart(tx, size);
        if (upto !== null) await numberCommit(tx);
        return upto;
      });
      if (reached !== null) metrics.backfillHeight.set({ table }, heightOf(reached));
      return 0;
    },
    onFault(error) {
      logger.debug({ reason: reasonOf(error) }, 'Could not count active accounts');
      return pauseMs;
    },
  });
}
