/** A chain that lives: what is posted gets into its blocks, and blocks may be made elsewhere. */
import type { JsonObject } from '../../chain/json.js';
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
  /** ak_ of who signs the micro blocks of the generation; this node's own key if absent. */
  miner?: string;
}

/** Why a block is not taken; the message is for the log, clients are told `Block rejected`. */
export class BlockRejected extends Error {
  override readonly name = 'BlockRejected';
}

export interface LiveChain {
  readonly networkId: string;
  readonly rules: Rules;
  /** Blocks and transactions by number; `store.top()` is the newest block of the main chain. */
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
   * Takes a complete key block as the node prints it; its `hash` is computed anew. It becomes the top if its branch has the most work. Proof of work, target and
   * time are the caller's to check. Gives its number; throws BlockRejected for one that is not built on a known block, has a wrong version, height, `prev_key_hash` or
   * state hash, or is known already.
   */
  addKeyBlock(block: JsonObject): number;
  /**
   * Puts executable transactions of the pool into a micro block on top, at most `count` (as many as fit if absent). Gives its number, undefined if there is none to put in or the
   * generation has another leader.
   */
  addMicroBlock(count?: number): number | undefined;
  /** Called after every change of the top, with its number. Gives what ends that. */
  onTop(listener: (top: number) => void): () => void;
}
