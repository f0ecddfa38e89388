import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import { page } from './page.js';
import type { PageRow } from './page.js';
import { RankKind, rankedPage } from './ranks.js';
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

/** Records of names that contain `text` (small letters), of all times, those that expire last first. */
export function searchNames(
  db: Queryable,
  text: string,
  slice: Slice,
): Promise<Answer<PageRow & { exhausted: boolean }>> {
  return answer<PageRow & { exhausted: boolean }>(db, {
    name: 'names.search',
    text: `
      SELECT
        found.*,
        -- The search ended before the list of names did.
        found.count <= $2::bigint
        AND EXISTS (SELECT FROM names ${LASTING_FIRST} LIMIT 1 OFFSET ${SEARCHED}) AS exhausted
      FROM (${records(`
        SELECT position
        FROM (SELECT expires_at, name, position FROM names ${LASTING_FIRST} LIMIT ${SEARCHED}) AS candidate
        WHERE strpos(name, $3) > 0
        ${LASTING_FIRST}`)}) AS found`,
    values: [slice.skip, slice.take, text],
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

const records = (positions: string): string =>
  page({ positions, from: 'names AS n', at: 'n.position', item: RECORD, skip: '$1', take: '$2' });
