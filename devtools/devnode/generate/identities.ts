/** Keys of the simulated accounts and the identifiers derived from them. */
import { decodeId, encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import type { IdPrefix } from '../../../src/chain/encoding/encoding.js';
import { keyPair } from './signing.js';
import type { KeyPair } from './signing.js';

export interface Account extends KeyPair {
  readonly index: number;
  /** `ak_…` */
  readonly id: string;
}

export interface Identities {
  /** The account with this number. It is created at the first call. */
  account(index: number): Account;
  /** Number of an account that was created before; undefined for other accounts. */
  indexOf(id: string): number | undefined;
  /** Like `encodeId` and `decodeId`, but with a cache, because the same identifiers are used many times. */
  encode(prefix: IdPrefix, bytes: Uint8Array): string;
  decode(id: string): Uint8Array;
}

const MAX_CACHED = 20_000;
/** Prefixes of identifiers in transactions and headers. These are decoded again when they are serialised. */
const CACHED_PREFIXES: ReadonlySet<IdPrefix> = new Set([
  'ak',
  'ct',
  'ok',
  'oq',
  'nm',
  'cm',
  'ch',
  'kh',
  'mh',
  'bs',
  'bx',
  'ba',
  'cb',
  'st',
] as const);
const MAX_CACHED_BYTES = 1000;

export function createIdentities(seed: string): Identities {
  const accounts: Account[] = [];
  const indexes = new Map<string, number>();
  const decoded = new Map<string, Uint8Array>();

  function addToCache(id: string, bytes: Uint8Array): void {
    if (decoded.size >= MAX_CACHED) decoded.clear();
    decoded.set(id, bytes);
  }

  function encode(prefix: IdPrefix, bytes: Uint8Array): string {
    const id = encodeId(prefix, bytes);
    if (CACHED_PREFIXES.has(prefix)) addToCache(id, bytes);
    return id;
  }

  return {
    encode,
    decode(id) {
      const known = decoded.get(id);
      if (known !== undefined) return known;
      const bytes = decodeId(id);
      if (bytes.length <= MAX_CACHED_BYTES) addToCache(id, bytes);
      return bytes;
    },
    account(index) {
      const known = accounts[index];
      if (known !== undefined) return known;
      const pair = keyPair(hash(Buffer.from(`account ${index} of ${seed}`)));
      const made: Account = { ...pair, index, id: encode('ak', pair.publicKey) };
      accounts[index] = made;
      indexes.set(made.id, index);
      return made;
    },
    indexOf: (id) => indexes.get(id),
  };
}
