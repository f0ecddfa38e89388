/** The lists of tokens, which are those of the compatible API: which tokens are listed, and where a table continues. */
import { isId } from '../chain/encoding/encoding.js';
import { hexOfWord, wordOf } from '../chain/encoding/words.js';
import { listKey } from '../chain/tokens/meta.js';
import type { Queryable } from '../store/connection/database.js';
import { compatToken } from '../store/queries/compat/tokens.js';
import type { Key } from './compat/cursor.js';
import { metaOf } from './compat/render/tokens.js';
import type { KeyList, PlaceColumn, TokensFilter } from './compat/token-lists.js';
import { eventPlace, notOfARow, unknownRow } from './export/lists.js';
import { badRequest } from './parse.js';

export { swapList, swapListOfAccount, swapListOfContract } from './compat/swaps.js';
export {
  allowanceList,
  holderList,
  holdingList,
  ownedList,
  ownerList,
  tokenList,
  transferList,
} from './compat/token-lists.js';

export const filterOf = (kind: 9 | 141, by: TokensFilter['by'], prefix?: string, exact?: string): TokensFilter => {
  if (prefix !== undefined && exact !== undefined) throw badRequest('Invalid input: prefix cannot be used with exact');
  if (by === 'creation' && (prefix ?? exact) !== undefined)
    throw badRequest('Invalid input: by=creation cannot be used with prefix and exact');
  return { kind, by, prefix: prefix ?? null, exact: exact ?? null };
};

const ofAccount = (text: string): string | undefined => (isId(text, 'ak') ? hexOfWord(wordOf(text)) : undefined);

/** How the columns that say places are read; undefined for text that is none of their values. */
const PLACES: Record<PlaceColumn, (text: string) => string | undefined> = {
  account: ofAccount,
  amount: (text) => (/^-?\d{1,200}$/.test(text) ? text : undefined),
  contract: (text) => (isId(text, 'ct') ? text : undefined),
  owner: ofAccount,
  spender: ofAccount,
  token_id: (text) => (/^\d{1,78}$/.test(text) && BigInt(text) >> 256n === 0n ? hexOfWord(text) : undefined),
};

/** The key of a row, from the columns that say its place. The row may have left the list since. */
export function placeAfter({ place = [] }: Pick<KeyList<never>, 'place'>, after: string | null): Key | null {
  if (after === null) return null;
  const texts = after.split(',');
  const key = place.flatMap((column, i) => PLACES[column](texts[i] ?? '') ?? []);
  if (texts.length !== place.length || key.length !== place.length) throw notOfARow(place.join(','));
  return key;
}

/** The same for a list of tokens: its order follows from what the token says. */
export async function tokenAfter(
  db: Queryable,
  { kind, by }: Pick<TokensFilter, 'kind' | 'by'>,
  after: string | null,
): Promise<Key | null> {
  if (after === null) return null;
  if (!isId(after, 'ct')) throw notOfARow('contract');
  const { row } = await compatToken(db, [kind], after);
  if (row === null) throw unknownRow();
  if (by === 'creation') return [BigInt(row.position), after];
  const said = metaOf(row)[by];
  return [typeof said === 'string' ? listKey(said) : '', after];
}

/** The same for a list of events. */
export async function eventAfter(
  db: Queryable,
  after: string | null,
  ascending: boolean | undefined,
): Promise<Key | null> {
  const place = await eventPlace(db, after);
  if (place === null) return null;
  return [place.position, place.index ?? (ascending === true ? 2n ** 31n - 1n : -1n)];
}
