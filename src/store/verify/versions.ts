import type { Queryable } from '../connection/database.js';

/** The lowest of these heights whose key block has a later protocol version than `newest`; undefined if there is none. */
export async function firstWithLaterVersion(
  db: Queryable,
  from: number,
  to: number,
  newest: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ height: string }>({
    name: 'verify.later-version',
    text: 'SELECT height FROM key_blocks WHERE height BETWEEN $1 AND $2 AND version > $3 ORDER BY height LIMIT 1',
    values: [from, to, newest],
  });
  return rows[0] && Number(rows[0].height);
}
