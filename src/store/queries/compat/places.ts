/** Positions of the ends of a scope, and counts between positions. */
import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';

/** Positions of the first transaction at or after a time and of the last one at or before another, ms; null if there is none. */
export function positionsBetweenTimes(
  db: Queryable,
  from: bigint,
  to: bigint,
): Promise<Answer<{ low: string | null; high: string | null }>> {
  return answer(db, {
    name: 'compat.positions_between_times',
    text: `
      SELECT
        (SELECT position FROM micro_blocks WHERE time >= $1::bigint ORDER BY time, position LIMIT 1) AS low,
        (SELECT position + 65535 FROM micro_blocks WHERE time <= $2::bigint ORDER BY time DESC, position DESC LIMIT 1) AS high`,
    values: [from, to],
  });
}

export function positionOfHash(db: Queryable, hash: string): Promise<Answer<{ position: string }>> {
  return answer(db, {
    name: 'compat.position_of_hash',
    text: 'SELECT position FROM transactions_by_hash WHERE hash = $1',
    values: [hash],
  });
}

/** Position of the transaction with a number, counted from 0 on the chain. */
export function positionOfIndex(db: Queryable, index: bigint): Promise<Answer<{ position: string }>> {
  return answer(db, {
    name: 'compat.position_of_index',
    text: `
      SELECT m.position + ($1::bigint - (m.upto - m.tx_count)) AS position
      FROM (
        SELECT g.height, g.tx_total - g.tx_count AS before
        FROM generations AS g
        WHERE g.tx_total > $1::bigint AND g.tx_count > 0
        ORDER BY g.tx_total
        LIMIT 1
      ) AS g
      CROSS JOIN LATERAL (
        SELECT b.position, b.tx_count, g.before + sum(b.tx_count) OVER (ORDER BY b.position) AS upto
        FROM micro_blocks AS b
        WHERE b.position > g.height << 33 AND b.position <= (g.height << 33) + 8589934591
      ) AS m
      WHERE m.upto > $1::bigint
      ORDER BY m.position
      LIMIT 1`,
    values: [index],
  });
}

/** SQL expression: transactions below a position; those of one type `y.code` if `ofType`. */
export const below = (position: string, ofType: boolean): string => `
  COALESCE((
    ${
      ofType
        ? `SELECT g.total FROM generation_types AS g WHERE g.type = y.code AND g.height < ${position} >> 33`
        : `SELECT g.tx_total FROM generations AS g WHERE g.height < ${position} >> 33`
    } ORDER BY g.height DESC LIMIT 1
  ), 0) + ${
    ofType
      ? `(SELECT count(*) FROM transactions AS t WHERE t.position > (${position} >> 33) << 33 AND t.position < ${position} AND t.type = y.code)`
      : `COALESCE((
          SELECT sum(LEAST(m.tx_count, ${position} - m.position)) FROM micro_blocks AS m
          WHERE m.position > (${position} >> 33) << 33 AND m.position < ${position}
        ), 0)`
  }`;

/** Transactions of types (null: of all) between two positions, both included. */
export function countBetween(
  db: Queryable,
  { low, high }: { low: bigint; high: bigint },
  types: readonly string[] | null,
): Promise<Answer<{ count: string }>> {
  const between = (ofType: boolean): string =>
    `GREATEST((${below('($2::bigint + 1)', ofType)}) - (${below('$1::bigint', ofType)}), 0)`;
  return answer(db, {
    name: `compat.count_between${types === null ? '' : '.of_types'}`,
    text:
      types === null
        ? `SELECT ${between(false)} AS count`
        : `SELECT COALESCE(sum(${between(true)}), 0) AS count FROM types AS y WHERE y.name = ANY ($3::text[])`,
    values: types === null ? [low, high] : [low, high, types],
  });
}

/** Transactions of types on the whole chain; null: of all types. */
export function countOfTypes(db: Queryable, types: readonly string[] | null): Promise<Answer<{ count: string }>> {
  return types === null
    ? answer(db, {
        name: 'compat.count',
        text: 'SELECT COALESCE((SELECT tx_total FROM generations ORDER BY height DESC LIMIT 1), 0) AS count',
      })
    : answer(db, {
        name: 'compat.count_of_types',
        text: `
          SELECT COALESCE(sum((
            SELECT g.total FROM generation_types AS g WHERE g.type = y.code ORDER BY g.height DESC LIMIT 1
          )), 0) AS count
          FROM types AS y WHERE y.name = ANY ($1::text[])`,
        values: [types],
      });
}

/** Transactions of a micro block; of some types, or all (null). No row: it is not stored. */
export function countInMicroBlock(
  db: Queryable,
  hash: string,
  types: readonly string[] | null,
): Promise<Answer<{ count: string }>> {
  return answer(db, {
    name: `compat.count_in_micro_block${types === null ? '' : '.of_types'}`,
    text: `
      SELECT ${
        types === null
          ? 'm.tx_count'
          : `(
              SELECT count(*) FROM transactions AS t JOIN types AS y ON y.code = t.type
              WHERE t.position >= m.position AND t.position < m.position + 65536 AND y.name = ANY ($2::text[])
            )`
      } AS count
      FROM micro_blocks AS m WHERE m.hash = $1`,
    values: types === null ? [hash] : [hash, types],
  });
}
