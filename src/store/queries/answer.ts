import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable, Statement } from '../connection/database.js';

/** The highest stored key block when an answer was made. */
export interface Head {
  height: number;
  hash: string;
}

export interface Answer<Row extends object = { body: string }> {
  /** Null when the statement gave no row: the object is not stored. */
  row: Row | null;
  /** Null while nothing is stored. */
  head: Head | null;
}

interface HeadColumns {
  answer_found: true | null;
  head_height: string | null;
  head_hash: string | null;
}

/** A statement that gives at most one row. */
interface OneRowStatement {
  name: string;
  /** A function is called once for each name. */
  text: string | (() => string);
  values?: readonly unknown[];
  /** Types of the values; absent where requests for it are not joined. Nor are they where a value is an array. */
  types?: readonly string[];
  /** PostgreSQL would plan it again for each set of values, which takes longer than to run it: its values are hidden from the planner. */
  plannedOnce?: true;
  /** See `Statement`. */
  page?: boolean;
  /** The answer is about the primary and its writers, so replicas are not asked. */
  ofPrimary?: true;
}

const HEAD = 'LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true';
const COLUMNS = `answer.*, head.height AS head_height, head.hash AS head_hash, ${COMMIT_NUMBER}`;

/** Arrays of different lengths cannot be the elements of one. */
const mayJoin = (types: readonly string[] | undefined): types is readonly string[] =>
  types?.every((type) => !type.endsWith('[]')) === true;

/** Ends of a subquery that is run for each set of values. PostgreSQL plans it for one of them, as it plans no subquery with such an end together with others. */
const ONE_ROW = 'LIMIT 1';
const ALL_ROWS = 'OFFSET 0';

/** Texts by the names of their statements: a name always has the same text. */
const texts = new Map<string, Pick<Statement, 'text' | 'joined'>>();

/**
 * Runs a statement that gives at most one row, and reads the head in the same statement. Both are of one snapshot, so the head
 * in the response headers is the one that the answer was made from. Requests that are joined share one snapshot, too.
 *
 * Statements make lists with `string_agg` over an ordered subquery: it keeps the order and needs no sort of its own.
 */
export async function answer<Row extends object = { body: string }>(
  db: Queryable,
  { name, text, values = [], types, plannedOnce, page, ofPrimary }: OneRowStatement,
): Promise<Answer<Row>> {
  let known = texts.get(name);
  if (known === undefined) {
    const inner = typeof text === 'string' ? text : text();
    known = {
      text: plannedOnce && types !== undefined ? plannedOnceOf(inner, types) : alone(inner),
      ...(mayJoin(types) && { joined: joinedOf(inner, types, ONE_ROW) }),
    };
    texts.set(name, known);
  }
  const { rows } = await db.query<Row & HeadColumns>({
    name,
    ...known,
    values,
    ...(page && { page }),
    ...(ofPrimary !== true && { numbered: true }),
  });
  const row = rows[0];
  return { row: row?.answer_found === true ? row : null, head: headOf(row) };
}

export interface Answers<Row extends object> extends Pick<Answer, 'head'> {
  /** In any order. */
  rows: Row[];
}

/** The same for a statement that gives any number of rows. */
export async function answers<Row extends object>(
  db: Queryable,
  { name, text, values = [], types }: Pick<OneRowStatement, 'name' | 'text' | 'values' | 'types'>,
): Promise<Answers<Row>> {
  let known = texts.get(name);
  if (known === undefined) {
    const inner = typeof text === 'string' ? text : text();
    known = { text: alone(inner), ...(mayJoin(types) && { joined: joinedOf(inner, types, ALL_ROWS) }) };
    texts.set(name, known);
  }
  // Lists are read by pages.
  const { rows } = await db.query<Row & HeadColumns>({ name, ...known, values, page: true, numbered: true });
  return { rows: rows.filter(({ answer_found: isFound }) => isFound === true), head: headOf(rows[0]) };
}

const headOf = (row: HeadColumns | undefined): Head | null =>
  row?.head_height == null || row.head_hash === null ? null : { height: Number(row.head_height), hash: row.head_hash };

/** An empty object, with the head. */
export const headAnswer = (db: Queryable): Promise<Answer> => answer(db, { name: 'head', text: `SELECT '{}' AS body` });

const alone = (text: string): string => `
  SELECT ${COLUMNS}
  FROM (SELECT 1) AS one
  LEFT JOIN (SELECT true AS answer_found, inside.* FROM (${text}) AS inside) AS answer ON true
  ${HEAD}`;

/**
 * The subqueries hide the arrays from the planner, which would otherwise plan for their lengths each time. The `LIMIT 1` keeps
 * the planner from joining the arrays with whole tables.
 */
const joinedOf = (text: string, types: readonly string[], end: string): string => `
  SELECT (asked.number - 1)::int AS asked, ${COLUMNS}
  FROM unnest(${types.map((type, i) => `(SELECT $${i + 1}::${type}[])`).join(', ')})
    WITH ORDINALITY AS asked (${types.map((_, i) => `p${i + 1}`).join(', ')}, number)
  ${eachAsked(text, end)}`;

/** The `LIMIT 1` hides the values. */
const plannedOnceOf = (text: string, types: readonly string[]): string => `
  SELECT ${COLUMNS}
  FROM (SELECT ${types.map((type, i) => `$${i + 1}::${type} AS p${i + 1}`).join(', ')} LIMIT 1) AS asked
  ${eachAsked(text, ONE_ROW)}`;

const eachAsked = (text: string, end: string): string => `
  LEFT JOIN LATERAL (
    SELECT true AS answer_found, inside.*
    FROM (${text.replaceAll(/\$(\d+)/g, 'asked.p$1')}) AS inside
    ${end}
  ) AS answer ON true
  ${HEAD}`;
