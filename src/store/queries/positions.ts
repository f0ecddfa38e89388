/** Pieces of SQL over `position` (see src/chain/position.ts); `height` is an SQL expression of type bigint. */

/** Positions of the micro blocks and transactions of one generation, its key block left out. */
export const inGeneration = (position: string, height: string): string =>
  `${position} > (${height} << 33) AND ${position} <= (${height} << 33) + 8589934591`;

/** Position of the micro block that a transaction stands in. */
export const microBlockOf = (position: string): string => `(${position} & (-65536)::bigint)`;

/** Positions of the transactions of one micro block. */
export const inMicroBlock = (position: string, microBlock: string): string =>
  `${position} >= ${microBlock} AND ${position} < ${microBlock} + 65536`;
