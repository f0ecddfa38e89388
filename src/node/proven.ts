import type { KeyBlock, MicroBlock } from '../chain/facts.js';
import { describeFlaw, proveKeyBlock, proveMicroBlock } from '../chain/proof/block.js';
import type { Proof, ProofLevel } from '../chain/proof/level.js';
import { printable } from '../observe/printable.js';
import type { NodeClient } from './client.js';
import { nodeFault } from './faults.js';

/** How long a node gets no requests after a block that is not proven, ms. */
const DISTRUST_MS = 30_000;

/**
 * Wraps a node: a block that does not follow from its hash becomes a fault, so that another node is asked. `unproven` of a block lists the
 * parts that cannot be proven. The list of micro blocks of a generation is not proven here: the caller must check that each block names the
 * hash of the one before it.
 */
export function provenNode(node: NodeClient, level: ProofLevel, distrustMs = DISTRUST_MS): NodeClient {
  if (level === 'off') return node;

  function proven<B extends KeyBlock | MicroBlock>(block: B, { flaw, unproven }: Proof): B {
    if (flaw !== undefined) {
      const message = `height ${block.height}: ${describeFlaw(flaw)}`;
      throw nodeFault('node_unproven', message, {
        details: { height: block.height, ...flaw, retryAfterMs: distrustMs },
      });
    }
    if (level === 'full') block.proven = true;
    if (unproven.length === 0) return block;
    return { ...block, unproven: unproven.map((one) => ({ ...one, reason: printable(one.reason) })) };
  }

  const key = (block: KeyBlock): KeyBlock => proven(block, proveKeyBlock(block, level));

  return {
    ...node,
    async currentGeneration() {
      const generation = await node.currentGeneration();
      return { ...generation, keyBlock: key(generation.keyBlock) };
    },
    async generation(height) {
      const generation = await node.generation(height);
      return generation && { ...generation, keyBlock: key(generation.keyBlock) };
    },
    async keyBlock(height) {
      const block = await node.keyBlock(height);
      return block && key(block);
    },
    async microBlock(hash) {
      const block = await node.microBlock(hash);
      if (block === null) return null;
      const proof = proveMicroBlock(block, level);
      for (const transaction of block.transactions) transaction.envelope = undefined;
      return proven(block, proof);
    },
  };
}
