import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

/**
 * `{"height": n}`: the lowest stored key block whose time is at or after `time` (ms). Times of blocks may go back, so it reads
 * `max_time`, the greatest time so far: it reaches `time` first at that block.
 */
export function heightAt(db: Queryable, time: bigint): Promise<Answer> {
  return answer(db, {
    name: 'heights.at',
    text: `
      SELECT '{"height":' || height || '}' AS body
      FROM generations
      WHERE max_time >= $1::bigint
      ORDER BY max_time, height
      LIMIT 1`,
    values: [time],
  });
}

/**
 * The highest height up to which all blocks are at least `ms` older than those of generation `height`; -1 if there is none. Times of blocks may go
 * back, so the greatest times so far are compared.
 */
export async function heightBefore(db: Queryable, height: number, ms: number): Promise<number> {
  const { rows } = await db.query<{ below: string }>({
    name: 'heights.before',
    text: `
      SELECT height - 1 AS below
      FROM generations
      WHERE max_time > (SELECT max_time FROM generations WHERE height = $1::bigint) - $2::bigint
      ORDER BY max_time, height
      LIMIT 1`,
    values: [height, ms],
  });
  return rows[0] === undefined ? -1 : Number(rows[0].below);
}
