import type { DbTransaction } from '../connection/database.js';

/** Brings up to date what the current height alone decides: which names and oracles are active, which auctions run. */
export async function settle(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'chain.settle', text: 'SELECT settle()' });
}
