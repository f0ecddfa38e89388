/** The coins of a genesis block that is not built in, as the administrator gives them: the ledger takes no others than the chain has. */
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { presetsChecksum } from '../chain/money/presets.js';
import { hasRewardTable } from '../chain/protocol/rewards.js';
import type { Consensus } from '../chain/protocol/generations.js';
import type { ChainNode } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { hasGenesisAccounts } from '../store/projections/genesis-accounts.js';
import { nodeBalance } from './node-balances.js';

interface Network {
  networkId: string;
  genesisHash: string;
  consensus: Consensus | undefined;
}

interface CheckOptions {
  accounts: GenesisAccounts;
  node: Pick<ChainNode, 'get'>;
  logger: Logger;
}

/** Accounts that a node is asked about at a time. */
const ACCOUNTS = 8;

/** Throws `invalid_config` if a node has another balance after the genesis block. What the copy has already was compared when it was taken. */
export async function checkGenesisAccounts(
  db: Queryable,
  { networkId, genesisHash, consensus }: Network,
  { accounts, node, logger }: CheckOptions,
): Promise<void> {
  if (presetsChecksum(networkId) !== undefined)
    throw fault(`the coins of ${networkId} are built in: remove the setting`);
  // On a hyperchain, contracts of the genesis file have moved coins in the same block.
  if (!hasRewardTable(consensus) || (await hasGenesisAccounts(db, accounts))) return;
  const all = [...accounts];
  for (let from = 0; from < all.length; from += ACCOUNTS) {
    const asked = all.slice(from, from + ACCOUNTS);
    const balances = await Promise.all(asked.map(([id]) => nodeBalance(node, id, genesisHash)));
    if (balances.includes(undefined)) {
      logger.warn(
        { block: genesisHash },
        'The node does not tell balances after the genesis block: the file is believed',
      );
      return;
    }
    for (const [i, [id, amount]] of asked.entries())
      if (balances[i] !== amount)
        throw fault(`it gives ${id} ${amount}, but after the genesis block the node has ${balances[i]!}`);
  }
}

const fault = (what: string): MiddlewareError =>
  new MiddlewareError('invalid_config', `GENESIS_ACCOUNTS_FILE: ${what}`);
