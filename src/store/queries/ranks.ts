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

/**
 * FROM of a page of the ranking `$1`, `$2`: `c.total` is its length, `w` the window of members (`skip` in the list's own
 * order, `take`) that the page is, `start` the milestone from which `start.before` members precede the window. Milestones
 * are read up to it and no further.
 */
export const rankedFrom = (reverse: boolean, skip = '$3', take = '$4'): string => `
  FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(m.count), 0)::bigint AS total FROM milestones AS m WHERE m.ranking = k.key LIMIT 1
  ) AS c
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

/** SELECT of the `position` of the members in the window, in the list's own order. Left out are only those behind `start`. */
export const RANKED = `
  SELECT r.position
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

/** A page of a ranking, with its whole length; what is skipped costs nothing. */
export function rankedPage(
  db: Queryable,
  name: string,
  { kind, id, reverse }: Ranking,
  { from, at, item }: RankedItem,
  slice: Slice,
): Promise<Answer<ListRow>> {
  return answer<ListRow>(db, {
    name: `${name}${reverse ? '.reversed' : ''}`,
    text: `
      SELECT c.total, '[' || COALESCE((
        SELECT string_agg(item.body, ',' ORDER BY item.number ${reverse ? 'DESC' : ''})
        FROM (
          SELECT picked.number, ${item} AS body
          FROM (SELECT row_number() OVER () AS number, listed.position FROM (${RANKED}) AS listed) AS picked
          JOIN ${from} ON ${at} = picked.position
        ) AS item
      ), '') || ']' AS body
      ${rankedFrom(reverse)}`,
    values: [kind, id, slice.skip, slice.take],
  });
}
