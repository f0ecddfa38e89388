/** What belongs to a generation in each form of a chain. See docs/protocol/positions.md. */
import { PROOF_LENGTH } from './blocks.js';

/**
 * Who makes the key blocks: whoever finds a proof of work, the only node of a test network (`on_demand`), or the validator whose turn it is
 * (`hyperchain`).
 */
export type Consensus = 'pow' | 'on_demand' | 'hyperchain';

/** What can be proven of the blocks of a chain without a proof of work, in words. */
export const PROVABLE: Record<Exclude<Consensus, 'pow'>, string> = {
  on_demand:
    'on demand, without a proof of work: hashes, transactions and the signatures of micro blocks are proven, no work is',
  hyperchain:
    'a hyperchain: hashes, transactions and the signatures of key blocks are proven; who may lead is not, and there is no work',
};

/** In a hyperchain `pow` is the signature of the leader, 64 bytes as 16 numbers, and then zeros. */
export const SIGNATURE_NUMBERS = 16;

/** The consensus that made a key block, from its members; undefined for the genesis block, which nobody made. */
export function consensusOf({ height, pow }: { height?: unknown; pow?: unknown }): Consensus | undefined {
  if (height === 0) return undefined;
  if (!Array.isArray(pow)) return 'on_demand';
  // The numbers of a proof of work ascend.
  const rest: readonly unknown[] = pow.slice(SIGNATURE_NUMBERS);
  const isSignature = pow.length === PROOF_LENGTH && rest.every((part) => part === 0);
  return isSignature ? 'hyperchain' : 'pow';
}

/** What the rules read of the key block of a generation. */
interface GenerationKey {
  height: number;
  hash: string;
  miner: string;
  /** Undefined for the genesis block: its micro blocks tell the form. */
  consensus: Consensus | undefined;
}

/**
 * Height of the micro blocks after the key block of this height. In a hyperchain the leader of the next key block makes them, so they already have
 * its height.
 */
export const microHeightAfter = (height: number, consensus: Consensus): number =>
  consensus === 'hyperchain' ? height + 1 : height;

/** Whether a micro block after this key block may have this height. */
export const isMicroHeight = (
  { height, consensus }: Pick<GenerationKey, 'height' | 'consensus'>,
  micro: number,
): boolean =>
  consensus === undefined
    ? micro === height || micro === microHeightAfter(height, 'hyperchain')
    : micro === microHeightAfter(height, consensus);

/** Whether a micro block is of the generation of a key block. Which blocks follow each other is decided by hashes, never by heights. */
export const isOfGeneration = (
  { height, prevKeyHash }: { height: number; prevKeyHash: string },
  keyBlock: GenerationKey,
): boolean => prevKeyHash === keyBlock.hash && isMicroHeight(keyBlock, height);

/** The account that signs a micro block of this height after the key block; undefined if only the next key block names it. */
export const signerOf = ({ height, miner, consensus }: GenerationKey, micro: number): string | undefined =>
  consensus === 'hyperchain' || (consensus === undefined && micro !== height) ? undefined : miner;
