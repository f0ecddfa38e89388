/**
 * The coins of the genesis block of a network that is not built in. Its nodes have them in a file, which has this form: `{"ak_…": amount, …}`.
 */
import { isId } from '../encoding/encoding.js';
import { exactInteger, isObject, parseExact, stringifyExact } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import type { Movement } from './movement.js';

/** Amounts by account, `ak_…`. */
export type GenesisAccounts = ReadonlyMap<string, bigint>;

/** Throws MalformedError. */
export function readGenesisAccounts(text: string): GenesisAccounts {
  // Editors on Windows begin a file with a byte order mark.
  const value = parseExact(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new MalformedError('not an object of accounts and amounts, as {"ak_…": 1000}');
  return new Map(
    Object.entries(value).map(([id, given]) => {
      if (!isId(id, 'ak')) throw new MalformedError(`${JSON.stringify(id)} is not an account, ak_…`);
      const amount = exactInteger(given);
      if (amount === undefined || amount < 0n)
        throw new MalformedError(`the amount of ${id} is not a whole number of the smallest unit, as 1000`);
      return [id, amount];
    }),
  );
}

/** What `readGenesisAccounts` reads. */
export const writeGenesisAccounts = (accounts: GenesisAccounts): string => stringifyExact(Object.fromEntries(accounts));

/** What the genesis block gives, in an order that is the same in each copy. Some accounts are created without coins. */
export const genesisMovements = (accounts: GenesisAccounts): Movement[] =>
  [...accounts]
    .filter(([, amount]) => amount > 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([account, amount]) => ({ account, kind: 'preset', amount, counterparty: null }));
