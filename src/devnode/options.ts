import type { Signatures } from './generate/seal.js';

export interface DevnodeOptions {
  /** `host:port` of the interface for readers; port 0 takes a free one. */
  external: string;
  /** `host:port` of the interface of the operator. */
  internal?: string;
  /** `host:port` where the simulation itself is steered. */
  admin?: string;
  source: { replay: string } | { generate: GenerateOptions };
  networkId?: string;
}

export interface Protocol {
  version: number;
  effective_at_height: number;
}

export interface GenerateOptions {
  seed: string;
  /** Transactions of the initial chain, exactly; without it `generations` decides. */
  transactions?: number;
  /** Generations of the initial chain above the genesis block. */
  generations?: number;
  txsPerGeneration?: number;
  microBlocksPerGeneration?: number;
  /** How many accounts send transactions. */
  accounts?: number;
  /** Time of the genesis block, ms. */
  startTime?: number;
  protocols?: Protocol[];
  blockIntervalMs?: number;
  /** `fake` ones have only the right form, for tests that do not look at them. */
  signatures?: Signatures;
}

/** Which transactions of abandoned blocks come back: they wait in the pool and stand in later blocks; the others are forgotten. */
export type Kept = 'all' | 'some' | 'none';

export interface ForkOptions {
  /** Key blocks that are abandoned. */
  depth: number;
  /** Generations of the branch that replaces them; fewer than `depth` are made heavier each. */
  grow: number;
  retainTxs?: boolean | Kept;
  txsPerGeneration?: number;
  microBlocks?: number;
}

export interface MicroForkOptions {
  /** Last micro blocks that are abandoned, of the running generation or, if it has none, of the one before. */
  drop: number;
  keep?: Kept;
  /** What is built on the block before them: the next key block (the usual case), another micro block, or nothing yet. */
  next?: 'key-block' | 'micro-block' | 'nothing';
}

export interface GrowOptions {
  txsPerGeneration?: number;
  microBlocks?: number;
}
