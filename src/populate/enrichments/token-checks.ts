/** Asks tokens at the newest block whether they hold what follows from their events; those of which it does not, what they hold. */
import {
  callOf,
  callOfAccount,
  callOfSingle,
  readAmount,
  readBalance,
  readBalances,
  readOwner,
} from '../../chain/tokens/calls.js';
import type { ChainNode } from '../../node/client.js';
import type { DryCall, DryResult } from '../../node/dry-run.js';
import { dueTokenChecks, saveTokenChecks } from '../../store/token-checks.js';
import type { DueTokenCheck, TokenCheck } from '../../store/token-checks.js';
import { countTokens, postponeTokens } from '../../store/tokens.js';
import { onRise, seldom } from './counting.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';
import { CALLS, GAS, MAX_GAS, okValue } from './tokens.js';

/** Above this number of accounts a token is not asked for all of them at once: it would need too much gas. */
const MAX_ACCOUNTS = 1_000;

/** The results of calls, with as few requests as gas allows; null if the node cannot tell. */
async function runAll(node: ChainNode, block: string, calls: readonly DryCall[]): Promise<DryResult[] | null> {
  const results: DryResult[] = [];
  for (let from = 0; from < calls.length; from += CALLS) {
    const some = await node.dryRun(block, calls.slice(from, from + CALLS));
    if (some === null) return null;
    results.push(...some);
  }
  return results;
}

/** Answers by what was asked about, without those that are none. */
const answersOf = <T>(
  asked: readonly bigint[],
  results: readonly DryResult[],
  read: (text: string) => T | undefined,
): Map<bigint, T> =>
  new Map(
    asked.flatMap((one, i): [bigint, T][] => {
      const value = okValue(results[i]);
      const answer = value === null ? undefined : read(value);
      return answer === undefined ? [] : [[one, answer]];
    }),
  );

async function checkOf(node: ChainNode, due: DueTokenCheck): Promise<TokenCheck | null> {
  return due.kind === 9 ? checkAmounts(node, due) : checkOwners(node, due);
}

async function checkAmounts(node: ChainNode, due: DueTokenCheck): Promise<TokenCheck | null> {
  const { contractId: contract, block, sample, holders } = due;
  const all = holders <= MAX_ACCOUNTS;
  const results = await node.dryRun(block, [
    { contract, callData: callOf('total_supply'), gas: GAS },
    ...(all ? [{ contract, callData: callOf('balances'), gas: MAX_GAS - GAS }] : []),
  ]);
  if (results === null) return null;
  const [supply, told] = results.map(okValue);
  const check = { ...due, supply: supply == null ? null : readAmount(supply), owners: new Map<bigint, bigint>() };
  const balances = told == null ? null : readBalances(told);
  if (balances !== null) return { ...check, balances, isWhole: true };
  const calls = sample.map((account) => ({ contract, callData: callOfAccount('balance', account), gas: GAS }));
  const some = await runAll(node, block, calls);
  return (
    some && { ...check, balances: answersOf(sample, some, (text) => readBalance(text) ?? undefined), isWhole: false }
  );
}

async function checkOwners(node: ChainNode, due: DueTokenCheck): Promise<TokenCheck | null> {
  const { contractId: contract, block, sample } = due;
  const results = await runAll(node, block, [
    { contract, callData: callOf('total_supply'), gas: GAS },
    ...sample.map((single) => ({ contract, callData: callOfSingle('owner', single), gas: GAS })),
  ]);
  if (results === null) return null;
  const [supply, ...owners] = results;
  const told = okValue(supply);
  return {
    ...{ ...due, supply: told === null ? null : readAmount(told) },
    ...{ balances: new Map<bigint, bigint>(), isWhole: false, owners: answersOf(sample, owners, readOwner) },
  };
}

export const tokenChecks: Enrichment<DueTokenCheck, TokenCheck> = {
  batch: 20,
  requests: 2,
  due: dueTokenChecks,
  isLast: true,
  asker:
    ({ node }) =>
    (due) =>
      checkOf(node, due),
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      for (const outcome of await saveTokenChecks(tx, answered)) context.metrics.tokenChecks.inc({ outcome });
      await postponeTokens(tx, later);
    }),
};

/** Min time between two counts of tokens, ms. */
const COUNT_MS = 60_000;

/** Returns what reports how many tokens wait, were checked, or turned out to be something else, and warns of invalid ones. */
export function reportTokens({ database, metrics, logger }: EnrichContext): () => Promise<void> {
  const counted = seldom(
    database,
    async (db) => {
      const counts = await countTokens(db);
      for (const [state, count] of counts) metrics.tokens.set({ state }, count);
      return counts.get('invalid') ?? 0;
    },
    COUNT_MS,
  );
  return onRise(counted, (count) => logger.info({ count }, 'Some tokens hold something else than their events tell'));
}
