/**
 * Positions of times. A block belongs to the time of its generation, the greatest time of a key block up to it, and a micro block to the greatest
 * time of its generation's micro blocks up to it: times of blocks may go back, these do not.
 */
import { LAST_POSITION } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import { inGeneration } from '../positions.js';
import { answers } from './answer.js';

/** SQL expression: height of the first key block at or after a time, ms; above the head if there is none. */
export const heightOfTime = (time: string): string => `COALESCE(
      (SELECT g.height FROM generations AS g WHERE g.max_time >= ${time} ORDER BY g.max_time, g.height LIMIT 1),
      (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
    )`;

/** SQL expression: position of the first block at or after a time, of which `height` is the height of the first key block. */
export const positionOfTime = (time: string, height: string): string => `COALESCE(
      (
        SELECT m.position FROM micro_blocks AS m
        WHERE ${inGeneration('m.position', `(${height} - 1)`)} AND m.time >= ${time} ORDER BY m.position LIMIT 1
      ),
      ${height} << 33
    )`;

/** Positions of the first blocks at or after times, ms; behind all blocks for null, and 0 on an empty chain. */
export async function positionsOfTimes(db: Queryable, times: readonly (bigint | null)[]): Promise<bigint[]> {
  const { rows } = await answers<{ number: string; position: string }>(db, {
    name: 'moments.positions',
    text: `
      SELECT b.number, CASE WHEN b.at IS NULL THEN ${LAST_POSITION} ELSE COALESCE(${positionOfTime('b.at', 'b.height')}, 0) END AS position
      FROM (
        SELECT b.at, b.number, ${heightOfTime('b.at')} AS height
        FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number) OFFSET 0
      ) AS b`,
    values: [times],
  });
  const found = new Map(rows.map(({ number, position }) => [Number(number), BigInt(position)]));
  return times.map((_, i) => found.get(i + 1) ?? 0n);
}
