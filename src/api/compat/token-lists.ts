/** The lists of tokens: how parts of them are read, and the keys of their rows. */
import { hexOfWord, wordOf } from '../../chain/encoding/words.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Answer, Answers } from '../../store/queries/answer.js';
import type { Part } from '../../store/queries/compat/part.js';
import { compatTransferTotal, compatTransfers } from '../../store/queries/compat/token-transfers.js';
import type { TransferRow } from '../../store/queries/compat/token-transfers.js';
import * as queries from '../../store/queries/compat/tokens.js';
import type { Total } from '../../store/queries/compat/totals.js';
import { tokenAllowances } from '../../store/queries/token-allowances.js';
import type { AllowanceRow, AllowancesOf } from '../../store/queries/token-allowances.js';
import type { BalanceRow, HeldRow, OwnedRow, TokenRow } from '../../store/queries/compat/tokens.js';
import type { Key, KeyType } from './cursor.js';
import { endsOf, numberIn, valueIn } from './token-keys.js';

/** Columns of tables that say the place of a row. */
export type PlaceColumn = 'account' | 'amount' | 'contract' | 'owner' | 'spender' | 'token_id';

/** A list whose rows are sorted by several values. */
export interface KeyList<Stored> {
  /** The order without the parameter. */
  ascending: boolean;
  /** Types of the key of a row. */
  types: KeyType;
  key: (stored: Stored) => Key;
  /** The columns of its table that say the key of a row, in the order of the key; absent where no columns do. */
  place?: readonly PlaceColumn[];
  read: (part: Part<Key>) => Promise<Answers<Stored & object>>;
}

export type TokensFilter = Parameters<typeof queries.compatTokens>[1];

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
  key: ({ amount, account }) => (by === 'amount' ? [amount, hexOfWord(account)] : [hexOfWord(account)]),
  place: by === 'amount' ? ['amount', 'account'] : ['account'],
  read: ({ from, ...part }) =>
    queries.compatBalances(db, contract, by === 'amount' ? 'amount' : 'pubkey', {
      ...part,
      from: from && {
        amount: by === 'amount' ? numberIn(from[0], /^-?\d{1,200}$/) : '0',
        account: valueIn(from.at(-1)),
      },
    }),
});

export interface TransfersOf {
  kind: 9 | 141;
  contract?: string;
  /** Accounts. */
  sender?: string | undefined;
  recipient?: string | undefined;
  account?: string | undefined;
}

const storedTransfers = ({ kind, contract, ...ends }: TransfersOf) => ({
  kind,
  ...(contract !== undefined && { contract }),
  ...endsOf(ends),
});

export const transferList = (db: Queryable, of: TransfersOf): KeyList<TransferRow> => ({
  ascending: false,
  types: ['int', 'int'],
  key: ({ position, log_index: index }) => [BigInt(position), BigInt(index)],
  read: ({ from, ...part }) => {
    const [position, index] = (from ?? []) as bigint[];
    return compatTransfers(db, storedTransfers(of), { ...part, from: from && { position: position!, index: index! } });
  },
});

/** Its length. */
export const transferTotal = (db: Queryable, of: TransfersOf): Promise<Answer<Total>> =>
  compatTransferTotal(db, storedTransfers(of));

export const ownerList = (db: Queryable, contract: string): KeyList<OwnedRow> => ({
  ascending: true,
  types: ['text'],
  key: ({ token_id: id }) => [hexOfWord(id)],
  place: ['token_id'],
  read: ({ from, ...part }) => queries.compatSingles(db, contract, { ...part, from: from && valueIn(from[0]) }),
});

/** `also`: whether what it held and holds no more is part of it. */
export const holdingList = (db: Queryable, account: string, also: 'held' | null): KeyList<HeldRow> => ({
  ascending: true,
  types: ['text'],
  key: ({ contract_id: id }) => [id],
  place: ['contract'],
  read: ({ from, ...part }) =>
    queries.compatHoldings(db, wordOf(account), { ...part, from: from?.[0] as string | undefined }, also),
});

export const ownedList = (db: Queryable, account: string, contract: string | undefined): KeyList<OwnedRow> => ({
  ascending: true,
  types: ['text', 'text'],
  key: ({ contract_id: of, token_id: id }) => [of, hexOfWord(id)],
  place: ['contract', 'token_id'],
  read: ({ from, ...part }) =>
    queries.compatOwned(db, wordOf(account), contract ?? null, {
      ...part,
      from: from && { contract: from[0] as string, token: valueIn(from[1]) },
    }),
});

/** Of a token, or of an account. */
export function allowanceList(db: Queryable, of: AllowancesOf): KeyList<AllowanceRow> {
  const first = 'as' in of ? 'contract_id' : 'owner';
  const second = 'as' in of && of.as === 'spender' ? 'owner' : 'spender';
  const keyOf = (row: AllowanceRow): string => (first === 'owner' ? hexOfWord(row.owner) : row.contract_id);
  return {
    ascending: true,
    types: ['text', 'text'],
    key: (row) => [keyOf(row), hexOfWord(row[second])],
    place: [first === 'owner' ? first : 'contract', second],
    read: ({ from, ...part }) =>
      tokenAllowances(db, of, {
        ...part,
        from: from && [first === 'owner' ? valueIn(from[0]) : (from[0] as string), valueIn(from[1])],
      }),
  };
}
