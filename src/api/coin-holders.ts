/** The list of accounts by what they have: how parts of it are read, the keys of its rows, and the rows. */
import type { JsonObject } from '../chain/encoding/json.js';
import type { Queryable } from '../store/connection/database.js';
import { coinHolders } from '../store/queries/holders.js';
import type { NumberedHolder } from '../store/queries/holders.js';
import { requireFilled } from './compat/filled.js';
import { numberIn } from './compat/token-keys.js';
import type { KeyList } from './compat/token-lists.js';

/** Throws while a copy of an earlier version is being completed. */
export async function coinHolderList(db: Queryable, by: 'balance' | 'account'): Promise<KeyList<NumberedHolder>> {
  await requireFilled(db, ['holders']);
  return {
    ascending: by === 'account',
    types: by === 'balance' ? ['text', 'int'] : ['int'],
    key: ({ balance, key }) => (by === 'balance' ? [balance, BigInt(key)] : [BigInt(key)]),
    read: ({ from, ...part }) =>
      coinHolders(db, by, {
        ...part,
        from: from && {
          balance: by === 'balance' ? numberIn(from[0], /^\d{1,200}$/) : '0',
          key: from.at(-1) as bigint,
        },
      }),
  };
}

export const coinHolderRow = ({ account, balance, verified }: NumberedHolder): JsonObject => ({
  account_id: account,
  balance: BigInt(balance),
  verified,
});
