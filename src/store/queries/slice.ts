/** The rows of a list that one answer holds. */
export interface Slice {
  /** Rows left out at the beginning; of no account when `after` or `behind` is given. */
  skip: bigint;
  /** Most rows to give. */
  take: number;
  /** Rows the client asked for; null for all of them. More than `take` when the service's cap is below it. */
  wanted: bigint | null;
  /** The last row given before this page; only for lists of transactions. */
  after?: Cursor;
  /** The place of the last row given before this page; only for ranked lists. */
  behind?: Place;
}

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

/** Whether rows that the client asked for are missing because of the cap. `total` is the length of the whole list. */
export function isCut(slice: Slice, total: bigint): boolean {
  const end = slice.skip + BigInt(slice.take);
  return (slice.wanted === null || slice.wanted > BigInt(slice.take)) && total > end;
}
