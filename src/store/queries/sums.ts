import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

/** Sums over all stored transactions up to and including `height`. */

/** `{"size": bytes}`: sum of the sizes of the inner transactions. */
export function sizeUpTo(db: Queryable, height: number): Promise<Answer> {
  return sum(db, 'sums.size', 'size', 'size_total', height);
}

/** `{"count": n}`: number of transactions. */
export function countUpTo(db: Queryable, height: number): Promise<Answer> {
  return sum(db, 'sums.count', 'count', 'tx_total', height);
}

function sum(db: Queryable, name: string, member: string, column: string, height: number): Promise<Answer> {
  return answer(db, {
    name,
    text: `
      SELECT '{"${member}":' || COALESCE((
        SELECT ${column} FROM generations WHERE height <= $1::bigint ORDER BY height DESC LIMIT 1
      ), 0) || '}' AS body`,
    values: [height],
    types: ['bigint'],
  });
}
