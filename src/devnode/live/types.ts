/** A live chain: posted transactions get into its blocks, and blocks may be made elsewhere. */
import type { JsonObject } from '../../chain/encoding/json.js';
import type { Rules } from '../ledger/rules.js';
import type { State } from '../ledger/state.js';
import type { Pool } from '../pool/pool.js';
import type { ChainStore } from '../store/chain-store.js';

/** Fields of a key block that its maker chooses. */
export interface KeyBlockChoice {
  /** ak_ */
  beneficiary: string;
  /** Compact. */
  target: number;
  /** Ms since the epoch. */
  time: number;
  /** ak_ that signs the micro blocks of the generation; this node's own key if absent. */
  miner?: string;
}

/** Why a block is not taken; the message is for the log, clients get `Block rejected`. */
export class BlockRejected extends Error {
  override readonly name = 'BlockRejected';
}

export interface LiveChain {
  readonly networkId: string;
  readonly rules: Rules;
  /** Blocks and transactions by number; `store.head()` is the newest block of the main chain. */
  readonly store: ChainStore;
  readonly pool: Pool;
  /** ak_ of the key with which this node signs micro blocks. */
  readonly nodeId: string;
  /** Height of the newest key block. */
  height(): number;
  /** Protocol version of a generation. */
  protocolAt(height: number): number;
  /** State after a block, after the newest one of the main chain if absent; undefined if it was forgotten. */
  stateAfter(block: number): State | undefined;
  state(): State;
  /** Key block as the node prints it. */
  keyBlock(block: number): JsonObject;
  /**
   * The next key block on `parent` (the newest block if absent), whole but for `nonce` and `pow`; its `hash` is that of a candidate (both zero).
   * Nothing is stored.
   */
  candidate(choice: KeyBlockChoice, parent?: number): JsonObject;
  /**
   * Takes a complete key block as the node prints it; its `hash` is computed again. It becomes the head if its branch has the most work. The caller must check proof of
   * work, target and time. Returns its number; throws BlockRejected for one that is not built on a known block, has a wrong version, height, `prev_key_hash` or
   * state hash, or is known already.
   */
  addKeyBlock(block: JsonObject): number;
  /**
   * Puts executable transactions of the pool into a micro block on the head, up to `count` (as many as fit if absent). Returns its number, undefined if there is none to put in or the
   * generation has another leader.
   */
  addMicroBlock(count?: number): number | undefined;
  /** Calls `listener` after every change of the head, with its number. Returns a function that ends this. */
  onHeadChange(listener: (head: number) => void): () => void;
}
