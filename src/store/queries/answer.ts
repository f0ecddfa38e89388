import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable, Statement } from '../connection/database.js';

/** The highest key block stored when an answer was made. */
interface Top {
  height: number;
  hash: string;
}

export interface Answer<Row extends object = { body: string }> {
  /** Null when the statement gave no row: what was asked for is not stored. */
  row: Row | null;
  /** Null while nothing is stored. */
  top: Top | null;
}

interface Beside {
  answer_found: true | null;
  top_height: string | null;
  top_hash: string | null;
}

/** A statement that gives at most one row. */
interface Question {
  name: string;
  /** Called once for each name. */
  text: string | (() => string);
  values?: readonly unknown[];
  /** Types of the values; absent where requests for it are not joined. */
  types?: readonly string[];
  /** See `Statement`. */
  page?: boolean;
  /** About the primary and those who write there: replicas are not asked. */
  ofPrimary?: true;
}

const HEAD = 'LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS top ON true';
const BESIDE = `answer.*, top.height AS top_height, top.hash AS top_hash, ${COMMIT_NUMBER}`;

/** Texts by the names of their statements: a name stands for one text. */
const texts = new Map<string, Pick<Statement, 'text' | 'joined'>>();

/**
 * Runs a statement that gives at most one row and reads the head beside it, as one statement: both are of one snapshot,
 * so the head named in the headers is the one the answer was made from. Requests that are joined have one snapshot, too.
 *
 * Statements put lists together with `string_agg` over an ordered subquery, which keeps its order and needs no sort.
 */
export async function answer<Row extends object = { body: string }>(
  db: Queryable,
  { name, text, values = [], types, page, ofPrimary }: Question,
): Promise<Answer<Row>> {
  let known = texts.get(name);
  if (known === undefined) {
    const inner = typeof text === 'string' ? text : text();
    known = { text: alone(inner), ...(types !== undefined && { joined: joinedOf(inner, types) }) };
    texts.set(name, known);
  }
  const { rows } = await db.query<Row & Beside>({
    name,
    ...known,
    values,
    ...(page && { page }),
    ...(ofPrimary !== true && { numbered: true }),
  });
  const row = rows[0];
  const top =
    row?.top_height == null || row.top_hash === null ? null : { height: Number(row.top_height), hash: row.top_hash };
  return { row: row?.answer_found === true ? row : null, top };
}

/** The head alone. */
export const headAnswer = (db: Queryable): Promise<Answer> => answer(db, { name: 'head', text: `SELECT '{}' AS body` });

const alone = (text: string): string => `
  SELECT ${BESIDE}
  FROM (SELECT 1) AS one
  LEFT JOIN (SELECT true AS answer_found, inside.* FROM (${text}) AS inside) AS answer ON true
  ${HEAD}`;

/**
 * The arrays are hidden from the planner, which would plan for their lengths each time; and the `LIMIT 1` keeps it from
 * joining what is asked with whole tables.
 */
const joinedOf = (text: string, types: readonly string[]): string => `
  SELECT (asked.number - 1)::int AS asked, ${BESIDE}
  FROM unnest(${types.map((type, i) => `(SELECT $${i + 1}::${type}[])`).join(', ')})
    WITH ORDINALITY AS asked (${types.map((_, i) => `p${i + 1}`).join(', ')}, number)
  LEFT JOIN LATERAL (
    SELECT true AS answer_found, inside.*
    FROM (${text.replaceAll(/\$(\d+)/g, 'asked.p$1')}) AS inside
    LIMIT 1
  ) AS answer ON true
  ${HEAD}`;
