import type { Currency } from '../../src/chain/networks.js';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import type { Misbehaviour } from './misbehaviour.js';
import type { Protocol, RuleOptions } from './ledger/rules.js';

export interface MiningOptions {
  /** Whether the node mines itself; otherwise it only provides candidates. */
  autostart?: boolean;
  /** ak_ that gets the rewards; without it there are no candidates. */
  beneficiary?: string;
  /** Edge bits of the proof of work. 0 or absent: no proof is checked, and blocks of this node have a fake one. */
  edgeBits?: number;
  /** Intended time between key blocks, ms. */
  intervalMs?: number;
  /** Current time, milliseconds since 1970. */
  now?: () => number;
}

export interface DevnodeOptions {
  /** `host:port` of the external API; port 0 means a free port. */
  external: string;
  /** `host:port` of the internal API. */
  internal?: string;
  /** `host:port` of the Rosetta interface; not for a recorded chain. */
  rosetta?: string;
  /** `host:port` of the API that controls the simulation. */
  admin?: string;
  source: { replay: string } | { generate: GenerateOptions } | { live: LiveOptions };
  networkId?: string;
}

/** Which tokens a generated chain has. */
export interface TokenOptions {
  /** Share of the transactions that create or call tokens, from 0 to 1. */
  share: number;
  /** Share of these that create one. */
  creations: number;
  /** Number of tokens after which no more are created. */
  max?: number;
  /** Whether some tokens move amounts without an event. */
  silent?: boolean;
  /** Whether some tokens have allowances. */
  allowances?: boolean;
  /** Whether the contracts lack a function of their standard, and so are no tokens. For comparisons: everything else of the chain is alike. */
  unrecognised?: boolean;
}

export interface GenerateOptions {
  seed: string;
  /** Form of the chain; `pow` if absent. Branches of hyperchains have no work, so the longer one is the heavier one. */
  consensus?: Consensus | undefined;
  /** Of a hyperchain: key blocks of each epoch in turn, again and again; 10 if absent. On real ones votes change the length. */
  epochs?: readonly number[] | undefined;
  /** The coin that the node tells; AE if absent, and a coin of its own on a hyperchain. */
  currency?: Currency;
  /** Exact number of transactions of the initial chain; if absent, `generations` decides. */
  transactions?: number;
  /** Number of generations of the initial chain above the genesis block. */
  generations?: number;
  txsPerGeneration?: number;
  microBlocksPerGeneration?: number;
  /** Share of the generations that have no micro blocks, from 0 to 1; 0 if absent. */
  emptyShare?: number;
  /** If absent, there are no tokens. They need protocol 4, Lima. */
  tokens?: TokenOptions;
  /** Number of accounts that send transactions. */
  accounts?: number;
  /** Time of the genesis block, ms. */
  startTime?: number;
  protocols?: Protocol[];
  blockIntervalMs?: number;
  /** Edge bits of the proof of work of key blocks, which then have the easiest target. If absent, proofs are fake. */
  edgeBits?: number;
  /**
   * Folder that stores the chain and its state, so that the next start with the same options continues this chain. With a folder the node also
   * accepts transactions. Without one, nothing is stored.
   */
  folder?: string;
  /** For a chain in a folder: max blocks whose state is kept, for questions about the past. If absent, some 2,000. */
  states?: number;
  /** For a chain in a folder: coins that a generated account sends in the next micro block to an account without any coins. */
  gift?: Gift;
  /** Returns the time of blocks after the initial chain, ms; then the times of all blocks ascend. If absent, times are computed from the height. */
  clock?: () => number;
}

export interface Gift {
  /** ak_ */
  to: string;
  aettos: bigint;
}

/** Balances of accounts in aettos, optionally with the last nonce that the account used. */
export type Funds = Readonly<Record<string, bigint | { balance: bigint; nonce: bigint }>>;

/** A chain that changes only by posted transactions and mined blocks. */
export interface LiveOptions {
  rules?: RuleOptions;
  /** Accounts that exist before the first block, by `ak_…`. */
  funds?: Funds;
  /** Text from which the key of the node and, together with the time, the genesis block are made. */
  seed?: string;
  /** Time of the genesis block, ms; now if absent. */
  startTime?: number;
  /** Recording (JSON lines, may be gzipped). The live chain continues its chain and uses its results of contract calls. */
  from?: string;
  /** Last height that is read from the recording; all if absent. */
  fromHeight?: number;
  /** Time between the post of a transaction and its micro block, ms; if absent, micro blocks are made only on demand. */
  microBlockMs?: number;
  mining?: MiningOptions;
}

/** Which transactions of abandoned blocks return to the pool, so that later blocks include them. The others are dropped. */
export type Retention = 'all' | 'some' | 'none';

export interface ForkOptions {
  /** Number of key blocks that are abandoned. */
  depth: number;
  /** Number of generations of the branch that replaces them. If it is less than `depth`, each key block gets more work. */
  grow: number;
  retainTxs?: boolean | Retention;
  txsPerGeneration?: number;
  microBlocks?: number;
}

export interface MicroForkOptions {
  /** Number of last micro blocks that are abandoned, in the running generation or, if it has none, in the previous one. */
  drop: number;
  keep?: Retention;
  /** What is built on the block before them: the next key block (default), another micro block, or nothing. */
  next?: 'key-block' | 'micro-block' | 'nothing';
}

export interface GrowOptions {
  txsPerGeneration?: number;
  microBlocks?: number;
}

/** A running simulated node. Changes of the chain run one after the other, and a reader sees each change completely or not at all. */
export interface Devnode {
  readonly externalUrl: string;
  readonly internalUrl?: string;
  /** Absent if it does not listen there. */
  readonly rosettaUrl?: string;
  readonly adminUrl?: string;
  /** Height of the newest key block. */
  height(): number;
  /** The newest block, with the height of its generation. */
  top(): { height: number; hash: string };
  /** Number of distinct transactions so far, and of transactions that wait for a block. */
  counts(): { transactions: number; pending: number };
  mineKeyBlock(): Promise<void>;
  addMicroBlock(options?: { txs?: number }): Promise<void>;
  /** Adds complete generations: key block and micro blocks. */
  grow(generations: number, options?: GrowOptions): Promise<void>;
  /** Replaces the last key blocks, and all blocks after them, by a heavier branch. */
  fork(options: ForkOptions): Promise<void>;
  /** Abandons the last micro blocks of a generation. */
  microFork(options: MicroForkOptions): Promise<void>;
  /** Replaces the active misbehaviours; null ends them all. */
  misbehave(misbehaviour: Misbehaviour | Misbehaviour[] | null): void;
  misbehaviours(): readonly Misbehaviour[];
  close(): Promise<void>;
}
