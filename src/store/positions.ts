/** SQL fragments over `position` (see src/chain/position.ts); `height` is an SQL expression of type bigint. */

/** Condition: the position is that of a micro block or transaction of the generation, not of its key block. */
export const inGeneration = (position: string, height: string): string =>
  `${position} > (${height} << 33) AND ${position} <= (${height} << 33) + 8589934591`;

/** Position of the micro block that contains a transaction. */
export const microBlockOf = (position: string): string => `(${position} & (-65536)::bigint)`;

/** Condition: the position is that of a transaction of the micro block. */
export const inMicroBlock = (position: string, microBlock: string): string =>
  `${position} >= ${microBlock} AND ${position} < ${microBlock} + 65536`;
