/** Asks a node's Rosetta interface what changed balances in generations of which our rules cannot tell all. */
import { readTransaction } from '../../chain/facts.js';
import { keptOf } from '../../chain/money/node-money.js';
import { MAX_REPLAYS } from '../../node/rosetta.js';
import type { RosettaNode } from '../../node/rosetta.js';
import { applyAnswers } from '../../store/projections/ledger-rewrite.js';
import {
  countQuestions,
  dueQuestions,
  postponeQuestions,
  saveAnswers,
  transactionsOf,
} from '../../store/projections/node-money.js';
import type { MoneyQuestion, MoneyAnswer } from '../../store/projections/node-money.js';
import { onRise, seldom } from './counting.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';

/** What became of a question: its answer, or why there is none. */
type Answer = MoneyAnswer | { height: number; state: string };

/** What became of the last attempt. */
const STATES = ['new', 'away', 'refused', 'no_state', 'failed', 'malformed', 'other_block', 'contradicts', 'disputed'];

/** Min time between two counts of what waits, ms. */
const COUNT_MS = 10_000;

export const nodeMoney = (rosetta: RosettaNode): Enrichment<MoneyQuestion, Answer> => ({
  batch: 100,
  requests: MAX_REPLAYS,
  due: dueQuestions,
  asker: (context) => (question) => answerOf(context, rosetta, question),
  store: (context, { answered, later, isNodeAway }) =>
    commit(context, async (tx) => {
      const usable = answered.flatMap((one) => ('money' in one ? [one] : []));
      const refused = answered.flatMap((one) => ('money' in one ? [] : [one]));
      await applyAnswers(tx, await saveAnswers(tx, usable));
      const away = later.map(({ height }) => ({ height, state: isNodeAway ? 'away' : 'failed' }));
      await postponeQuestions(tx, [...refused, ...away]);
    }),
});

async function answerOf(
  { database, metrics, logger }: EnrichContext,
  rosetta: RosettaNode,
  question: MoneyQuestion,
): Promise<Answer> {
  const { height, hash, version, networkId, state } = question;
  const stored = await transactionsOf(database, height);
  const block = await rosetta.block(networkId, hash, state === 'disputed');
  const transactions = stored.map(({ body, info }) => ({ ...readTransaction(body), info }));
  const money = typeof block === 'string' ? block : keptOf({ hash, height, version, transactions }, block);
  metrics.rosettaAnswers.inc({ outcome: typeof money === 'string' ? money : 'ok' });
  if (typeof money !== 'string') return { question, money };
  logger.debug({ height, outcome: money }, 'The node gave no usable answer about what changed balances');
  return { height, state: money };
}

/** Returns what reports how many generations wait for an answer. */
export function reportQuestions({ database, metrics, logger }: EnrichContext): () => Promise<void> {
  const counted = seldom(
    database,
    async (db) => {
      const counts = await countQuestions(db);
      for (const state of STATES) metrics.rosettaWaiting.set({ state }, counts.get(state) ?? 0);
      return [...counts].reduce((sum, [state, count]) => (state === 'new' ? sum : sum + count), 0);
    },
    COUNT_MS,
  );
  return onRise(counted, (count) =>
    logger.warn({ count }, 'The node has not answered what changed balances in some generations, will ask again'),
  );
}
