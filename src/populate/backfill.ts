/** Fills new derived tables with the rows that follow from the blocks of earlier versions, in parts, while the copy is in use. */
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { readBackfill, saveBackfill } from '../store/backfills.js';
import { numberCommit } from '../store/connection/commit-number.js';
import { PROJECTIONS } from '../store/projections/list.js';
import type { Projection } from '../store/projections/projection.js';
import { beginMending } from '../store/write/mend.js';
import type { BesideOptions } from './beside.js';

/** Pause before `mayWork` is asked again, and after a fault, ms. */
const IDLE_MS = 2_000;

/** Runs until the signal aborts, or until all tables are filled. The load neither waits for it nor fails with it. */
export async function fillNewTables(options: Omit<BesideOptions, 'node' | 'work'>): Promise<void> {
  const { logger, metrics } = options;
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  const waiting = PROJECTIONS.filter(({ backfill }) => backfill !== undefined);
  await repeat({
    signal,
    async runOnce() {
      const next = waiting[0];
      if (next === undefined) {
        done.abort();
        return 0;
      }
      if (!options.mayWork()) return IDLE_MS;
      const position = await fillPart(options, next);
      if (position === null) {
        waiting.shift();
        metrics.backfillHeight.remove({ table: next.name });
      } else metrics.backfillHeight.set({ table: next.name }, heightOf(position));
      return 0;
    },
    onFault(error) {
      logger.debug({ reason: reasonOf(error) }, 'Could not fill a new table');
      return IDLE_MS;
    },
  });
}

/** Fills the next part. Returns the position that it has reached; null if the table has all rows. */
async function fillPart(
  { database, fence, logger }: Omit<BesideOptions, 'node' | 'work'>,
  { name, backfill, backfillName = name }: Projection,
): Promise<bigint | null> {
  return database.transaction(async (tx) => {
    await beginMending(tx);
    await fence(tx);
    const after = await readBackfill(tx, backfillName);
    if (after === undefined) return null;
    const reached = await backfill!(tx, after);
    await saveBackfill(tx, backfillName, reached);
    await numberCommit(tx);
    if (reached === null) logger.info({ table: name }, 'Filled a new table with what was stored before');
    return reached;
  });
}
