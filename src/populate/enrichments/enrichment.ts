/** What only a node or a compiler can tell about stored blocks. It comes after them: neither the load nor the head waits for it. */
import type { DecoderCache } from '../../compiler/decoder-cache.js';
import type { RosettaNode } from '../../node/rosetta.js';
import type { DbTransaction, Queryable } from '../../store/connection/database.js';
import { numberAndWake, numberCommit } from '../../store/connection/commit-number.js';
import type { BesideOptions } from '../beside.js';

/** Max concurrent requests to the node: more would delay following the head. */
export const MAX_REQUESTS = 16;

export interface EnrichContext extends BesideOptions {
  decoders: DecoderCache;
  /** The interface that tells what changed balances; absent if none is set. */
  rosetta?: RosettaNode | undefined;
  /** Whether nodes may be asked for dry runs. */
  dryRuns: boolean;
  /** Whether nodes are asked to replay calls. */
  internalCalls: boolean;
}

/** What became of a batch. */
export interface Asked<Due, Answer> {
  answered: Answer[];
  /** Without an answer: after a fault, or because the node does not know it. */
  later: Due[];
  /** The node had a fault. The rest of the batch was not asked about, and stays due. */
  isNodeAway: boolean;
}

type Asker<Due, Answer> = (one: Due) => Promise<Answer | null>;

/** One kind of it. The rows of what is due are written with the block and deleted with it. */
export interface Enrichment<Due, Answer> {
  /** Max items that are asked about before their answers are stored together. */
  batch: number;
  /** Max requests at a time. */
  requests: number;
  /** What is due now, in the order of the due times. */
  due(db: Queryable, limit: number): Promise<Due[]>;
  /** The same behind an item. With it the next batch is read and asked about while the one before is stored. */
  dueAfter?(db: Queryable, limit: number, last: Due): Promise<Due[]>;
  /** Only asked about when nothing before it in its group was due: most of it is answered with that. */
  isLast?: true;
  /**
   * Returns what asks about an item of this batch and checks the answer. It resolves to null if the node does not know the item, and throws if
   * node or compiler do not answer.
   */
  asker(context: EnrichContext, due: readonly Due[]): Asker<Due, Answer> | Promise<Asker<Due, Answer>>;
  /** Stores the answers about what is still in the chain. The rest is due again after a pause that grows; what no node answers is marked as unknown. */
  store(context: EnrichContext, asked: Asked<Due, Answer>): Promise<void>;
}

/** Runs statements in a transaction of the populator. `work` resolves to whether it announced events, for which servers are woken. */
export const commit = (
  { database, fence }: EnrichContext,
  work: (tx: DbTransaction) => Promise<boolean | void>,
): Promise<void> =>
  database.transaction(async (tx) => {
    await fence(tx);
    await ((await work(tx)) === true ? numberAndWake(tx) : numberCommit(tx));
  });
