import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import { LIST_TYPES, listValues, numbered } from '../lists.js';
import type { ListOf, ListRow } from '../lists.js';
import { WITH_OUTCOME, WITH_TIME_AND_OUTCOME } from '../outcome.js';
import type { KeysetPage, Page } from './slice.js';
import { cursorPosition, cursorText, entriesBefore, sliceTypes, sliceValues } from './keyset.js';

type Order = 'newest first' | 'oldest first';

/** `{"transactions": [...]}`: transactions of the list, in the exact texts of the node, each with its outcome. */
export function listTransactions(
  db: Queryable,
  of: ListOf,
  order: Order,
  slice: Page | KeysetPage,
): Promise<Answer<ListRow>> {
  const name = `lists.transactions.${order.replace(' ', '_')}`;
  return listPage(db, { name, of, order, item: WITH_OUTCOME, open: '{"transactions":[', close: ']}' }, slice);
}

/** Transactions of the list, newest first, each with `time` of its micro block (ms) and its outcome as its last members. */
export function listTransactionsWithTime(
  db: Queryable,
  of: ListOf,
  slice: Page | KeysetPage,
): Promise<Answer<ListRow>> {
  return listPage(
    db,
    {
      name: 'lists.transactions_with_time',
      of,
      order: 'newest first',
      item: WITH_TIME_AND_OUTCOME,
      open: '[',
      close: ']',
    },
    slice,
  );
}

interface ListPage {
  /** Name of the statement. */
  name: string;
  of: ListOf;
  order: Order;
  /** JSON text of an entry, whose transaction is `t`. */
  item: string;
  open: string;
  close: string;
}

/** A page of a list of transactions, or of the objects (bids, oracle queries) that they created. */
export function listPage(
  db: Queryable,
  { name, of, order, item, open, close }: ListPage,
  slice: Page | KeysetPage,
): Promise<Answer<ListRow>> {
  const byType = of.type !== null;
  const { ordinal, entries, list } = numbered(byType);
  const first = listValues(of).length + 1;
  const [take, skip] = [`$${first}::bigint`, `$${first + 1}::bigint`];
  const isKeyset = slice.by === 'cursor';
  const newest = order === 'newest first';
  const start = isKeyset
    ? `
      CROSS JOIN LATERAL (SELECT ${cursorPosition(`$${first + 1}`, `$${first + 2}`)} AS position LIMIT 1) AS r
      CROSS JOIN LATERAL (${entriesBefore('r.position', newest ? '<' : '<=', ordinal, entries)}) AS before
      CROSS JOIN LATERAL (SELECT ${newest ? 'c.total - before.count' : 'before.count'} AS skip LIMIT 1) AS s`
    : `CROSS JOIN LATERAL (SELECT ${skip} AS skip LIMIT 1) AS s`;
  const last = newest ? `c.total - s.skip - ${take} + 1` : `s.skip + ${take}`;
  return answer<ListRow>(db, {
    name: `${name}${byType ? '_by_type' : ''}${isKeyset ? '.after' : ''}`,
    text: () => `
      SELECT c.total, '${open}' || COALESCE(page.body, '') || '${close}' AS body,
        CASE WHEN c.total > s.skip + ${take} AND ${take} > 0 THEN page.last END AS next
      ${list}
      ${start}
      CROSS JOIN LATERAL (
        SELECT string_agg(item.body, ',') AS body, max(${cursorText('item')}) FILTER (WHERE item.ordinal = ${last}) AS last
        FROM (
          SELECT ${item} AS body, t.hash, t.position, e.ordinal
          FROM (
            SELECT e.position, ${ordinal} AS ordinal
            ${entries} AND ${rangeOf(order, ordinal, 's.skip', take)}
            ORDER BY ${ordinal} ${newest ? 'DESC' : ''}
            LIMIT ${take}
          ) AS e
          JOIN transactions AS t ON t.position = e.position
          ORDER BY e.ordinal ${newest ? 'DESC' : ''}
        ) AS item
      ) AS page`,
    values: [...listValues(of), ...sliceValues(slice)],
    ...(!byType && { types: [...LIST_TYPES, ...sliceTypes(slice)], page: true }),
  });
}

/** Condition for the ordinals of the entries on the page. */
const rangeOf = (order: Order, ordinal: string, skip: string, take: string): string =>
  order === 'newest first'
    ? `${ordinal} <= c.total - ${skip} AND ${ordinal} > c.total - ${skip} - ${take}`
    : `${ordinal} > ${skip} AND ${ordinal} <= ${skip} + ${take}`;
