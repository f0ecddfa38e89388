/** What contracts did inside calls. A node runs the transactions of the micro block again up to the call: what it tells counts if the call ended as it did in the chain. */
import { effectiveOf } from '../../chain/effective.js';
import { readTransaction } from '../../chain/facts.js';
import { hasPayments, internalCalls, isSameCall, successOf } from '../../chain/internal-calls.js';
import type { InternalCall } from '../../chain/internal-calls.js';
import { readNodeMoney } from '../../chain/money/node-money.js';
import { isReplayed, replayOf } from '../../chain/replays.js';
import {
  bodiesBefore,
  countReplays,
  dueReplays,
  mayQueueReplays,
  postponeReplays,
  queueReplays,
  saveReplays,
} from '../../store/internal-calls.js';
import type { DueReplay, ReplayAnswer, ReplayState } from '../../store/internal-calls.js';
import { seldom } from './counting.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';
import { MAX_GAS } from './tokens.js';

/** Puts the calls of more transactions into the queue of replays. */
export const newReplays: Enrichment<true, true> = {
  batch: 1,
  requests: 1,
  due: async (db) => ((await mayQueueReplays(db)) ? [true] : []),
  asker: () => () => Promise.resolve(true),
  store: (context) => commit(context, queueReplays),
};

export const callReplays: Enrichment<DueReplay, ReplayAnswer> = {
  batch: 20,
  requests: 2,
  due: dueReplays,
  asker: (context) => (due) => answerOf(context, due),
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      const { replays } = context.metrics;
      for (const outcome of await saveReplays(tx, answered)) if (outcome !== 'none') replays.inc({ outcome });
      if (later.length > 0) replays.inc({ outcome: 'unanswered' }, later.length);
      await postponeReplays(tx, later);
    }),
};

/** Null if no node answers now. */
async function answerOf(context: EnrichContext, due: DueReplay): Promise<ReplayAnswer | null> {
  const found = await replayed(context, due);
  if (found === null) return null;
  const { position, hash, block } = due;
  if (typeof found === 'string') return { position, hash, block, state: found, contract: '', calls: [] };
  return { position, hash, block, state: 'ok', ...found };
}

/** What was done inside a call, or why that is not known. */
async function replayed(
  { database, node, logger }: EnrichContext,
  due: DueReplay,
): Promise<Pick<ReplayAnswer, 'contract' | 'calls'> | Exclude<ReplayState, 'ok'> | null> {
  const transaction = { ...readTransaction(due.body), info: due.info };
  const call = successOf(due.info);
  const { type, wrapped } = effectiveOf(transaction);
  if (call === undefined || !isReplayed(type)) return 'none';
  const contract = call['contract_id'];
  if (typeof contract !== 'string') return 'none';
  const before = (await bodiesBefore(database, due.position)).map(readTransaction);
  const replay = replayOf(transaction, before, { ...due, maxGas: BigInt(MAX_GAS) });
  if (typeof replay === 'string') return replay;
  const answer = await node.replay(due.prevHash, replay);
  if (answer === null || typeof answer === 'string') return answer;
  // The transaction in another one may have a nonce that nobody checks there.
  if (answer.call === undefined) return wrapped ? 'unsupported' : 'differs';
  if (!isSameCall(call, answer.call)) return differs();
  if (due.operations !== null && !hasPayments(readNodeMoney(due.operations), due.hash, answer.events)) return differs();
  const calls: InternalCall[] | undefined = internalCalls(answer.events);
  return calls === undefined ? 'unsupported' : { contract, calls };

  function differs(): 'differs' {
    logger.debug({ transaction: due.hash }, 'The replay of a call differs from the call');
    return 'differs';
  }
}

/** States of the queue. */
const STATES = ['due', 'differs', 'refused', 'no_state', 'too_much_gas', 'unsupported'];

/** Min time between two counts, ms. */
const COUNT_MS = 60_000;

/** Returns what reports how many calls wait for a replay, and how many cannot be replayed. */
export function reportReplays({ database, metrics }: EnrichContext): () => Promise<void> {
  const counted = seldom(
    database,
    async (db) => {
      const counts = await countReplays(db);
      for (const state of STATES) metrics.replaysWaiting.set({ state }, counts.get(state) ?? 0);
      return counts.get('due') ?? 0;
    },
    COUNT_MS,
  );
  return async () => void (await counted());
}
