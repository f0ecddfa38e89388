/** Enrichments of which each row is answered by one dry run after a micro block. */
import type { DryResult } from '../../node/dry-run.js';
import type { Metrics } from '../../observe/metrics.js';
import type { Queryable } from '../../store/connection/database.js';
import { seldom } from './counting.js';
import { inRequests } from './dry-run-requests.js';
import type { DueCall } from './dry-run-requests.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';

interface Definition<Due extends DueCall, Answer extends Due, State extends string> {
  due(db: Queryable, limit: number): Promise<Due[]>;
  /** The data of the call (cb_). */
  callData(due: Due): string;
  answerOf(due: Due, result: DryResult): Answer;
  /** Returns the states of what it stored. */
  save(db: Queryable, answers: readonly Answer[]): Promise<State[]>;
  postpone(db: Queryable, due: readonly Due[]): Promise<void>;
  /** Counts answers by outcome. */
  counter(metrics: Metrics): { inc(labels: { outcome: State | 'unanswered' }, count?: number): void };
}

export const byDryRun = <Due extends DueCall, Answer extends Due, State extends string>({
  due,
  callData,
  answerOf,
  save,
  postpone,
  counter,
}: Definition<Due, Answer, State>): Enrichment<Due, Answer> => ({
  batch: 300,
  requests: 2,
  due,
  asker({ node }, all) {
    const ask = inRequests(node, all, callData);
    return async (one) => {
      const result = await ask(one);
      return result === null ? null : answerOf(one, result);
    };
  },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      const answers = counter(context.metrics);
      for (const outcome of await save(tx, answered)) answers.inc({ outcome });
      if (later.length > 0) answers.inc({ outcome: 'unanswered' }, later.length);
      await postpone(tx, later);
    }),
});

/** Min time between two counts, ms. */
const COUNT_MS = 60_000;

/** Returns what reports how many rows wait for an answer. */
export const reportWaiting =
  (count: (db: Queryable) => Promise<number>, gauge: (metrics: Metrics) => { set(value: number): void }) =>
  ({ database, metrics }: EnrichContext): (() => Promise<void>) => {
    const counted = seldom(database, count, COUNT_MS);
    return async () => {
      const waiting = await counted();
      if (waiting !== undefined) gauge(metrics).set(waiting);
    };
  };
