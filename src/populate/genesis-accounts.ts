/** The coins of a genesis block that is not built in, as the administrator gives them: the ledger takes no others than the chain has. */
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { presetsChecksum } from '../chain/money/presets.js';
import { compareWithGenesis } from '../node/balances.js';
import type { GenesisOf } from '../node/balances.js';
import type { ChainNode } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { hasGenesisAccounts } from '../store/projections/genesis-accounts.js';

interface CheckOptions {
  accounts: GenesisAccounts;
  node: Pick<ChainNode, 'get'>;
  logger: Logger;
}

/** Throws `invalid_config` if a node has another balance after the genesis block. What the copy has already was compared when it was taken. */
export async function checkGenesisAccounts(
  db: Queryable,
  network: GenesisOf,
  { accounts, node, logger }: CheckOptions,
): Promise<void> {
  const isBuiltIn = presetsChecksum(network.networkId) !== undefined;
  if (!isBuiltIn && (await hasGenesisAccounts(db, accounts))) return;
  const compared = await compareWithGenesis(node, network, accounts);
  if (compared === 'unknown')
    logger.warn(
      { block: network.genesisHash },
      'The node does not tell balances after the genesis block: the file is believed',
    );
  else if (typeof compared === 'object') throw new MiddlewareError('invalid_config', compared.fault);
}
