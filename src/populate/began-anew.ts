/** A chain that began again under the same network id, as those of developers do: with another genesis block, or with nothing but it in common. */
import { knownNetwork } from '../chain/networks.js';
import type { Config } from '../config.js';
import { isNodeFault } from '../node/faults.js';
import type { NodePool } from '../node/pool.js';
import type { Logger } from '../observe/logger.js';
import { readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import type { Lease } from '../store/lease.js';
import { setAside } from '../store/schema/set-aside.js';

/** Thrown by the loop that follows the head: the copy must be set aside, and the setting allows it. */
export class BeganAnew extends Error {}

type Setting = Pick<Config, 'newGenesis'>;

/** Whether the setting allows a new copy for a network: that of a network that is built in never begins anew. */
const mayBegin = ({ newGenesis }: Setting, networkId: string): boolean =>
  newGenesis === 'new_copy' && knownNetwork(networkId) === undefined;

/** Whether all nodes answer, are of this network, and have another genesis block: asks them all. Never without the setting. */
export async function haveAllBegunAnew(config: Setting, networkId: string, node: NodePool): Promise<boolean> {
  if (!mayBegin(config, networkId)) return false;
  return (await node.check()).every(({ state }) => state === 'wrong_genesis');
}

/**
 * Whether a branch that shares only the genesis block is a new chain: each address answers, and none has the stored key block 1. What preferred the branch
 * (`SyncResult.isAnew`) is not enough: it leaves out nodes that take long, and takes two addresses for one node until their status is read again.
 */
export async function isBranchAnew(
  config: Setting,
  networkId: string,
  node: NodePool,
  stored: string | undefined,
): Promise<boolean> {
  if (!mayBegin(config, networkId) || stored === undefined) return false;
  try {
    return (await node.everyKeyBlockAt(1)).every((hash) => hash !== stored);
  } catch (error) {
    if (isNodeFault(error)) return false;
    throw error;
  }
}

/** Sets the copy aside and makes an empty one, for which the nodes say the genesis block. */
export async function beginNewCopy(
  { database, node, prover, logger }: { database: Database; node: NodePool; prover: NodePool; logger: Logger },
  lease: Lease,
): Promise<void> {
  const identity = await readIdentity(database);
  if (identity === null) return;
  const schema = await setAside(database, identity, (tx) => lease.fence(tx));
  logger.warn(
    { schema, ...identity },
    'The chain began anew: its former copy is in another schema now, until mdw drop, and a new copy is loaded',
  );
  for (const pool of [node, prover]) pool.expect({ networkId: identity.networkId });
}
