import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import type { PageRow } from './page.js';
import { placeText, RankKind, rankedPage } from './ranks.js';
import type { Ranking } from './ranks.js';
import type { Slice } from './slice.js';

const RECORD = `
  '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
  '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || n.auction_end_height ||
  ',"owner":"' || n.owner || '","expires_at":' || n.expires_at || ',"pointers":' || COALESCE(n.pointers, 'null') || '}'`;

const ITEM = { from: 'names AS n', at: 'n.position', item: RECORD };

const LASTING_FIRST = 'ORDER BY expires_at DESC, name, position';

/** Records that one search looks at, those that expire last first: what a substring matches, no index can tell. */
const SEARCHED = 500_000;

export interface NamesOf {
  /** Only names of this account; their order then is by expiry. */
  owner: string | null;
  /** Only names that are active at the current height. */
  active: boolean;
  /** The other way round. */
  reverse: boolean;
}

/** The list that is asked for. */
export function rankingOf({ owner, active, reverse }: NamesOf): Ranking {
  if (owner === null) return { kind: active ? RankKind.activeNames : RankKind.names, id: '', reverse };
  return { kind: active ? RankKind.activeNamesOfOwner : RankKind.namesOfOwner, id: owner, reverse };
}

/** Name records: newest claims first or, of one owner, those that expire last. */
export function names(db: Queryable, of: NamesOf, slice: Slice): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', rankingOf(of), ITEM, slice);
}

/** Active names with a pointer to `id`, by name. */
export function namesPointingTo(db: Queryable, id: string, slice: Slice): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', { kind: RankKind.namesPointingTo, id, reverse: false }, ITEM, slice);
}

export interface FoundRow extends PageRow {
  /** Whether the search ended before the list of names did. */
  exhausted: boolean;
  /** Names the place from which to search on. */
  next: string | null;
}

/**
 * Records of names that contain `text` (small letters), of all times, those that expire last first. No more than
 * `searched` names are looked at, from the beginning or from behind a place on.
 */
export function searchNames(
  db: Queryable,
  text: string,
  { skip, take, behind }: Slice,
  searched = SEARCHED,
): Promise<Answer<FoundRow>> {
  const candidates =
    behind === undefined
      ? `FROM names ${LASTING_FIRST}`
      : `FROM names WHERE expires_at <= $5::bigint AND (expires_at < $5::bigint OR (name, position) > ($6, $7::bigint))
        ${LASTING_FIRST}`;
  return answer<FoundRow>(db, {
    name: `names.search${behind === undefined ? '' : '.behind'}`,
    text: `
      SELECT
        '[' || COALESCE(found.body, '') || ']' AS body,
        found.count,
        NOT found.full AND unsearched.place IS NOT NULL AS exhausted,
        CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.place END AS next
      FROM (
        SELECT
          string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
          max(item.place) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
          count(*) AS count,
          count(*) > $2::bigint AS full
        FROM (
          SELECT picked.number, picked.place, ${RECORD} AS body
          FROM (
            SELECT
              row_number() OVER (${LASTING_FIRST}) AS number, candidate.position,
              ${placeText('expires_at', 'position', 'name')} AS place
            FROM (SELECT expires_at, name, position ${candidates} LIMIT $4::bigint) AS candidate
            WHERE strpos(name, $3) > 0
            ${LASTING_FIRST}
            LIMIT $1::bigint + $2::bigint + 1
          ) AS picked
          JOIN names AS n ON n.position = picked.position
          WHERE picked.number > $1::bigint
        ) AS item
      ) AS found
      LEFT JOIN LATERAL (
        SELECT bound.places[1] AS place
        FROM (
          SELECT array_agg(${placeText('expires_at', 'position', 'name')} ${LASTING_FIRST}) AS places
          FROM (SELECT expires_at, name, position ${candidates} LIMIT 2 OFFSET $4::bigint - 1) AS last
          WHERE NOT found.full
        ) AS bound
        WHERE cardinality(bound.places) = 2
      ) AS unsearched ON true`,
    values: [skip, take, text, searched, ...(behind === undefined ? [] : [behind.key, behind.label, behind.position])],
  });
}

/** `{"name": record}`: the latest record of a name hash. */
export function nameOfHash(db: Queryable, hash: string): Promise<Answer> {
  return answer(db, {
    name: 'names.of_hash',
    text: `
      SELECT '{"name":' || ${RECORD} || '}' AS body
      FROM names AS n
      WHERE n.name_hash = $1
      ORDER BY n.position DESC
      LIMIT 1`,
    values: [hash],
  });
}
