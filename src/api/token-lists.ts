/** The lists of tokens, and how parts of them are read: by the statements of the compatible API. */
import { LAST_POSITION } from '../chain/position.js';
import type { Queryable } from '../store/connection/database.js';
import { compatTransfers } from '../store/queries/compat/token-transfers.js';
import type { TransferRow } from '../store/queries/compat/token-transfers.js';
import * as queries from '../store/queries/compat/tokens.js';
import type { BalanceRow, HeldRow, OwnedRow, TokenRow } from '../store/queries/compat/tokens.js';
import { positionOf } from '../store/queries/export-transactions.js';
import type { Key } from './compat/cursor.js';
import { endsOf, keyOf, numberIn, valueIn, wordOf } from './compat/token-keys.js';
import { unknownRow } from './export/lists.js';
import type { KeyList } from './key-pages.js';
import { badRequest } from './parse.js';

type TokensFilter = Parameters<typeof queries.compatTokens>[1];

export const filterOf = (kind: 9 | 141, by: TokensFilter['by'], prefix?: string, exact?: string): TokensFilter => {
  if (prefix !== undefined && exact !== undefined) throw badRequest('Invalid input: prefix cannot be used with exact');
  if (by === 'creation' && (prefix ?? exact) !== undefined)
    throw badRequest('Invalid input: by=creation cannot be used with prefix and exact');
  return { kind, by, prefix: prefix ?? null, exact: exact ?? null };
};

export const tokenList = (db: Queryable, filter: TokensFilter): KeyList<TokenRow> => {
  const isByCreation = filter.by === 'creation';
  return {
    ascending: !isByCreation,
    types: isByCreation ? ['int', 'text'] : ['text', 'text'],
    key: (row) => [isByCreation ? BigInt(row.sort_key) : row.sort_key, row.contract_id],
    read: ({ from, ...part }) =>
      queries.compatTokens(db, filter, {
        ...part,
        from: from && { key: String(from[0]), contract: from[1] as string },
      }),
  };
};

export const holderList = (db: Queryable, contract: string, by: 'amount' | 'account'): KeyList<BalanceRow> => ({
  ascending: by === 'account',
  types: by === 'amount' ? ['text', 'text'] : ['text'],
  key: ({ amount, account }) => (by === 'amount' ? [amount, keyOf(account)] : [keyOf(account)]),
  read: ({ from, ...part }) =>
    queries.compatBalances(db, contract, by === 'amount' ? 'amount' : 'pubkey', {
      ...part,
      from: from && {
        amount: by === 'amount' ? numberIn(from[0], /^-?\d{1,200}$/) : '0',
        account: valueIn(from.at(-1)),
      },
    }),
});

interface TransfersOf {
  kind: 9 | 141;
  contract: string;
  sender?: string | undefined;
  recipient?: string | undefined;
  account?: string | undefined;
}

export const transferList = (db: Queryable, { kind, contract, ...ends }: TransfersOf): KeyList<TransferRow> => ({
  ascending: false,
  types: ['int', 'int'],
  key: ({ position, log_index: index }) => [BigInt(position), BigInt(index)],
  read: ({ from, ...part }) => {
    const [position, index] = (from ?? []) as bigint[];
    return compatTransfers(
      db,
      { kind, contract, ...endsOf(ends) },
      { ...part, from: from && { position: position!, index: index! } },
    );
  },
});

/** The key after all events of a transaction. */
export async function afterTransaction(
  db: Queryable,
  after: string | null,
  ascending: boolean | undefined,
): Promise<Key | null> {
  if (after === null) return null;
  const position = await positionOf(db, after);
  if (position === null || position > LAST_POSITION) throw unknownRow();
  return [position, ascending === true ? 2n ** 31n - 1n : -1n];
}

export const ownerList = (db: Queryable, contract: string): KeyList<OwnedRow> => ({
  ascending: true,
  types: ['text'],
  key: ({ token_id: id }) => [keyOf(id)],
  read: ({ from, ...part }) => queries.compatSingles(db, contract, { ...part, from: from && valueIn(from[0]) }),
});

export const holdingList = (db: Queryable, account: string): KeyList<HeldRow> => ({
  ascending: true,
  types: ['text'],
  key: ({ contract_id: id }) => [id],
  read: ({ from, ...part }) =>
    queries.compatHoldings(db, wordOf(account), { ...part, from: from?.[0] as string | undefined }, null),
});

export const ownedList = (db: Queryable, account: string, contract: string | undefined): KeyList<OwnedRow> => ({
  ascending: true,
  types: ['text', 'text'],
  key: ({ contract_id: of, token_id: id }) => [of, keyOf(id)],
  read: ({ from, ...part }) =>
    queries.compatOwned(db, wordOf(account), contract ?? null, {
      ...part,
      from: from && { contract: from[0] as string, token: valueIn(from[1]) },
    }),
});
