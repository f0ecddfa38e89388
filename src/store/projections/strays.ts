/** Stray rows refer to a range of the chain in which no transaction created them. A reload of the heights mends them. */
import type { Range } from '../facts/blocks.js';

/** Condition that row `s` refers to the range, but is not at one of the places; its parameters are `strayValues`. */
export const isStray = (id: string, position: string): string => `
    ${position} >= $1 AND ${position} < $2
    AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.${id} AND r.position = s.${position})`;

/** `places`: ids and positions of the rows that follow from the transactions of the range. */
export const strayValues = (range: Range, places: readonly (readonly [id: string, position: bigint])[]): unknown[] => [
  range.from,
  range.to,
  places.map(([id]) => id),
  places.map(([, position]) => position),
];
