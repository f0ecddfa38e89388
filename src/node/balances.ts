/** Balances as a node tells them. */
import { exactInteger, isObject, parseExact } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { presetsChecksum } from '../chain/money/presets.js';
import type { Consensus } from '../chain/protocol/generations.js';
import { hasRewardTable } from '../chain/protocol/rewards.js';
import type { ChainNode } from './client.js';

/** The balance after a block; undefined if the node does not know it. An account that it does not have has nothing. */
export async function nodeBalance(node: Pick<ChainNode, 'get'>, id: string, hash: string): Promise<bigint | undefined> {
  const { status, text } = await node.get(`/accounts/${id}/hash/${hash}`);
  if (status === 404) return /account/i.test(text) ? 0n : undefined;
  if (status !== 200) return undefined;
  // An answer that cannot be read is like none: it must not stop the walk.
  try {
    const answer = parseExact(text);
    return isObject(answer) ? exactInteger(answer['balance']) : undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

export interface GenesisOf {
  networkId: string;
  genesisHash: string;
  consensus: Consensus | undefined;
}

/** Accounts that a node is asked about at a time. */
const ACCOUNTS = 8;

/**
 * Compares a file with what a node has after its genesis block. `unknown`: it has no state of that block any more; `moved`: it is a hyperchain, where
 * contracts of the genesis file have moved coins in the same block.
 */
export async function compareWithGenesis(
  node: Pick<ChainNode, 'get'>,
  { networkId, genesisHash, consensus }: GenesisOf,
  accounts: GenesisAccounts,
): Promise<'same' | 'unknown' | 'moved' | { fault: string }> {
  if (presetsChecksum(networkId) !== undefined)
    return fault(`the coins of ${networkId} are built in: remove the setting`);
  if (!hasRewardTable(consensus)) return 'moved';
  const all = [...accounts];
  for (let from = 0; from < all.length; from += ACCOUNTS) {
    const asked = all.slice(from, from + ACCOUNTS);
    const balances = await Promise.all(asked.map(([id]) => nodeBalance(node, id, genesisHash)));
    if (balances.includes(undefined)) return 'unknown';
    for (const [i, [id, amount]] of asked.entries())
      if (balances[i] !== amount)
        return fault(`it gives ${id} ${amount}, but after the genesis block the node has ${balances[i]!}`);
  }
  return 'same';
}

const fault = (what: string): { fault: string } => ({ fault: `GENESIS_ACCOUNTS_FILE: ${what}` });
