import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { PageRow } from './paging/page.js';

/** Ids of the channels that were created and not closed, oldest first; at most `take`. */
export function openChannels(db: Queryable, take: number): Promise<Answer<PageRow>> {
  return answer<PageRow>(db, {
    name: 'channels.open',
    text: `
      SELECT
        '[' || COALESCE(
          string_agg('"' || open.id || '"', ',' ORDER BY open.position) FILTER (WHERE open.number <= $1::bigint), ''
        ) || ']' AS body,
        count(*) AS count
      FROM (
        SELECT id, position, row_number() OVER () AS number
        FROM (
          SELECT id, position FROM channels
          WHERE closed_position IS NULL AND position IS NOT NULL
          ORDER BY position
          LIMIT $1::bigint + 1
        ) AS listed
      ) AS open`,
    values: [take],
  });
}
