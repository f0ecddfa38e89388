/** How many rows one answer holds. */
interface Rows {
  /** Max rows. */
  take: number;
  /** Rows the client asked for; null for all of them. More than `take` when the service's cap is below it. */
  wanted: bigint | null;
}

/** From the row on that stands behind `skip` others. */
export interface Page extends Rows {
  by: 'number';
  skip: bigint;
}

/** From behind a transaction on, for lists of transactions. */
export interface Walk extends Rows {
  by: 'cursor';
  after: Cursor;
}

/** From behind a place on, for ranked lists. */
export interface RankedWalk extends Rows {
  by: 'place';
  behind: Place;
}

/** The part of a list that one answer holds. */
export type Slice = Page | Walk | RankedWalk;

/**
 * Where a walk through a list of transactions goes on: behind a transaction, wherever it stands by now. If it left the
 * chain, behind its former place: what a fork did not touch lies before the fork, and so keeps its side of that place.
 */
export interface Cursor {
  hash: string;
  position: bigint;
}

/** Where a member of a ranked list stands, or stood: it is read on behind there, whatever came and went. */
export interface Place {
  key: bigint;
  label: string;
  position: bigint;
}

/** Rows before the slice, as far as it counts them. */
export const skipOf = (slice: Slice): bigint => (slice.by === 'number' ? slice.skip : 0n);

/** Whether rows that the client asked for are missing because of the cap. `total` is the length of the whole list. */
export function isCut(slice: Slice, total: bigint): boolean {
  const end = skipOf(slice) + BigInt(slice.take);
  return (slice.wanted === null || slice.wanted > BigInt(slice.take)) && total > end;
}
