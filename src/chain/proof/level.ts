import type { Unproven } from '../facts.js';

/**
 * How much of a node's answer is proven before it is stored. `off`: nothing. `headers`: the hashes of key blocks and micro blocks, from their
 * headers. `hashes`: also the hashes of all transactions, from their bytes, and `txs_hash`. `full`: also every member of their JSON.
 */
export type ProofLevel = 'off' | 'headers' | 'hashes' | 'full';

/** A level, or `signatures`: as `full`, and the signatures of all transactions. Otherwise only those of young blocks are checked. */
export type ProofSetting = ProofLevel | 'signatures';

/** Why something does not match its hash. `field` is the wrong member, if it is known. */
export interface Mismatch {
  field?: string;
  reason: string;
}

/** What is wrong with a block. No part of such a block may be stored. */
export interface Flaw extends Mismatch {
  block: string;
  transaction?: string;
}

/** Members that the bytes do not contain, as paths such as `tx.pointers.color`. They are neither true nor false. */
export interface ExtraMembers {
  /** Hash of the transaction; absent for the header of the block. */
  transaction?: string;
  members: readonly string[];
}

export interface Proof {
  flaw?: Flaw;
  /** Protocol version of the block, if this release does not know it: then nothing of the block is proven. */
  unknownVersion?: number;
  unproven: Unproven[];
  /** The bytes of the header; absent if they were not proven. */
  header?: Uint8Array;
  /** Absent if there are none. */
  extra?: readonly ExtraMembers[];
  /** The bytes of the signed transactions of a micro block, in its order; absent if they were not proven. */
  signed?: readonly Uint8Array[];
}
