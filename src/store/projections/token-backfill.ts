/** Backfills of tables with rows of tokens of one kind. */
import type { DbTransaction } from '../connection/database.js';

/** Tokens of one part of a backfill. */
const PART = 50;

/** `fill`: SQL expression that writes the rows of some tokens, `p.contract_id`. Parts are in the order of the tokens' places. */
export const byTokens =
  (name: string, kind: 9 | 141, fill: string) =>
  async (tx: DbTransaction, after: bigint): Promise<bigint | null> => {
    const { rows } = await tx.query<{ last: string | null }>({
      name,
      text: `
        WITH part AS (
          SELECT t.contract_id, t.position FROM tokens AS t
          WHERE t.kind = ${kind} AND t.position > $1::bigint AND t.position <= COALESCE((
            SELECT l.position FROM tokens AS l WHERE l.kind = ${kind} AND l.position > $1::bigint ORDER BY l.position OFFSET ${PART - 1} LIMIT 1
          ), 9223372036854775807)
        )
        SELECT max(p.position) AS last, ${fill}::text FROM part AS p`,
      values: [after],
    });
    const last = rows[0]?.last ?? null;
    return last === null ? null : BigInt(last);
  };
