/** Asks again for call information that no node answered when its block was stored. */
import { needsInfo, runsContract } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { numberCommit } from '../store/connection/commit-number.js';
import { readInfosAgain } from '../store/due-infos.js';
import { countUnknownInfos, dueUnknownInfos, postponeUnknownInfos } from '../store/unknown-infos.js';
import type { BesideOptions } from './beside.js';
import { replaceHeights } from './heights.js';
import { infoOrUnknown } from './infos.js';
import { storedRules } from './rules.js';

/** Max transactions that are asked about before their blocks are stored again. */
const BATCH = 20;
/** Pause before looking for due transactions, ms. */
const IDLE_MS = 2_000;
/** Min time between two counts, as a multiple of the time that the count took: there may be many, as of a node without old results. */
const COUNT_FACTOR = 100;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function askAgainForInfos(options: BesideOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  let known = 0;
  let countAt = -Infinity;
  await repeat({
    signal,
    async runOnce() {
      const asked = options.mayWork() ? await askDue(options) : 0;
      const start = performance.now();
      if (start >= countAt) {
        const count = await countUnknownInfos(database);
        countAt = start + COUNT_FACTOR * (performance.now() - start);
        metrics.unknownInfos.set(count);
        if (count > known)
          logger.warn({ count }, 'No node answers the call information of some transactions, will ask again');
        known = count;
      }
      return asked === BATCH ? 0 : IDLE_MS;
    },
    onFault(error) {
      logger.debug({ reason: reasonOf(error) }, 'Could not ask again for call information');
      return IDLE_MS;
    },
  });
}

/**
 * A block whose call information is known now is stored again as with `-H`: what its transactions do may be something else. Of others
 * only the result and the logs depend on it: it is read as that of a new block, after which it is no longer marked. Returns the number of transactions asked about.
 */
async function askDue(options: BesideOptions): Promise<number> {
  const { database, node, signal, fence } = options;
  const due = await dueUnknownInfos(database, BATCH);
  if (due.length === 0) return 0;
  const answered = new Set<number>();
  const plain: bigint[] = [];
  for (const { position, hash, body } of due) {
    const transaction = readTransaction(body);
    const isPlain = !needsInfo(transaction);
    const hasNone = isPlain && !runsContract(transaction);
    // Another transaction may have taken the place of the one that needed it: earlier releases do not delete its row.
    const isKnown = hasNone || (await infoOrUnknown(node, hash)) != null;
    if (!isKnown) continue;
    if (isPlain && !hasNone) plain.push(position);
    else answered.add(heightOf(position));
  }
  const rules = await storedRules(options);
  const heights = [...answered].sort((a, b) => a - b).map((height) => ({ from: height, to: height }));
  const { failed } = await replaceHeights({ database, node, heights, signal, ...rules });
  for (const { height } of failed) answered.delete(height);
  const later = due.filter(({ position }) => !answered.has(heightOf(position)));
  await database.transaction(async (tx) => {
    await fence(tx);
    await numberCommit(tx);
    await readInfosAgain(tx, plain);
    await postponeUnknownInfos(
      tx,
      later.map(({ position }) => position),
    );
  });
  return due.length;
}
