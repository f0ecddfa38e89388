import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { listValues, numbered } from './lists.js';
import type { ListOf, ListRow } from './lists.js';
import { microBlockOf } from './positions.js';
import type { Slice } from './slice.js';
import { cursorText, placeOf, resumedAt, walkValues } from './walk.js';

export type Order = 'newest first' | 'oldest first';

const BODY = '(SELECT t.body FROM transactions AS t WHERE t.position = e.position)';
const TIME = `(SELECT m.time FROM micro_blocks AS m WHERE m.position = ${microBlockOf('e.position')})`;

/** `{"transactions": [...]}`: transactions of the list, as the node printed them. */
export function listTransactions(db: Queryable, of: ListOf, order: Order, slice: Slice): Promise<Answer<ListRow>> {
  const name = `lists.transactions.${order.replace(' ', '_')}`;
  return walk(db, { name, of, order, item: BODY, open: '{"transactions":[', close: ']}' }, slice);
}

/** Transactions of the list, newest first, each with `time` of its micro block (ms) as its last member. */
export function listTransactionsWithTime(db: Queryable, of: ListOf, slice: Slice): Promise<Answer<ListRow>> {
  const item = `left(${BODY}, -1) || ',"time":' || ${TIME} || '}'`;
  return walk(
    db,
    { name: 'lists.transactions_with_time', of, order: 'newest first', item, open: '[', close: ']' },
    slice,
  );
}

interface Walked {
  name: string;
  of: ListOf;
  order: Order;
  /** JSON text of an entry `e`. */
  item: string;
  open: string;
  close: string;
}

/** A page of a list of transactions, or of what each of them stands for. */
export function walk(
  db: Queryable,
  { name, of, order, item, open, close }: Walked,
  slice: Slice,
): Promise<Answer<ListRow>> {
  const byType = of.type !== null;
  const { ordinal, entries, list } = numbered(byType);
  const first = listValues(of).length + 1;
  const [take, skip] = [`$${first}::bigint`, `$${first + 1}::bigint`];
  const behind = slice.after !== undefined;
  const newest = order === 'newest first';
  const start = behind
    ? `
      CROSS JOIN LATERAL (SELECT ${resumedAt(`$${first + 1}`, `$${first + 2}`)} AS position LIMIT 1) AS r
      CROSS JOIN LATERAL (${placeOf('r.position', newest ? '<' : '<=', ordinal, entries)}) AS found
      CROSS JOIN LATERAL (SELECT ${newest ? 'c.total - found.place' : 'found.place'} AS skip LIMIT 1) AS s`
    : `CROSS JOIN LATERAL (SELECT ${skip} AS skip LIMIT 1) AS s`;
  const last = newest ? `c.total - s.skip - ${take} + 1` : `s.skip + ${take}`;
  return answer<ListRow>(db, {
    name: `${name}${byType ? '_by_type' : ''}${behind ? '.behind' : ''}`,
    text: `
      SELECT c.total, '${open}' || COALESCE((
        SELECT string_agg(item.body, ',')
        FROM (
          SELECT ${item} AS body
          ${entries} AND ${rangeOf(order, ordinal, 's.skip', take)}
          ORDER BY ${ordinal} ${newest ? 'DESC' : ''}
          LIMIT ${take}
        ) AS item
      ), '') || '${close}' AS body,
      CASE WHEN c.total > s.skip + ${take} AND ${take} > 0 THEN (
        SELECT ${cursorText('t')}
        FROM (SELECT e.position ${entries} AND ${ordinal} = ${last} LIMIT 1) AS e
        JOIN transactions AS t ON t.position = e.position
      ) END AS next
      ${list}
      ${start}`,
    values: [...listValues(of), ...walkValues(slice)],
  });
}

/** Numbers of the entries on the page. */
const rangeOf = (order: Order, ordinal: string, skip: string, take: string): string =>
  order === 'newest first'
    ? `${ordinal} <= c.total - ${skip} AND ${ordinal} > c.total - ${skip} - ${take}`
    : `${ordinal} > ${skip} AND ${ordinal} <= ${skip} + ${take}`;
