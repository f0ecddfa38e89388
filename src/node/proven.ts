import type { KeyBlock, MicroBlock } from '../chain/facts.js';
import { describeFlaw, describeUnknownVersion, placeOf, proveKeyBlock, proveMicroBlock } from '../chain/proof/block.js';
import type { ExtraMembers, Flaw, Proof, ProofLevel, ProofSetting } from '../chain/proof/level.js';
import { keyBlockWithout, microBlockWithout } from '../chain/proof/extra.js';
import { keyBlockFlaw } from '../chain/signatures/leader.js';
import { printable } from '../observe/printable.js';
import type { NodeClient } from './client.js';
import { nodeFault } from './faults.js';
import { createSignatureCheck } from './signed.js';
import type { SigningOptions } from './signed.js';

/** How long a node gets no requests after a block that is not proven, ms. */
const DISTRUST_MS = 30_000;

interface ProvenOptions extends SigningOptions {
  proof: ProofSetting;
  /** Whether blocks whose protocol version is not known are stored without a proof. */
  acceptUnknownProtocol: boolean;
  distrustMs?: number | undefined;
  /** Called with the number of members that were left out, because the bytes do not contain them. */
  onExtraMembers?: ((count: number) => void) | undefined;
}

/**
 * Wraps a node: a block that does not follow from its hash, or lacks a signature, becomes a fault, so that another node is asked. `unproven` of a block lists the
 * parts that cannot be proven. The list of micro blocks of a generation is not proven here: the caller must check that each block names the
 * hash of the one before it.
 */
export function provenNode(node: NodeClient, options: ProvenOptions): NodeClient {
  const { proof: setting, acceptUnknownProtocol, distrustMs = DISTRUST_MS, onExtraMembers } = options;
  const level: ProofLevel = setting === 'signatures' ? 'full' : setting;
  if (level === 'off') return node;
  const signatures = createSignatureCheck(options, setting === 'signatures');

  function proven<B extends KeyBlock | MicroBlock>(block: B, { flaw, unknownVersion, unproven }: Proof): B {
    if (flaw !== undefined) {
      const message = `height ${block.height}: ${describeFlaw(flaw)}`;
      throw nodeFault('node_unproven', message, {
        details: { height: block.height, ...flaw, retryAfterMs: distrustMs },
      });
    }
    if (unknownVersion !== undefined && !acceptUnknownProtocol) {
      const message = `height ${block.height}: ${describeUnknownVersion(block.hash, unknownVersion)}`;
      throw nodeFault('node_unknown_protocol', message, {
        details: { height: block.height, retryAfterMs: distrustMs },
      });
    }
    if (level === 'full' && unknownVersion === undefined) block.proven = true;
    if (unproven.length === 0) return block;
    return { ...block, unproven: unproven.map((one) => ({ ...one, reason: printable(one.reason) })) };
  }

  function mustBeSigned(block: KeyBlock | MicroBlock, flaw: Flaw | undefined): void {
    if (flaw === undefined) return;
    throw nodeFault('node_unsigned', `height ${block.height}: ${placeOf(flaw)} is not signed: ${flaw.reason}`, {
      details: { height: block.height, ...flaw, retryAfterMs: distrustMs },
    });
  }

  async function key(block: KeyBlock): Promise<KeyBlock> {
    const proof = proveKeyBlock(block, level);
    const result = proven(keyBlockWithout(block, reported(proof.extra)), proof);
    if (block.consensus === 'hyperchain' && proof.header !== undefined)
      mustBeSigned(block, await keyBlockFlaw({ hash: block.hash, header: proof.header }, block.miner));
    return result;
  }

  function reported(extra: readonly ExtraMembers[] = []): readonly ExtraMembers[] {
    for (const { members } of extra) onExtraMembers?.(members.length);
    return extra;
  }

  return {
    ...node,
    async currentGeneration() {
      const generation = await node.currentGeneration();
      const keyBlock = await key(generation.keyBlock);
      signatures.onHead(keyBlock);
      return { ...generation, keyBlock };
    },
    async generation(height) {
      const generation = await node.generation(height);
      return generation && { ...generation, keyBlock: await key(generation.keyBlock) };
    },
    async keyBlock(height) {
      const block = await node.keyBlock(height);
      return block && (await key(block));
    },
    async microBlock(hash, keyBlock, isFollowed = false) {
      const block = await node.microBlock(hash, keyBlock);
      if (block === null) return null;
      const proof = proveMicroBlock(block, level);
      for (const transaction of block.transactions) transaction.envelope = undefined;
      const result = proven(microBlockWithout(block, reported(proof.extra)), proof);
      const { header, signed } = proof;
      // Of another generation it has another leader: the caller refuses it. What leaders of a later protocol sign is not known.
      if (header !== undefined && block.prevKeyHash === keyBlock.hash)
        mustBeSigned(block, await signatures.flawOf(block, keyBlock, { header, signed, isFollowed }));
      return result;
    },
  };
}
