import type { Misbehaviour } from './misbehaviour.js';
import type { Signatures } from './generate/seal.js';
import type { Protocol, RuleOptions } from './ledger/rules.js';
import type { MiningOptions } from './mining/mining.js';

export interface DevnodeOptions {
  /** `host:port` of the interface for readers; port 0 takes a free one. */
  external: string;
  /** `host:port` of the interface of the operator. */
  internal?: string;
  /** `host:port` where the simulation itself is controlled. */
  admin?: string;
  source: { replay: string } | { generate: GenerateOptions } | { live: LiveOptions };
  networkId?: string;
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
  /** Size of the graphs in which key blocks have a proof of work, of the easiest target; imitated ones if absent. */
  edgeBits?: number;
  /** Keeps the chain and its state, and takes transactions; a chain that is in there already continues, with the same options. Nothing is kept without it. */
  folder?: string;
  /** Of a chain that is kept: what a generated account sends in the next micro block to one that has nothing. */
  gift?: Gift;
  /** Gives the time of the blocks that follow the initial chain, ms; all times ascend then. Without it times follow from the height. */
  clock?: () => number;
}

export interface Gift {
  /** ak_ */
  to: string;
  aettos: bigint;
}

/** Balances in aettos; with the last nonce of an account that is to have a past. */
export type Funds = Readonly<Record<string, bigint | { balance: bigint; nonce: bigint }>>;

/** A chain that only posted transactions and mined blocks change. */
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
export type Retention = 'all' | 'some' | 'none';

export interface ForkOptions {
  /** Key blocks that are abandoned. */
  depth: number;
  /** Generations of the branch that replaces them; fewer than `depth` are made heavier each. */
  grow: number;
  retainTxs?: boolean | Retention;
  txsPerGeneration?: number;
  microBlocks?: number;
}

export interface MicroForkOptions {
  /** Last micro blocks that are abandoned, of the running generation or, if it has none, of the one before. */
  drop: number;
  keep?: Retention;
  /** What is built on the block before them: the next key block (the usual case), another micro block, or nothing yet. */
  next?: 'key-block' | 'micro-block' | 'nothing';
}

export interface GrowOptions {
  txsPerGeneration?: number;
  microBlocks?: number;
}

/** All changes of the chain wait for each other; a reader sees each of them whole. */
export interface Devnode {
  readonly externalUrl: string;
  readonly internalUrl?: string;
  readonly adminUrl?: string;
  /** Height of the newest key block. */
  height(): number;
  /** The newest block; its height is that of its generation. */
  top(): { height: number; hash: string };
  /** Distinct transactions seen so far, and those of them that wait for a block. */
  counts(): { transactions: number; pending: number };
  mineKeyBlock(): Promise<void>;
  addMicroBlock(options?: { txs?: number }): Promise<void>;
  /** Adds whole generations: key block and micro blocks. */
  grow(generations: number, options?: GrowOptions): Promise<void>;
  /** Replaces the last key blocks and all that follows them by a heavier branch. */
  fork(options: ForkOptions): Promise<void>;
  /** Abandons the last micro blocks of a generation. */
  microFork(options: MicroForkOptions): Promise<void>;
  /** Replaces the misbehaviour set before; null ends it. */
  misbehave(misbehaviour: Misbehaviour | Misbehaviour[] | null): void;
  misbehaviours(): readonly Misbehaviour[];
  close(): Promise<void>;
}
