import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import type { ListRow } from '../lists.js';
import type { Page, RankedKeysetPage } from './slice.js';

/**
 * Ranked lists: sorted sets of `ranks`, which triggers maintain. The numbers are stored, so they never change; the functions of
 * migration 0001 have them, too.
 */
export const RankKind = {
  /** Newest claims first. */
  names: 1,
  activeNames: 2,
  /** Names of one `ak_`; those that expire last first. */
  namesOfOwner: 3,
  activeNamesOfOwner: 4,
  /** Active names with a pointer to an id, by name. */
  namesPointingTo: 5,
  /** Oldest first. */
  contracts: 6,
  /** Decoded calls of one `ct_`, oldest first. */
  calls: 7,
  /** Active oracles, oldest registrations first. */
  oracles: 8,
} as const;
export type RankKind = (typeof RankKind)[keyof typeof RankKind];

export interface Ranking {
  kind: RankKind;
  /** Id of the account or contract that the list is of; empty where there is one list for all. */
  id: string;
  /** Read from the last member to the first. */
  reverse: boolean;
}

/** FROM of the ranking `$1`, `$2`: `k.key` is its key in `ranks`, `c.total` its length. */
const RANKED_LENGTH = `
  FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
  CROSS JOIN LATERAL (
    SELECT COALESCE(
      (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
      (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
      0
    ) AS total
    LIMIT 1
  ) AS c`;

/** Length of a ranked list. */
export const rankedLength = (db: Queryable, kind: RankKind, id: string): Promise<Answer<{ count: string }>> =>
  answer(db, { name: 'ranks.length', text: `SELECT c.total AS count ${RANKED_LENGTH}`, values: [kind, id] });

/**
 * The last sampled member of one level before the window `w`. Counts are added up from the sampled member of the next higher
 * level, `above`. Where that is null, and at the highest level, they are added up from the beginning.
 *
 * The order is inside, as PostgreSQL keeps the order of a subquery that it only filters: for a query with an order of its own it plans the subquery to be
 * read to its end, and may sort all members of the level to read a few of them.
 */
function sampledBefore(counts: string, above?: string): string {
  const from = (column: string, begin: string): string =>
    above === undefined ? begin : `COALESCE(${above}.${column}, ${begin})`;
  const before = from('before', '0');
  const first = [from('key', '(-9223372036854775808)'), from('label', `''`), from('position', '-1')];
  return `
  LEFT JOIN LATERAL (
    SELECT x.key, x.label, x.position, ${before} + x.upto - x.count AS before
    FROM (
      SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
      FROM ${counts} AND w.take > 0 AND (s.key, s.label, s.position) >= (${first.join(', ')})
      ORDER BY s.key, s.label, s.position
    ) AS x
    WHERE x.upto > w.skip - ${before}
    LIMIT 1
  )`;
}

const LEVEL_3 = sampledBefore('sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3');
const LEVEL_2 = sampledBefore('milestones AS s WHERE s.ranking = k.key', 's3');
const LEVEL_1 = sampledBefore('sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1', 's2');

/**
 * FROM of a page of the ranking `$1`, `$2`. `c.total` is its length. `w` is the window of members that the page shows: `take` of them
 * after the first `skip`, in the list's own order. `start` is the last sampled member before the window; `start.before` members are
 * before it. Any page reads few members of each level, and none where the window is empty.
 */
export const rankedFrom = (reverse: boolean, skip = '$3', take = '$4'): string => `
  ${RANKED_LENGTH}
  CROSS JOIN LATERAL (
    SELECT
      ${reverse ? `GREATEST(c.total - ${skip}::bigint - ${take}::bigint, 0)` : `${skip}::bigint`} AS skip,
      GREATEST(LEAST(${take}::bigint, c.total - ${skip}::bigint), 0) AS take
    LIMIT 1
  ) AS w
  ${LEVEL_3} AS s3 ON true
  ${LEVEL_2} AS s2 ON true
  ${LEVEL_1} AS s1 ON true
  CROSS JOIN LATERAL (
    SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
    LIMIT 1
  ) AS start`;

/** Text of a `RankCursor`. */
export const rankCursorText = (key: string, position: string, label: string): string =>
  `${key} || '.' || ${position} || '.' || encode(convert_to(${label}, 'UTF8'), 'hex')`;

/** SELECT of the ranks of the members in the window, in the list's own order. It reads from `start` on, so the offset is small. */
export const WINDOW_MEMBERS = `
  SELECT r.key, r.label, r.position
  FROM ranks AS r
  WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
  ORDER BY r.key, r.label, r.position
  LIMIT w.take OFFSET w.skip - start.before`;

interface RankedItem {
  /** `table AS alias` with one row for each position. */
  from: string;
  /** Column of the position. */
  at: string;
  /** JSON text of a row. */
  item: string;
}

/**
 * SELECT of the ranks and `number` of the first members after a cursor. The parameters `$first` and the next two
 * are its key, label and position.
 */
export const membersAfter = (reverse: boolean, ranking: string, first: number, take: string): string => {
  const order = reverse ? 'DESC' : '';
  const sorted = `r.key ${order}, r.label ${order}, r.position ${order}`;
  return `
    SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY ${sorted}) AS number
    FROM ranks AS r
    WHERE
      r.ranking = ${ranking}
      AND (r.key, r.label, r.position) ${reverse ? '<' : '>'} ($${first}::bigint, $${first + 1}, $${first + 2}::bigint)
    ORDER BY ${sorted}
    LIMIT ${take}`;
};

/** A page of a ranked list, with the length of the whole list. A far page costs what the first costs. */
export function rankedPage(
  db: Queryable,
  name: string,
  { kind, id, reverse }: Ranking,
  { from, at, item }: RankedItem,
  slice: Page | RankedKeysetPage,
): Promise<Answer<ListRow>> {
  const isPage = slice.by === 'number';
  const [picked, last, hasMore, source] = isPage
    ? [
        `SELECT row_number() OVER () AS number, listed.* FROM (${WINDOW_MEMBERS}) AS listed`,
        reverse ? '1' : '$4::bigint',
        'c.total > $3::bigint + $4::bigint AND $4::bigint > 0',
        rankedFrom(reverse),
      ]
    : [
        membersAfter(reverse, 'k.key', 4, '$3::bigint + 1'),
        '$3::bigint',
        'listed.count > $3::bigint AND $3::bigint > 0',
        RANKED_LENGTH,
      ];
  const order = isPage && reverse ? 'DESC' : '';
  const onPage = isPage ? '' : 'FILTER (WHERE item.number <= $3::bigint)';
  return answer<ListRow>(db, {
    name: [name, reverse && 'reversed', !isPage && 'after'].filter(Boolean).join('.'),
    text: () => `
      SELECT
        c.total,
        '[' || COALESCE(listed.body, '') || ']' AS body,
        CASE WHEN ${hasMore} THEN listed.last END AS next
      ${source}
      CROSS JOIN LATERAL (
        SELECT
          string_agg(item.body, ',' ORDER BY item.number ${order}) ${onPage} AS body,
          max(${rankCursorText('item.key', 'item.position', 'item.label')}) FILTER (WHERE item.number = ${last}) AS last,
          count(*) AS count
        FROM (
          SELECT picked.number, picked.key, picked.label, picked.position, ${item} AS body
          FROM (${picked}) AS picked
          JOIN ${from} ON ${at} = picked.position
        ) AS item
      ) AS listed`,
    ...(slice.by === 'number'
      ? { values: [kind, id, slice.skip, slice.take], types: ['smallint', 'text', 'bigint', 'bigint'], page: true }
      : // No types, so the requests are not joined: in an array the label would lose its collation.
        { values: [kind, id, slice.take, slice.after.key, slice.after.label, slice.after.position] }),
  });
}
