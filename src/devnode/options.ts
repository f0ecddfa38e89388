import type { Signatures } from './generate/seal.js';
import type { RuleOptions } from './ledger/rules.js';
import type { MiningOptions } from './mining/mining.js';

export interface DevnodeOptions {
  /** `host:port` of the interface for readers; port 0 takes a free one. */
  external: string;
  /** `host:port` of the interface of the operator. */
  internal?: string;
  /** `host:port` where the simulation itself is steered. */
  admin?: string;
  source: { replay: string } | { generate: GenerateOptions } | { live: LiveOptions };
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
  /** Keeps the chain and its state; the chain that is in there goes on, with the same options. Nothing is kept without it. */
  folder?: string;
  /** Gives the time of the blocks that follow the initial chain, ms; all times ascend then. Without it times follow from the height. */
  clock?: () => number;
}

/** Balances in aettos; with the last nonce of an account that is to have a past. */
export type Funds = Readonly<Record<string, bigint | { balance: bigint; nonce: bigint }>>;

/** A chain of which all is decided by what is posted and mined. */
export interface LiveOptions {
  rules?: RuleOptions;
  /** Accounts before the first block, by `ak_…`. */
  funds?: Funds;
  /** Text that decides the key of the node and, with the time, the genesis block. */
  seed?: string;
  /** Time of the genesis block, ms; now if absent. */
  startTime?: number;
  /** Recording (JSON lines, may be gzipped) whose chain goes on here, with what calls of contracts gave in it. */
  from?: string;
  /** Last height that is taken from the recording; all of it if absent. */
  fromHeight?: number;
  /** Time from a post to the micro block that takes it in, ms; without it micro blocks are only made on demand. */
  microBlockMs?: number;
  mining?: MiningOptions;
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
