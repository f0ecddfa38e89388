/** Kinds of lists that transactions belong to. The numbers are stored in the database, so they must never change. */
export const ListKind = {
  /** Members of the outermost transaction that name an account, and accounts paid through a name. */
  account: 1,
  /** `<sender>><receiver>` of a SpendTx. */
  pair: 2,
  /** Creation of a contract and calls by its `ct_`. */
  contract: 3,
  /** Creation of a channel and everything with its `ch_`. */
  channel: 4,
  /** Queries to an `ok_`. */
  oracle: 5,
  /** Claims, updates, transfers and revocations of an `nm_`. */
  name: 6,
  /** Registrations and extensions of an `ok_`. */
  oracleLife: 7,
  /** Transactions that name an `nm_` where it must be resolved. */
  nameUse: 8,
  /** Claims and bids of an `ak_` that offer a fee for the name. */
  bid: 9,
  /** Members that name an account in the transactions that it wraps, unless the outermost one names it, too. */
  wrapped: 10,
  /** Updates of names with a pointer to an id. */
  pointed: 11,
  /** Answers of an `ok_`. */
  oracleAnswer: 12,
} as const;
export type ListKind = (typeof ListKind)[keyof typeof ListKind];

/** What a list of the transactions of an account may have besides those that name it. */
export const INCLUDES = ['inner', 'signed'] as const;
export type Include = (typeof INCLUDES)[number];
