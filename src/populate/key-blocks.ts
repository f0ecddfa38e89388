import type { KeyBlock } from '../chain/facts.js';
import type { Network } from '../chain/networks.js';
import { RULES_READ, brokenRule, rulesRead, wrongConsensus } from '../chain/work/key-block-rules.js';
import type { KeyHeader } from '../chain/work/key-block-rules.js';
import { hasWork } from '../chain/work/key-block-work.js';
import type { ChainNode } from '../node/client.js';
import { nodeFault } from '../node/faults.js';
import { keyHeadersBelow, readHead } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';
import type { Block } from '../store/facts/blocks.js';
import { inconsistent } from './source.js';

interface CheckOptions {
  database: Queryable;
  /** Asked for key blocks that are not stored. */
  node: ChainNode;
  /** Undefined: nothing is checked. */
  network: Network | undefined;
  /** Hash of key block 0 of this copy; undefined before it is known. */
  genesisHash?: string | undefined;
}

/** Checks key blocks that are read one after the other. Blocks of other kinds are ignored. */
interface KeyBlockCheck {
  /**
   * Throws `node_wrong_genesis` for another genesis block, `node_no_work` if a key block does not have the work that its target claims, and
   * `node_breaks_rules` if its version, consensus, time or target does not follow from the key blocks before it.
   */
  (blocks: readonly KeyBlock[]): Promise<void>;
}

type LinkedHeader = KeyHeader & { hash: string };

/** Makes a check for key blocks that follow each other. It keeps the last ones, so they are read only once. */
export function createKeyBlockCheck({ database, node, network, genesisHash }: CheckOptions): KeyBlockCheck {
  let before: LinkedHeader[] = [];

  /** The key blocks below `block` that the rules read: those checked last, the stored ones, or those of the node. */
  async function headersBelow(block: KeyBlock, count: number): Promise<LinkedHeader[]> {
    if (before.at(-1)?.hash === block.prevKeyHash) return before;
    const stored = new Map(
      (await keyHeadersBelow(database, block.height, count)).map((one) => [one.height, one] as const),
    );
    const needed = Math.min(block.height, count);
    const read: LinkedHeader[] = [];
    for (let height = block.height - 1, hash = block.prevKeyHash; read.length < needed; height--) {
      const kept = stored.get(height);
      const one = kept?.hash === hash ? kept : await node.keyBlock(height);
      if (one?.hash !== hash) throw inconsistent(`key block ${hash} is not at height ${height} of the node's chain`);
      read.unshift(headerOf(one));
      hash = one.prevKeyHash;
    }
    return read;
  }

  return async (blocks) => {
    if (network === undefined) return;
    for (const block of blocks) {
      const genesis = network.genesisHash ?? genesisHash;
      if (block.height === 0) mustBeGenesis(block.hash, genesis);
      else {
        if (block.height === 1) {
          mustBeGenesis(block.prevKeyHash, genesis);
          await mustBeOfStoredForm(block, database);
        }
        if (network.work !== undefined) mustHaveWork(block, network.work.edgeBits);
        const below = await headersBelow(block, rulesRead(network));
        const broken = brokenRule(headerOf(block), below, network, Date.now());
        if (broken !== undefined)
          throw nodeFault('node_breaks_rules', `key block ${block.hash} (${block.height}) breaks the rules: ${broken}`);
        before = below;
      }
      before = [...before, headerOf(block)].slice(-RULES_READ);
    }
  };
}

/** Passes on generations whose key blocks are checked, one by one: the first wrong one ends the reading of a branch. */
export async function* checkedGenerations(
  generations: AsyncIterable<Block[]>,
  options: CheckOptions,
): AsyncGenerator<Block[]> {
  const check = createKeyBlockCheck(options);
  for await (const blocks of generations) {
    await check(keyBlocksOf(blocks));
    yield blocks;
  }
}

/** The key blocks among blocks. */
export const keyBlocksOf = (blocks: readonly Block[]): KeyBlock[] =>
  blocks.flatMap((block) => (block.kind === 'key' ? [block.keyBlock] : []));

type StoredOrRead = Pick<KeyBlock, 'height' | 'hash' | 'time' | 'version' | 'consensus'> & { target: bigint | number };

const headerOf = ({ height, hash, target, time, version, consensus }: StoredOrRead): LinkedHeader => ({
  height,
  hash,
  target: Number(target),
  time,
  version,
  consensus,
});

function mustBeGenesis(hash: string, expected: string | undefined): void {
  if (expected === undefined || hash === expected) return;
  throw nodeFault('node_wrong_genesis', `has the genesis block ${hash}, not ${expected}`);
}

/**
 * The genesis block does not show the form of its chain, so a branch that begins at height 1 is compared with what it would replace: two networks can
 * have the same genesis block.
 */
async function mustBeOfStoredForm(block: KeyBlock, database: Queryable): Promise<void> {
  const head = await readHead(database);
  const [newest] = head === null ? [] : await keyHeadersBelow(database, head.height + 1, 1);
  const broken = wrongConsensus(block, newest, 'the newest stored one');
  if (broken !== undefined)
    throw nodeFault('node_breaks_rules', `key block ${block.hash} (${block.height}) is of another form: ${broken}`);
}

function mustHaveWork(block: KeyBlock, edgeBits: number): void {
  if (hasWork(block, edgeBits)) return;
  throw nodeFault('node_no_work', `key block ${block.hash} (${block.height}) has no valid proof of work`);
}
