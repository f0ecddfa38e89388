/** Types of a live chain, whose blocks contain posted transactions and may be mined by others. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import type { Rules } from '../ledger/rules.js';
import type { State } from '../ledger/state.js';
import type { Pool } from '../pool/pool.js';
import type { ChainStore } from '../store/chain-store.js';

/** Fields of a key block that the miner chooses. */
export interface KeyBlockChoice {
  /** ak_ */
  beneficiary: string;
  /** In compact form. */
  target: number;
  /** Milliseconds since 1970. */
  time: number;
  /** ak_ that signs the micro blocks of the generation; this node's own key if absent. */
  miner?: string;
}

/** A block was rejected. The message says why; clients get only `Block rejected`. */
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
  /** State after a block; undefined if it is not cached. */
  stateAfter(block: number): State | undefined;
  /** State after the newest block of the main chain. */
  state(): State;
  /** A block as the node prints it. */
  keyBlock(block: number): JsonObject;
  /**
   * The next key block on `parent` (the newest block if absent), complete except `nonce` and `pow`. Its `hash` is computed with both zero. Nothing is
   * stored.
   */
  candidate(choice: KeyBlockChoice, parent?: number): JsonObject;
  /**
   * Adds a complete key block as the node prints it. Its `hash` is computed again. It becomes the head if its branch has the most work. The caller
   * must check proof of work, target and time. Returns its number. Throws BlockRejected if the block is already known, its parent is not known, or
   * its version, height, `prev_key_hash` or state hash is wrong.
   */
  addKeyBlock(block: JsonObject): number;
  /**
   * Adds a micro block on the head with executable transactions of the pool, at most `count` (as many as possible if absent). Returns its number;
   * undefined if no transaction can be executed or another node leads the generation.
   */
  addMicroBlock(count?: number): number | undefined;
  /** Calls `listener` after every change of the head, with the number of the new head. Returns a function that removes the listener. */
  onHeadChange(listener: (head: number) => void): () => void;
}
