import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import type { Slice } from './slice.js';

/** Lists that triggers keep in their order; stored, so never renumbered (migrations/0001_chain.up.sql). */
export const RankKind = {
  /** Newest claims first. */
  names: 1,
  activeNames: 2,
  /** Of an `ak_`; those that expire last first. */
  namesOfOwner: 3,
  activeNamesOfOwner: 4,
  /** Active names with a pointer to an id, by name. */
  namesPointingTo: 5,
  /** Oldest first. */
  contracts: 6,
  /** Decoded calls of a `ct_`, oldest first. */
  calls: 7,
  /** Active ones, oldest registrations first. */
  oracles: 8,
} as const;
export type RankKind = (typeof RankKind)[keyof typeof RankKind];

export interface Ranking {
  kind: RankKind;
  /** Whose list; empty where there is one for all. */
  id: string;
  /** From the last member to the first. */
  reverse: boolean;
}

/** FROM of the ranking `$1`, `$2`: `k.key` names it in `ranks`, `c.total` is its length. */
const RANKED_LENGTH = `
  FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(m.count), 0)::bigint AS total FROM milestones AS m WHERE m.ranking = k.key LIMIT 1
  ) AS c`;

/**
 * FROM of a page of the ranking `$1`, `$2`: `c.total` is its length, `w` the window of members (`skip` in the list's own
 * order, `take`) that the page is, `start` the milestone from which `start.before` members precede the window. Milestones
 * are read up to it and no further.
 */
export const rankedFrom = (reverse: boolean, skip = '$3', take = '$4'): string => `
  ${RANKED_LENGTH}
  CROSS JOIN LATERAL (
    SELECT ${
      reverse
        ? `GREATEST(c.total - ${skip}::bigint - ${take}::bigint, 0) AS skip,
      GREATEST(LEAST(${take}::bigint, c.total - ${skip}::bigint), 0) AS take`
        : `${skip}::bigint AS skip, ${take}::bigint AS take`
    }
    LIMIT 1
  ) AS w
  LEFT JOIN LATERAL (
    SELECT x.key, x.label, x.position, (x.upto - x.count)::bigint AS before
    FROM (
      SELECT m.key, m.label, m.position, m.count,
        sum(m.count) OVER (ORDER BY m.key, m.label, m.position ROWS UNBOUNDED PRECEDING) AS upto
      FROM milestones AS m
      WHERE m.ranking = k.key
    ) AS x
    WHERE x.upto > w.skip
    ORDER BY x.key, x.label, x.position
    LIMIT 1
  ) AS start ON true`;

/** Text that names a place, for `Place`. */
export const placeText = (key: string, position: string, label: string): string =>
  `${key} || '.' || ${position} || '.' || encode(convert_to(${label}, 'UTF8'), 'hex')`;

const PLACE = placeText('r.key', 'r.position', 'r.label');

/** SELECT of `position` and `place` of the members in the window, in the list's own order. Left out are only those behind `start`. */
export const RANKED = `
  SELECT r.position, ${PLACE} AS place
  FROM ranks AS r
  WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
  ORDER BY r.key, r.label, r.position
  LIMIT w.take OFFSET w.skip - start.before`;

export interface RankedItem {
  /** `table AS alias` that holds the rows, one a position. */
  from: string;
  /** Its column of that position. */
  at: string;
  /** JSON text of a row. */
  item: string;
}

/**
 * SELECT of the `position`, `place` and `number` of the first members behind a place, which three parameters from `first`
 * on give: key, label, position.
 */
export const rankedBehind = (reverse: boolean, ranking: string, first: number, take: string): string => {
  const order = reverse ? 'DESC' : '';
  const sorted = `r.key ${order}, r.label ${order}, r.position ${order}`;
  return `
    SELECT r.position, ${PLACE} AS place, row_number() OVER (ORDER BY ${sorted}) AS number
    FROM ranks AS r
    WHERE
      r.ranking = ${ranking}
      AND (r.key, r.label, r.position) ${reverse ? '<' : '>'} ($${first}::bigint, $${first + 1}, $${first + 2}::bigint)
    ORDER BY ${sorted}
    LIMIT ${take}`;
};

/** A page of a ranking, with its whole length; what is skipped costs nothing. */
export function rankedPage(
  db: Queryable,
  name: string,
  { kind, id, reverse }: Ranking,
  { from, at, item }: RankedItem,
  slice: Slice,
): Promise<Answer<ListRow>> {
  const { skip, take, behind } = slice;
  const [picked, last, goesOn, source] =
    behind === undefined
      ? [
          `SELECT row_number() OVER () AS number, listed.* FROM (${RANKED}) AS listed`,
          reverse ? '1' : '$4::bigint',
          'c.total > $3::bigint + $4::bigint AND $4::bigint > 0',
          rankedFrom(reverse),
        ]
      : [
          rankedBehind(reverse, 'k.key', 4, '$3::bigint + 1'),
          '$3::bigint',
          'listed.count > $3::bigint AND $3::bigint > 0',
          RANKED_LENGTH,
        ];
  const order = behind === undefined && reverse ? 'DESC' : '';
  const kept = behind === undefined ? '' : 'FILTER (WHERE item.number <= $3::bigint)';
  return answer<ListRow>(db, {
    name: [name, reverse && 'reversed', behind && 'behind'].filter(Boolean).join('.'),
    text: `
      SELECT
        c.total,
        '[' || COALESCE(listed.body, '') || ']' AS body,
        CASE WHEN ${goesOn} THEN listed.last END AS next
      ${source}
      CROSS JOIN LATERAL (
        SELECT
          string_agg(item.body, ',' ORDER BY item.number ${order}) ${kept} AS body,
          max(item.place) FILTER (WHERE item.number = ${last}) AS last,
          count(*) AS count
        FROM (
          SELECT picked.number, picked.place, ${item} AS body
          FROM (${picked}) AS picked
          JOIN ${from} ON ${at} = picked.position
        ) AS item
      ) AS listed`,
    values: behind === undefined ? [kind, id, skip, take] : [kind, id, take, behind.key, behind.label, behind.position],
  });
}
