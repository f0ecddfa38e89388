/**
 * The coins that key blocks of a network that is not built in give to accounts. Its nodes have them in files, one of the genesis block, `{"ak_…": amount, …}`, and
 * perhaps others of hard forks, in the same form. Here they are one file, in which those of a hard fork are below its protocol version:
 * `{"ak_…": amount, …, "5": {"ak_…": amount, …}}`.
 */
import { isId } from '../encoding/encoding.js';
import { exactInteger, isObject, parseExact, stringifyExact } from '../encoding/json.js';
import type { Json } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import type { Movement } from './movement.js';

/** Amounts by account, `ak_…`. */
type Amounts = ReadonlyMap<string, bigint>;

export interface GenesisAccounts {
  /** Of the genesis block. */
  genesis: Amounts;
  /** Of the first key blocks of later protocol versions, by version. */
  forks: ReadonlyMap<number, Amounts>;
}

const VERSION = /^[1-9]\d{0,8}$/;

/** Throws MalformedError. */
export function readGenesisAccounts(text: string): GenesisAccounts {
  // Editors on Windows begin a file with a byte order mark.
  const value = parseExact(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new MalformedError('not an object of accounts and amounts, as {"ak_…": 1000}');
  const isFork = ([key]: [string, Json]): boolean => VERSION.test(key);
  const all = Object.entries(value);
  return {
    genesis: amountsOf(all.filter((one) => !isFork(one))),
    forks: new Map(
      all.filter(isFork).map(([version, given]) => {
        if (!isObject(given))
          throw new MalformedError(`version ${version} has no object of accounts and amounts, as {"ak_…": 1000}`);
        return [Number(version), amountsOf(Object.entries(given))];
      }),
    ),
  };
}

const amountsOf = (entries: [string, Json][]): Amounts =>
  new Map(
    entries.map(([id, given]) => {
      if (!isId(id, 'ak')) throw new MalformedError(`${JSON.stringify(id)} is not an account, ak_…`);
      const amount = exactInteger(given);
      if (amount === undefined || amount < 0n)
        throw new MalformedError(`the amount of ${id} is not a whole number of the smallest unit, as 1000`);
      return [id, amount];
    }),
  );

/** Both parts of what `readGenesisAccounts` reads, as JSON. */
export const writeGenesisAccounts = ({ genesis, forks }: GenesisAccounts): { genesis: string; forks: string } => ({
  genesis: stringifyExact(Object.fromEntries(genesis)),
  forks: stringifyExact(
    Object.fromEntries([...forks].map(([version, amounts]) => [version, Object.fromEntries(amounts)])),
  ),
});

/** What a key block gives, in an order that is the same in each copy. Some accounts are created without coins. */
export const genesisMovements = (amounts: Amounts): Movement[] =>
  [...amounts]
    .filter(([, amount]) => amount > 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([account, amount]) => ({ account, kind: 'preset', amount, counterparty: null }));
