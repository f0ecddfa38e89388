/** Rows about money, and the blocks from which they follow. */
import type { RewardRules } from '../../chain/money/key-block.js';
import type { Held } from '../../chain/money/movement.js';

export interface MovementRow {
  position: bigint;
  index: number;
  account: string;
  counterparty: string | null;
  kind: number;
  amount: bigint;
  balance: bigint;
  /** Only the node knows of it. */
  isFromNode: boolean;
}

/** A row of `held`: what is kept for an object since a position. */
export interface HeldRow extends Held {
  position: bigint;
  /** Null if that is not known, or not within the blocks. */
  released: bigint | null;
}

export interface EarningsRow {
  position: bigint;
  fees: bigint;
  isKnown: boolean;
  isReport: boolean;
}

export interface LedgerRows {
  movements: MovementRow[];
  /** Those that begin within the blocks, and those that end there. */
  held: HeldRow[];
  earnings: EarningsRow[];
  gaps: { position: bigint; gaps: number }[];
  /** By how much the chain keeps more than `held` says. */
  unseen: { position: bigint; amount: bigint }[];
  /** Heights of generations of which the node said something that does not explain all. Not stored: it is asked again. */
  unexplained: number[];
}

export interface LedgerKeyBlock {
  height: number;
  beneficiary: string;
  version: number;
}

export interface LedgerMicroBlock {
  position: bigint;
  /** As its header says it. */
  height: number;
  isReport: boolean;
  transactions: { position: bigint; body: string; info: string | null }[];
}

/** Consecutive blocks. */
export interface LedgerBlocks {
  /** Position of the first one. */
  from: bigint;
  keyBlocks: readonly LedgerKeyBlock[];
  /** Version of the generation in which the first one is, if its key block is below. */
  versionBefore: number;
  microBlocks: readonly LedgerMicroBlock[];
}

export interface LedgerRules {
  networkId: string;
  /** Null where contracts pay. */
  rewards: RewardRules | null;
  /** Whether the node's Rosetta interface lists what leaders get. */
  listsRewards: boolean;
}

/** Consecutive heights. */
export interface Heights {
  from: number;
  count: number;
}
