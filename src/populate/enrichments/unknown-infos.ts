/** Asks again for call information that no node answered when its block was stored. */
import { needsInfo, runsContract } from '../../chain/effective.js';
import { readTransaction } from '../../chain/facts.js';
import { heightOf } from '../../chain/position.js';
import { readInfosAgain } from '../../store/due-infos.js';
import { countUnknownInfos, dueUnknownInfos, postponeUnknownInfos } from '../../store/unknown-infos.js';
import type { UnknownInfo } from '../../store/unknown-infos.js';
import { replaceHeights } from '../heights.js';
import { infoOrUnknown } from '../infos.js';
import { storedRules } from '../rules.js';
import { onRise, seldom } from './counting.js';
import { commit } from './enrichment.js';
import type { Asked, EnrichContext, Enrichment } from './enrichment.js';

/** Call information that a node has now. */
interface Answer {
  position: bigint;
  /** Only the result and the logs of the transaction depend on it: it is read as that of a new block, after which it is no longer marked. */
  isReadAgain: boolean;
}

export const unknownInfos: Enrichment<UnknownInfo, Answer> = {
  batch: 20,
  requests: 1,
  due: dueUnknownInfos,
  asker:
    ({ node }) =>
    async ({ position, hash, body }) => {
      const transaction = readTransaction(body);
      const isPlain = !needsInfo(transaction);
      // Another transaction may have taken the place of the one that needed it: earlier releases do not delete its row.
      const hasNone = isPlain && !runsContract(transaction);
      if (!hasNone && (await infoOrUnknown(node, hash)) == null) return null;
      return { position, isReadAgain: isPlain && !hasNone };
    },
  store: storeAgain,
};

/** A block whose call information is known now is stored again as with `-H`: what its transactions do may be something else. */
async function storeAgain(context: EnrichContext, { answered, later }: Asked<UnknownInfo, Answer>): Promise<void> {
  const { database, node, signal } = context;
  const replaced = answered.filter(({ isReadAgain }) => !isReadAgain).map(({ position }) => heightOf(position));
  const heights = [...new Set(replaced)].sort((a, b) => a - b).map((height) => ({ from: height, to: height }));
  const { failed } = await replaceHeights({ database, node, heights, signal, ...(await storedRules(context)) });
  const hasFailed = new Set(failed.map(({ height }) => height));
  const again = answered.filter(({ isReadAgain }) => isReadAgain).map(({ position }) => position);
  const left = answered.filter(({ position }) => hasFailed.has(heightOf(position)));
  await commit(context, async (tx) => {
    await readInfosAgain(tx, again);
    // Those that are read again stay marked until they are.
    const postponed = [...later, ...left].map(({ position }) => position);
    await postponeUnknownInfos(tx, [...new Set([...postponed, ...again])]);
  });
}

/** Returns what reports how many are unknown, and warns of more. */
export function reportUnknown({ database, logger, metrics }: EnrichContext): () => Promise<void> {
  const counted = seldom(
    database,
    async (db) => {
      const count = await countUnknownInfos(db);
      metrics.unknownInfos.set(count);
      return count;
    },
    0,
  );
  return onRise(counted, (count) =>
    logger.warn({ count }, 'No node answers the call information of some transactions, will ask again'),
  );
}
