/** The lists of tokens, which are those of the compatible API: which tokens are listed, and where a table continues. */
import { LAST_POSITION } from '../chain/position.js';
import type { Queryable } from '../store/connection/database.js';
import { positionOf } from '../store/queries/export-transactions.js';
import type { Key } from './compat/cursor.js';
import type { TokensFilter } from './compat/token-lists.js';
import { unknownRow } from './export/lists.js';
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

/** The key after all events of a transaction. */
export async function afterTransaction(
  db: Queryable,
  after: string | null,
  ascending: boolean | undefined,
): Promise<Key | null> {
  if (after === null) return null;
  const position = await positionOf(db, after);
  if (position === null || position > LAST_POSITION) throw unknownRow();
  return [position, ascending === true ? 2n ** 31n - 1n : -1n];
}
