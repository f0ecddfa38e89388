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
