import type { Transaction } from '../database.js';

/** Brings up to date what the current height alone decides: which names and oracles are active, which auctions run. */
export async function settle(tx: Transaction): Promise<void> {
  await tx.query({ name: 'chain.settle', text: 'SELECT settle()' });
}
