import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { TYPE_CODE } from './transaction-types.js';

/** A list, or its transactions of one type. */
export interface ListOf {
  /** One of `ListKind`. */
  kind: number;
  /** Id of the object that the list is of. */
  id: string;
  /** Spellings of the type in small letters; null for all types. */
  type: readonly string[] | null;
}

export interface ListRow {
  /** JSON of the page. */
  body: string;
  /** Length of the whole list. */
  total: string;
  /** Cursor of the last row of the page if the list continues after it; only of lists with keyset pages. */
  next?: string | null;
}

/**
 * SQL for the list of `listValues`. Entries are numbered from 1, over all types and for each type, so the ordinal of the newest one
 * is the length of the list (`c.total`). Without their `LIMIT 1` PostgreSQL would inline these subqueries and run them wherever
 * their columns are used.
 */
export function numbered(byType: boolean): { ordinal: string; entries: string; list: string } {
  const ordinal = byType ? 'e.type_ordinal' : 'e.ordinal';
  const entries = `FROM entries AS e WHERE e.list = l.key${byType ? ' AND e.type = l.type' : ''}`;
  return {
    ordinal,
    entries,
    list: `
      FROM (
        SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key${byType ? `, ${TYPE_CODE('$3')} AS type` : ''}
        LIMIT 1
      ) AS l
      CROSS JOIN LATERAL (
        SELECT COALESCE((SELECT ${ordinal} ${entries} ORDER BY ${ordinal} DESC LIMIT 1), 0)::bigint AS total
        LIMIT 1
      ) AS c`,
  };
}

export const listValues = (of: ListOf): unknown[] => (of.type === null ? [of.kind, of.id] : [of.kind, of.id, of.type]);

/** Types of `listValues` where the list is of all transaction types. */
export const LIST_TYPES = ['smallint', 'text'];

/** `{"count": n}`: length of the list. */
export function listCount(db: Queryable, of: ListOf): Promise<Answer> {
  const byType = of.type !== null;
  return answer(db, {
    name: byType ? 'lists.count_by_type' : 'lists.count',
    text: `SELECT '{"count":' || c.total || '}' AS body ${numbered(byType).list}`,
    values: listValues(of),
    ...(!byType && { types: LIST_TYPES }),
  });
}
