/** The transactions of objects, as the verification reads them. */
import type { Queryable } from '../connection/database.js';

/** Transactions that are read at a time: one name may have any number of them. */
const READ = 5_000;

/** A transaction of the list of an object. */
interface ListedRow {
  id: string;
  position: string;
  hash: string;
  version: number;
  body: string;
  info: string | null;
  tx_start: number;
  tx_length: number;
}

/** The transactions of lists of one kind, in chain order; at most `READ` are in memory. */
export async function* listed(db: Queryable, kind: number, ids: readonly string[]): AsyncGenerator<ListedRow> {
  for (let after = '-1'; ;) {
    const { rows } = await db.query<ListedRow>({
      name: 'verify.listed',
      text: `
        SELECT l.id, t.position, t.hash, k.version, t.body, i.body AS info, t.tx_start, t.tx_length
        FROM (
          SELECT l.id, e.position FROM lists AS l JOIN entries AS e ON e.list = l.key
          WHERE l.kind = $1 AND l.id = ANY ($2::text[]) AND e.position > $3 ORDER BY e.position LIMIT ${READ}
        ) AS l
        JOIN transactions AS t ON t.position = l.position
        JOIN key_blocks AS k ON k.height = t.position >> 33
        LEFT JOIN infos AS i ON i.position = t.position
        ORDER BY t.position`,
      values: [kind, ids, after],
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < READ) return;
    after = last.position;
  }
}

/** Height of the newest key block, which decides which names and oracles are active; -1 if nothing is stored. */
export async function headOf(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ head: string | null }>({
    name: 'verify.head',
    text: 'SELECT max(height) AS head FROM key_blocks',
  });
  return BigInt(rows[0]?.head ?? -1);
}
