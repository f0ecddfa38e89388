/**
 * How much of what a node says is proven before it is stored: nothing; the hashes of key and micro blocks from their headers; also those of
 * all transactions from their bytes, and `txs_hash` over them; also each member of their JSON.
 */
export type ProofLevel = 'off' | 'headers' | 'hashes' | 'full';

/** Why something does not follow from its hash: the member at fault, if it is known. */
export interface Mismatch {
  field?: string;
  reason: string;
}

/** What is wrong with a block: nothing of it may be stored. */
export interface Flaw extends Mismatch {
  block: string;
  transaction?: string;
}

/** What cannot be proven: it is of a type or version that is not known here. */
export interface Unproven {
  /** Of the transaction, or of the block itself. */
  hash: string;
  /** Of the transaction; `KeyBlock` or `MicroBlock`. */
  type: string;
  reason: string;
}

export interface Proof {
  flaw?: Flaw;
  unproven: Unproven[];
}
