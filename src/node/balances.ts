/** Balances as a node tells them. */
import { exactInteger, isObject, parseExact } from '../chain/encoding/json.js';
import { readKeyBlock } from '../chain/facts.js';
import { MalformedError } from '../chain/malformed.js';
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { presetsChecksum } from '../chain/money/presets.js';
import type { Consensus } from '../chain/protocol/generations.js';
import { hasRewardTable } from '../chain/protocol/rewards.js';
import type { ChainNode } from './client.js';
import { readStatus } from './status.js';

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

export type Compared = 'same' | 'unknown' | 'moved' | { fault: string };

/** Accounts that a node is asked about at a time. */
const ACCOUNTS = 8;

/**
 * Compares a file with what a node has after its genesis block, and what the key blocks of hard forks gave. `unknown`: it has no state of such a block any
 * more; `moved`: it is a hyperchain, where contracts of the genesis file have moved coins in the same block.
 */
export async function compareWithGenesis(
  node: Pick<ChainNode, 'get'>,
  { networkId, genesisHash, consensus }: GenesisOf,
  { genesis, forks }: GenesisAccounts,
): Promise<Compared> {
  if (presetsChecksum(networkId) !== undefined)
    return fault(`the coins of ${networkId} are built in: remove the setting`);
  if (!hasRewardTable(consensus)) return 'moved';
  const isSame = await compareEach(genesis, async ([id, amount]) => {
    const balance = await nodeBalance(node, id, genesisHash);
    if (balance === undefined) return 'unknown';
    return balance === amount
      ? 'same'
      : fault(`it gives ${id} ${amount}, but after the genesis block the node has ${balance}`);
  });
  if (isSame !== 'same' || forks.size === 0) return isSame;
  const heights = new Map(
    readStatus((await node.get('/status')).text).forks.map(({ version, height }) => [version, height]),
  );
  for (const [version, amounts] of forks) {
    const compared = await compareWithFork(node, { version, height: heights.get(version) }, amounts);
    if (compared !== 'same') return compared;
  }
  return 'same';
}

/** A fork that the chain has not reached gave nothing yet. Its key block may give more to an account, such as a reward. */
async function compareWithFork(
  node: Pick<ChainNode, 'get'>,
  { version, height }: { version: number; height: number | undefined },
  amounts: ReadonlyMap<string, bigint>,
): Promise<Compared> {
  if (height === undefined) return fault(`the node does not have the protocol version ${version}`);
  if (height === 0)
    return fault(`version ${version} begins with the genesis block, whose accounts are below no version`);
  const { status, text } = await node.get(`/key-blocks/height/${height}`);
  if (status === 404) return 'same';
  if (status !== 200) return 'unknown';
  const { hash, prevHash } = readKeyBlock(text);
  return compareEach(amounts, async ([id, amount]) => {
    const [before, after] = await Promise.all([nodeBalance(node, id, prevHash), nodeBalance(node, id, hash)]);
    if (before === undefined || after === undefined) return 'unknown';
    return after - before >= amount
      ? 'same'
      : fault(
          `it gives ${id} ${amount} with version ${version}, but key block ${height} of the node ${after - before}`,
        );
  });
}

/** Compares some accounts at a time, up to the first that is not the same. */
async function compareEach(
  amounts: ReadonlyMap<string, bigint>,
  compare: (entry: [string, bigint]) => Promise<Compared>,
): Promise<Compared> {
  const all = [...amounts];
  for (let from = 0; from < all.length; from += ACCOUNTS) {
    const compared = await Promise.all(all.slice(from, from + ACCOUNTS).map(compare));
    const other = compared.find((one) => one === 'unknown') ?? compared.find((one) => one !== 'same');
    if (other !== undefined) return other;
  }
  return 'same';
}

const fault = (what: string): { fault: string } => ({ fault: `GENESIS_ACCOUNTS_FILE: ${what}` });
