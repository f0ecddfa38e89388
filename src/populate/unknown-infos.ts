/** Asks again for call information that no node answered when its block was stored. */
import { needsInfo } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { numberCommit } from '../store/connection/commit-number.js';
import { countUnknownInfos, dueUnknownInfos, postponeUnknownInfos } from '../store/unknown-infos.js';
import { storedEdgeBits } from './beside.js';
import type { BesideOptions } from './beside.js';
import { waitOrAbort } from './head-poll.js';
import { replaceHeights } from './heights.js';
import { infoOrUnknown } from './infos.js';

/** Max transactions that are asked about before their blocks are stored again. */
const BATCH = 20;
/** Pause before looking for due transactions, ms. */
const IDLE_MS = 2_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function askAgainForInfos(options: BesideOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  let known = 0;
  while (!signal.aborted) {
    try {
      if (options.mayWork()) await askDue(options);
      const count = await countUnknownInfos(database);
      metrics.unknownInfos.set(count);
      if (count > known)
        logger.warn({ count }, 'No node answers the call information of some transactions, will ask again');
      known = count;
    } catch (error) {
      if (signal.aborted) return;
      logger.debug({ reason: reasonOf(error) }, 'Could not ask again for call information');
    }
    await waitOrAbort(IDLE_MS, signal);
  }
}

/** A block whose call information is known now is stored again as with `-H`: what its transactions do may be something else. */
async function askDue(options: BesideOptions): Promise<void> {
  const { database, node, signal, fence } = options;
  const due = await dueUnknownInfos(database, BATCH);
  if (due.length === 0) return;
  const answered = new Set<number>();
  for (const { position, hash, body } of due) {
    // Another transaction may have taken the place of the one that needed it: earlier releases do not delete its row.
    if (!needsInfo(readTransaction(body)) || (await infoOrUnknown(node, hash)) != null)
      answered.add(heightOf(position));
  }
  const edgeBits = await storedEdgeBits(options);
  const heights = [...answered].sort((a, b) => a - b).map((height) => ({ from: height, to: height }));
  const { failed } = await replaceHeights({ database, node, heights, signal, edgeBits });
  for (const { height } of failed) answered.delete(height);
  const later = due.filter(({ position }) => !answered.has(heightOf(position)));
  await database.transaction(async (tx) => {
    await fence(tx);
    await numberCommit(tx);
    await postponeUnknownInfos(
      tx,
      later.map(({ position }) => position),
    );
  });
}
