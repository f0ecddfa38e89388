/** What tokens say that accounts allow others to spend, by dry runs after the block of the last event about both. */
import { callOfAccounts, readBalance } from '../../chain/tokens/calls.js';
import type { DryResult } from '../../node/dry-run.js';
import { countDueAllowances, dueAllowances, postponeAllowances, saveAllowances } from '../../store/token-allowances.js';
import type { AllowanceAnswer, DueAllowance } from '../../store/token-allowances.js';
import { seldom } from './counting.js';
import { inRequests } from './dry-run-requests.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';

function answerOf(due: DueAllowance, { type, value }: DryResult): AllowanceAnswer {
  if (type !== 'ok') return { ...due, state: 'failed', told: null };
  const told = readBalance(value);
  return { ...due, state: told === null ? 'malformed' : 'ok', told };
}

export const tokenAllowances: Enrichment<DueAllowance, AllowanceAnswer> = {
  batch: 300,
  requests: 2,
  due: dueAllowances,
  asker({ node }, due) {
    const ask = inRequests(node, due, ({ owner, spender }) => callOfAccounts('allowance', owner, spender));
    return async (one) => {
      const result = await ask(one);
      return result === null ? null : answerOf(one, result);
    };
  },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      for (const outcome of await saveAllowances(tx, answered)) context.metrics.tokenAllowances.inc({ outcome });
      if (later.length > 0) context.metrics.tokenAllowances.inc({ outcome: 'unanswered' }, later.length);
      await postponeAllowances(tx, later);
    }),
};

/** Min time between two counts of allowances, ms. */
const COUNT_MS = 60_000;

/** Returns what reports how many allowances wait for what their tokens tell. */
export function reportAllowances({ database, metrics }: EnrichContext): () => Promise<void> {
  const counted = seldom(database, countDueAllowances, COUNT_MS);
  return async () => {
    const count = await counted();
    if (count !== undefined) metrics.tokenAllowancesWaiting.set(count);
  };
}
