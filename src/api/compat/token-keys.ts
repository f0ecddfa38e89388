/** Accounts and numbers of single tokens in keys of lists: as texts of one length, whose order is that of the numbers. */
import { wordOf } from '../../chain/encoding/words.js';
import { compatToken } from '../../store/queries/compat/tokens.js';
import type { TokenRow } from '../../store/queries/compat/tokens.js';
import type { Head } from '../../store/queries/answer.js';
import type { Queryable } from '../../store/connection/database.js';
import { invalid, notFound } from './errors.js';
import { text, word } from './parameters.js';

/** Digits and a sign of a cursor. */
export function numberIn(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid('cursor', String(value));
  return value;
}

/** Decimal digits of what `hexOfWord` made. */
export const valueIn = (key: unknown): string => String(BigInt(`0x${numberIn(key, /^[0-9a-f]{64}$/)}`));

export const TOKEN_FILTERS = {
  by: word('by', 'The order.', ['name', 'symbol', 'creation']),
  prefix: text('prefix', 'Only those whose name (with `by=symbol` whose symbol) begins so, in any case.'),
  exact: text('exact', 'Only those with this name (with `by=symbol` with this symbol).'),
};

/** A token of a kind, and the head of its answer. Throws if the contract is none. */
export async function requireToken(
  db: Queryable,
  kind: 9 | 141,
  contract: string,
): Promise<{ row: TokenRow; head: Head | null }> {
  const { row, head } = await compatToken(db, [kind], contract);
  if (row === null) throw notFound(contract);
  return { row, head };
}

/** Accounts by which transfers are filtered, without those that are absent. */
export const endsOf = (ends: Partial<Record<'sender' | 'recipient' | 'account', string | undefined>>) =>
  Object.fromEntries(
    Object.entries(ends).flatMap(([end, account]) => (account === undefined ? [] : [[end, wordOf(account)]])),
  ) as Partial<Record<keyof typeof ends, bigint>>;
