/** Asks again for call information that no node answered when its block was stored. */
import { heightOf } from '../chain/position.js';
import { edgeBitsOf } from '../chain/work/cuckoo.js';
import type { ChainNode } from '../node/client.js';
import { reasonOf } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { readIdentity } from '../store/chain-state.js';
import { numberCommit } from '../store/connection/commit-number.js';
import type { Database, DbTransaction } from '../store/connection/database.js';
import { countUnknownInfos, dueUnknownInfos, postponeUnknownInfos } from '../store/unknown-infos.js';
import { waitOrAbort } from './head-poll.js';
import { replaceHeights } from './heights.js';
import { infoOrUnknown } from './infos.js';

interface UnknownInfosOptions {
  database: Database;
  node: ChainNode;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  /** Value of the setting `POW_EDGE_BITS`, for the blocks that are stored again. */
  powEdgeBits: number | undefined;
  /** False during the load, which needs the node for itself. */
  mayWork: () => boolean;
}

/** Max transactions that are asked about before their blocks are stored again. */
const BATCH = 20;
/** Pause before looking for due transactions, ms. */
const IDLE_MS = 2_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function askAgainForInfos(options: UnknownInfosOptions): Promise<void> {
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
async function askDue({ database, node, signal, fence, powEdgeBits }: UnknownInfosOptions): Promise<void> {
  const due = await dueUnknownInfos(database, BATCH);
  if (due.length === 0) return;
  const answered = new Set<number>();
  for (const { position, hash } of due) {
    if ((await infoOrUnknown(node, hash)) !== undefined) answered.add(heightOf(position));
  }
  const identity = await readIdentity(database);
  const edgeBits = identity === null ? undefined : edgeBitsOf(identity.networkId, powEdgeBits);
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
