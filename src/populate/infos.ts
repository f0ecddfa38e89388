import { needsInfo } from '../chain/effective.js';
import type { MicroBlock } from '../chain/facts.js';
import type { ChainNode } from '../node/client.js';
import { isNodeFault } from '../node/faults.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** Max time to wait for the call information of a transaction, ms: a block whose facts are known must not wait longer. */
const MAX_WAIT_MS = 5_000;

/** The call information of a transaction; null if the node has none, undefined if no node answers. Throws if the nodes are no longer in use. */
export async function infoOrUnknown(node: ChainNode, hash: string): Promise<string | null | undefined> {
  const waiting = new AbortController();
  try {
    return await withTimeout(MAX_WAIT_MS, node.info(hash, waiting.signal));
  } catch (error) {
    if (!isNodeFault(error) || error.code === 'node_closed') throw error;
    return undefined;
  } finally {
    waiting.abort();
  }
}

/**
 * Adds the call information to the transactions that need it. They are marked if no node has it: only what a block itself says is waited for.
 */
export async function addInfos(node: ChainNode, { transactions }: MicroBlock): Promise<void> {
  const read = transactions.filter(needsInfo).map(async (transaction) => {
    transaction.info = (await infoOrUnknown(node, transaction.hash)) ?? null;
    if (transaction.info === null) transaction.isInfoUnknown = true;
  });
  await Promise.all(read);
}
