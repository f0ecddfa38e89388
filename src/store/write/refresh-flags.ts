import type { DbTransaction } from '../connection/database.js';

/** Refreshes the flags that depend on the current height: which names and oracles are active, which auctions run. */
export async function refreshFlags(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'chain.refresh-flags', text: 'SELECT settle()' });
}
