import { nameHashOf } from '../../chain/protocol/ids.js';
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import { NAME, WITH_NAME_RECORD, sourceMember } from './node-records.js';
import type { PageRow } from './paging/page.js';
import { rankCursorText, RankKind, rankedPage } from './paging/ranks.js';
import type { Ranking } from './paging/ranks.js';
import { skipOf } from './paging/slice.js';
import type { Page, RankedKeysetPage } from './paging/slice.js';

const RECORD = `
  '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
  '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (${NAME.auctionEnd}) ||
  ',"owner":"' || (${NAME.owner}) || '","expires_at":' || (${NAME.expiresAt}) ||
  ',"pointers":' || COALESCE(${NAME.pointers}, 'null') || ${sourceMember(NAME.source)} || '}'`;

const ITEM = { from: `names AS n ${WITH_NAME_RECORD}`, at: 'n.position', item: RECORD };

const LATEST_EXPIRY_FIRST = 'ORDER BY expires_at DESC, name, position';

/** Max records that a search for one or two characters scans in order: the index has groups of three, so it cannot find them. */
const MAX_SCANNED = 500_000;

/**
 * Records that a search scans in order before it uses the index. A common text fills the page within them, which is faster than
 * the index.
 */
const SCANNED_FIRST = 2_000;

/** A text is common if at least one in so many scanned records contains it. The search then scans so many for each row of the page. */
const COMMON_ONE_IN = 20;

export interface NamesOf {
  /** Only names of this account, sorted by expiry; null for all names, sorted by claim. */
  owner: string | null;
  /** Only names that are active at the current height. */
  active: boolean;
  /** In the reverse order. */
  reverse: boolean;
}

/** The ranked list of these names. */
export function rankingOf({ owner, active, reverse }: NamesOf): Ranking {
  if (owner === null) return { kind: active ? RankKind.activeNames : RankKind.names, id: '', reverse };
  return { kind: active ? RankKind.activeNamesOfOwner : RankKind.namesOfOwner, id: owner, reverse };
}

/** Name records: newest claims first; of one owner, those that expire last first. */
export function names(db: Queryable, of: NamesOf, slice: Page | RankedKeysetPage): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', rankingOf(of), ITEM, slice);
}

/** Active names with a pointer to `id`, by name. */
export function namesPointingTo(db: Queryable, id: string, slice: Page | RankedKeysetPage): Promise<Answer<ListRow>> {
  return rankedPage(db, 'names.list', { kind: RankKind.namesPointingTo, id, reverse: false }, ITEM, slice);
}

/** Of the active names that point to an account, so many are looked at, by name. */
const LOOKED_AT = 20;

/**
 * `[{"account", "name"}]`: of each account the first active name, by name, that points to it and that it owns itself; without one the
 * first that points to it. Anybody can point a name at an account, so its own come first. Accounts without a name are left out.
 */
export function nameOfEach(db: Queryable, accounts: readonly string[]): Promise<Answer> {
  return answer(db, {
    name: 'names.of_each',
    text: `
      SELECT '[' || COALESCE(
        string_agg('{"account":"' || found.id || '","name":' || to_json(found.name)::text || '}', ',' ORDER BY found.number), ''
      ) || ']' AS body
      FROM (
        SELECT asked.id, asked.number, one.name
        FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, number)
        CROSS JOIN LATERAL (
          SELECT n.name
          FROM (
            SELECT r.position, r.label
            FROM ranks AS r
            WHERE r.ranking = (SELECT key FROM rankings WHERE kind = ${RankKind.namesPointingTo} AND id = asked.id)
            ORDER BY r.key, r.label, r.position
            LIMIT ${LOOKED_AT}
          ) AS pointing
          JOIN names AS n ON n.position = pointing.position
          ${WITH_NAME_RECORD}
          ORDER BY (${NAME.owner}) <> asked.id, pointing.label
          LIMIT 1
        ) AS one
      ) AS found`,
    values: [accounts],
  });
}

interface FoundRow extends PageRow {
  /** Whether the scan reached its limit before it filled the page or came to the end of the names. */
  exhausted: boolean;
  /** Scanned records that contain the text, with those before the page; at most one more than the page needs. */
  matched: string;
  /** Cursor after which the next search begins; null at the end of the names. */
  next: string | null;
}

/**
 * Records of names that contain `text` (small letters), or that `text` is in another spelling, expired ones too, those that expire last
 * first. It first scans `scanned` names in order, and more of them if the text is common. If these do not fill the page, it searches all
 * names by the index. A text that is too short for the index is searched for in at most `maxScanned` names.
 */
export async function searchNames(
  db: Queryable,
  text: string,
  slice: Page | RankedKeysetPage,
  maxScanned = MAX_SCANNED,
  scanned = SCANNED_FIRST,
): Promise<Answer<FoundRow>> {
  if ([...text].length < 3) return search(db, text, slice, maxScanned);
  const first = await search(db, text, slice, scanned);
  if (first.row?.exhausted !== true) return first;
  const forAll = COMMON_ONE_IN * slice.take;
  if (forAll > scanned && BigInt(first.row.matched) * BigInt(COMMON_ONE_IN) >= scanned) {
    const second = await search(db, text, slice, forAll);
    if (second.row?.exhausted !== true) return second;
  }
  return search(db, text, slice, 'by index');
}

/** The records of the name of which `$4` is the hash. Their positions are read first: most plans read no other column of a record. */
const IS_SPELLED = 'position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))';

/** The characters that are a dot between two parts of a name (UTS 46). */
const DOT = /[.\u3002\uff0e\uff61]/;

/** Searches from the beginning, or after the cursor of the slice: in the first `scanned` names, or in those that the index finds. */
function search(
  db: Queryable,
  text: string,
  slice: Page | RankedKeysetPage,
  scanned: number | 'by index',
): Promise<Answer<FoundRow>> {
  const after = slice.by === 'rank' ? slice.after : undefined;
  const cursor = [5, 6, 7].map((n) => `$${scanned === 'by index' ? n : n + 1}`);
  const isAfter = `
    expires_at <= ${cursor[0]}::bigint AND
    (expires_at < ${cursor[0]}::bigint OR (name, position) > (${cursor[1]}, ${cursor[2]}::bigint))`;
  const inOrder = `FROM names ${after === undefined ? '' : `WHERE ${isAfter}`} ${LATEST_EXPIRY_FIRST}`;
  const [candidates, unsearched] =
    scanned === 'by index'
      ? [
          `FROM names WHERE (name_grams(name) @> name_grams($3) OR ${IS_SPELLED}) ${after === undefined ? '' : `AND ${isAfter}`} OFFSET 0`,
          'SELECT NULL AS cursor',
        ]
      : [`${inOrder} LIMIT $5::bigint`, unsearchedAfter(inOrder)];
  return answer<FoundRow>(db, {
    name: `names.search${scanned === 'by index' ? '.by_index' : ''}${after === undefined ? '' : '.after'}`,
    text: `
      WITH picked AS (
        SELECT
          row_number() OVER (${LATEST_EXPIRY_FIRST}) AS number, candidate.position,
          ${rankCursorText('expires_at', 'position', 'name')} AS cursor
        FROM (SELECT expires_at, name, position ${candidates}) AS candidate
        WHERE strpos(name, $3) > 0 OR ${IS_SPELLED}
        ${LATEST_EXPIRY_FIRST}
        LIMIT $1::bigint + $2::bigint + 1
      )
      SELECT
        '[' || COALESCE(found.body, '') || ']' AS body,
        found.count,
        (SELECT count(*) FROM picked) AS matched,
        NOT found.full AND unsearched.cursor IS NOT NULL AS exhausted,
        CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.cursor END AS next
      FROM (
        SELECT
          string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
          max(item.cursor) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
          count(*) AS count,
          count(*) > $2::bigint AS full
        FROM (
          SELECT picked.number, picked.cursor, ${RECORD} AS body
          FROM picked
          JOIN names AS n ON n.position = picked.position
          ${WITH_NAME_RECORD}
          WHERE picked.number > $1::bigint
        ) AS item
      ) AS found
      LEFT JOIN LATERAL (${unsearched}) AS unsearched ON true`,
    values: [
      ...[skipOf(slice), slice.take, text, nameHashOf(DOT.test(text) ? text : `${text}.chain`)],
      ...(scanned === 'by index' ? [] : [scanned]),
      ...(after === undefined ? [] : [after.key, after.label, after.position]),
    ],
  });
}

/** SELECT of the cursor of the last of the `$5` scanned names, if there are more names; no row when the page is full. */
const unsearchedAfter = (inOrder: string): string => `
  SELECT bound.cursors[1] AS cursor
  FROM (
    SELECT array_agg(${rankCursorText('expires_at', 'position', 'name')} ${LATEST_EXPIRY_FIRST}) AS cursors
    FROM (SELECT expires_at, name, position ${inOrder} LIMIT 2 OFFSET $5::bigint - 1) AS last
    WHERE NOT found.full
  ) AS bound
  WHERE cardinality(bound.cursors) = 2`;

/** `{"name": record}`: the latest record of a name hash. */
export function nameOfHash(db: Queryable, hash: string): Promise<Answer> {
  return answer(db, {
    name: 'names.of_hash',
    text: `
      SELECT '{"name":' || ${RECORD} || '}' AS body
      FROM names AS n ${WITH_NAME_RECORD}
      WHERE n.name_hash = $1
      ORDER BY n.position DESC
      LIMIT 1`,
    values: [hash],
  });
}
