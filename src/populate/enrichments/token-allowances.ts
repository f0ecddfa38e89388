/** What tokens say that accounts allow others to spend, by dry runs after the block of the last event about both. */
import { callOfAccounts, readBalance } from '../../chain/tokens/calls.js';
import type { DryResult } from '../../node/dry-run.js';
import { countDueAllowances, dueAllowances, postponeAllowances, saveAllowances } from '../../store/token-allowances.js';
import type { AllowanceAnswer, DueAllowance } from '../../store/token-allowances.js';
import { byDryRun, reportWaiting } from './dry-run-answers.js';

function answerOf(due: DueAllowance, { type, value }: DryResult): AllowanceAnswer {
  if (type !== 'ok') return { ...due, state: 'failed', told: null };
  const told = readBalance(value);
  return { ...due, state: told === null ? 'malformed' : 'ok', told };
}

export const tokenAllowances = byDryRun({
  due: dueAllowances,
  callData: ({ owner, spender }) => callOfAccounts('allowance', owner, spender),
  answerOf,
  save: saveAllowances,
  postpone: postponeAllowances,
  counter: (metrics) => metrics.tokenAllowances,
});

export const reportAllowances = reportWaiting(countDueAllowances, (metrics) => metrics.tokenAllowancesWaiting);
