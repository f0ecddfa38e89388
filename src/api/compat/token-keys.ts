/** Accounts and numbers of single tokens in keys of lists: as texts of one length, whose order is that of the numbers. */
import { decodeId } from '../../chain/encoding/encoding.js';
import { compatToken, compatTokens } from '../../store/queries/compat/tokens.js';
import type { TokenRow } from '../../store/queries/compat/tokens.js';
import { compatTransfers } from '../../store/queries/compat/token-transfers.js';
import type { TransferRow } from '../../store/queries/compat/token-transfers.js';
import type { Head } from '../../store/queries/answer.js';
import type { Queryable } from '../../store/connection/database.js';
import { invalid, notFound } from './errors.js';
import type { ReadPart, Row } from './page.js';
import { text, word } from './parameters.js';

/** The bytes of an account or contract as an integer; also of other identifiers, which find nothing. */
export const wordOf = (id: string): bigint => BigInt(`0x${Buffer.from(decodeId(id)).toString('hex') || '0'}`);

export const keyOf = (value: bigint | string): string => BigInt(value).toString(16).padStart(64, '0');

/** Digits and a sign of a cursor. */
export function numberIn(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid('cursor', String(value));
  return value;
}

/** Decimal digits of what `keyOf` made. */
export const valueIn = (key: unknown): string => String(BigInt(`0x${numberIn(key, /^[0-9a-f]{64}$/)}`));

export const TOKEN_FILTERS = {
  by: word('by', 'The order.', ['name', 'symbol', 'creation']),
  prefix: text('prefix', 'Only those whose name (with `by=symbol` whose symbol) begins so, in any case.'),
  exact: text('exact', 'Only those with this name (with `by=symbol` with this symbol).'),
};

/** Reads parts of the list of tokens of a kind. */
export function readTokens(
  db: Queryable,
  kind: 9 | 141,
  { by = 'name', prefix, exact }: { by?: 'name' | 'symbol' | 'creation'; prefix?: string; exact?: string },
  render: (rows: readonly TokenRow[]) => Promise<Row['value'][]>,
): ReadPart {
  if (prefix !== undefined && exact !== undefined) throw invalid('query', 'prefix excludes exact');
  if (by === 'creation' && (prefix ?? exact) !== undefined)
    throw invalid('query', 'by=creation excludes prefix and exact');
  return async (part) => {
    const [key, contract] = part.from ?? [];
    const from = key === undefined ? undefined : { key: String(key), contract: contract as string };
    const filter = { kind, by, prefix: prefix ?? null, exact: exact ?? null };
    const { rows, head } = await compatTokens(db, filter, { ...part, from });
    const values = await render(rows);
    const sorted = (row: TokenRow) => (by === 'creation' ? BigInt(row.sort_key) : row.sort_key);
    return { rows: rows.map((row, i) => ({ key: [sorted(row), row.contract_id], value: values[i] })), head };
  };
}

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

/** Reads parts of a list of transfers. */
export const readTransfers =
  (db: Queryable, of: Parameters<typeof compatTransfers>[1], render: (row: TransferRow) => Row['value']): ReadPart =>
  async (part) => {
    const [position, index] = (part.from ?? []) as bigint[];
    const from = position === undefined ? undefined : { position, index: index! };
    const { rows, head } = await compatTransfers(db, of, { ...part, from });
    return {
      rows: rows.map((row) => ({ key: [BigInt(row.position), BigInt(row.log_index)], value: render(row) })),
      head,
    };
  };
