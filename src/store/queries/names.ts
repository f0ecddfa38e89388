import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import type { PageRow } from './paging/page.js';
import { placeText, RankKind, rankedPage } from './paging/ranks.js';
import type { Ranking } from './paging/ranks.js';
import { skipOf } from './paging/slice.js';
import type { Page, RankedWalk } from './paging/slice.js';

const RECORD = `
  '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
  '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || n.auction_end_height ||
  ',"owner":"' || n.owner || '","expires_at":' || n.expires_at || ',"pointers":' || COALESCE(n.pointers, 'null') || '}'`;

const ITEM = { from: 'names AS n', at: 'n.position', item: RECORD };

const LASTING_FIRST = 'ORDER BY expires_at DESC, name, position';

/** Records that a search for one or two characters looks at, those that expire last first: the index has threes. */
const SEARCHED = 500_000;

/** Records that any search looks at before it uses the index, at least, and for each row of the page: a text that most names contain is found here. */
const LOOKED_AT = 2_000;
const LOOKED_AT_A_ROW = 20;

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
export function names(db: Queryable, of: NamesOf, slice: Page | RankedWalk): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', rankingOf(of), ITEM, slice);
}

/** Active names with a pointer to `id`, by name. */
export function namesPointingTo(db: Queryable, id: string, slice: Page | RankedWalk): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', { kind: RankKind.namesPointingTo, id, reverse: false }, ITEM, slice);
}

interface FoundRow extends PageRow {
  /** Whether the search ended before the list of names did. */
  exhausted: boolean;
  /** Names the place from which to search on. */
  next: string | null;
}

/**
 * Records of names that contain `text` (small letters), of all times, those that expire last first: the first of them one by one,
 * and if these do not fill the page all by the index. A text too short for that is searched for in `searched` names and no more.
 */
export async function searchNames(
  db: Queryable,
  text: string,
  slice: Page | RankedWalk,
  searched = SEARCHED,
  lookedAt = Math.max(LOOKED_AT, LOOKED_AT_A_ROW * slice.take),
): Promise<Answer<FoundRow>> {
  if ([...text].length < 3) return search(db, text, slice, searched);
  const answered = await search(db, text, slice, lookedAt);
  return answered.row?.exhausted === true ? search(db, text, slice, 'by index') : answered;
}

/** From the beginning or from behind a place on: in so many names, or in those that the index finds. */
function search(
  db: Queryable,
  text: string,
  slice: Page | RankedWalk,
  searched: number | 'by index',
): Promise<Answer<FoundRow>> {
  const behind = slice.by === 'place' ? slice.behind : undefined;
  const place = [4, 5, 6].map((n) => `$${searched === 'by index' ? n : n + 1}`);
  const isBehind = `
    expires_at <= ${place[0]}::bigint AND
    (expires_at < ${place[0]}::bigint OR (name, position) > (${place[1]}, ${place[2]}::bigint))`;
  const inOrder = `FROM names ${behind === undefined ? '' : `WHERE ${isBehind}`} ${LASTING_FIRST}`;
  const [candidates, unsearched] =
    searched === 'by index'
      ? [
          `FROM names WHERE name_grams(name) @> name_grams($3) ${behind === undefined ? '' : `AND ${isBehind}`} OFFSET 0`,
          'SELECT NULL AS place',
        ]
      : [`${inOrder} LIMIT $4::bigint`, unsearchedAfter(inOrder)];
  return answer<FoundRow>(db, {
    name: `names.search${searched === 'by index' ? '.by_index' : ''}${behind === undefined ? '' : '.behind'}`,
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
            FROM (SELECT expires_at, name, position ${candidates}) AS candidate
            WHERE strpos(name, $3) > 0
            ${LASTING_FIRST}
            LIMIT $1::bigint + $2::bigint + 1
          ) AS picked
          JOIN names AS n ON n.position = picked.position
          WHERE picked.number > $1::bigint
        ) AS item
      ) AS found
      LEFT JOIN LATERAL (${unsearched}) AS unsearched ON true`,
    values: [
      ...[skipOf(slice), slice.take, text],
      ...(searched === 'by index' ? [] : [searched]),
      ...(behind === undefined ? [] : [behind.key, behind.label, behind.position]),
    ],
  });
}

/** SELECT of the last place that a search of `$4` names came to, if there are more; not needed when the page is full. */
const unsearchedAfter = (inOrder: string): string => `
  SELECT bound.places[1] AS place
  FROM (
    SELECT array_agg(${placeText('expires_at', 'position', 'name')} ${LASTING_FIRST}) AS places
    FROM (SELECT expires_at, name, position ${inOrder} LIMIT 2 OFFSET $4::bigint - 1) AS last
    WHERE NOT found.full
  ) AS bound
  WHERE cardinality(bound.places) = 2`;

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
