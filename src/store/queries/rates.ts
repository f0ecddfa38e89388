import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

/** `[{"date", "count", "amount"}]`: spends per UTC day, between two days (`YYYY-MM-DD`), both exclusive. */
export function spendRate(db: Queryable, after: string, before: string): Promise<Answer> {
  return answer(db, {
    name: 'rates.spends',
    text: `
      SELECT '[' || COALESCE((
        SELECT string_agg(item.body, ',')
        FROM (
          SELECT
            '{"date":"' || to_char(day, 'YYYY-MM-DD') || '","count":' || count || ',"amount":"' || amount || '"}' AS body
          FROM days
          WHERE day > $1::date AND day < $2::date
          ORDER BY day
        ) AS item
      ), '') || ']' AS body`,
    values: [after, before],
  });
}
