import { networkOf } from '../chain/networks.js';
import type { Fork, Network, WorkSettings } from '../chain/networks.js';
import { readForks, readIdentity } from '../store/chain-state.js';
import type { Identity } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';

/** What key blocks of a copy must follow. */
interface Rules {
  network: Network;
  /** Hash of key block 0. */
  genesisHash: string;
}

export const rulesOf = (chain: Identity & { forks: readonly Fork[] }, work: WorkSettings): Rules => ({
  network: networkOf(chain.networkId, work, chain.forks),
  genesisHash: chain.genesisHash,
});

/** The rules of the recorded chain of a copy; undefined before the first load. */
export async function storedRules({
  database,
  work,
}: {
  database: Queryable;
  work: WorkSettings;
}): Promise<Rules | undefined> {
  const identity = await readIdentity(database);
  return identity === null ? undefined : rulesOf({ ...identity, forks: await readForks(database) }, work);
}
