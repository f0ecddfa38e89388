/** How many rows one answer contains. */
interface Rows {
  /** Max rows. */
  take: number;
  /** Rows that the client asked for; null for all of them. More than `take` where the cap of the service is lower. */
  wanted: bigint | null;
}

/** A page by its number: the rows after the first `skip` ones. */
export interface Page extends Rows {
  by: 'number';
  skip: bigint;
}

/** A keyset page of a list of transactions: the rows after one transaction. */
export interface KeysetPage extends Rows {
  by: 'cursor';
  after: Cursor;
}

/** A keyset page of a ranked list: the rows after one rank. */
export interface RankedKeysetPage extends Rows {
  by: 'rank';
  after: RankCursor;
}

/** The part of a list that one answer contains. */
export type Slice = Page | KeysetPage | RankedKeysetPage;

/**
 * The transaction after which the next page of a list begins. If a reorg moved the transaction, the page begins after its
 * new position. If a reorg removed it, the page begins after `position`, its former one: a transaction that the reorg did not
 * touch is before the reorg, so it is on the same side of `position` as before.
 */
export interface Cursor {
  hash: string;
  position: bigint;
}

/** The rank after which the next page of a ranked list begins. Its member need not exist any more. */
export interface RankCursor {
  key: bigint;
  label: string;
  position: bigint;
}

/** Rows before the slice that count towards the cap: none for keyset pages. */
export const skipOf = (slice: Slice): bigint => (slice.by === 'number' ? slice.skip : 0n);

/** Whether the client asked for more rows than the cap allows. */
export const isCapped = ({ wanted, take }: Pick<Slice, 'wanted' | 'take'>): boolean =>
  wanted === null || wanted > BigInt(take);

/** Whether rows that the client asked for are missing because of the cap. `total` is the length of the whole list. */
export const isCut = (slice: Slice, total: bigint): boolean =>
  isCapped(slice) && total > skipOf(slice) + BigInt(slice.take);
