import { decodeId } from '../encoding/encoding.js';

/** Entries in each of the two maps; an entry takes about 100 bytes. */
const MAX_CACHED = 10_000;
/** Max length of 32 bytes in base58 with their prefix; longer identifiers seldom come twice. */
const MAX_LENGTH = 55;

/** `decodeId` that remembers accounts, contracts and names: a few of them are in most transactions. Nobody may change the bytes. */
export function createCachedDecode(): (id: string) => Uint8Array {
  let recent = new Map<string, Uint8Array>();
  let older = new Map<string, Uint8Array>();
  return (id) => {
    if (id.length > MAX_LENGTH) return decodeId(id);
    const known = recent.get(id);
    if (known !== undefined) return known;
    const bytes = older.get(id) ?? decodeId(id);
    if (recent.size >= MAX_CACHED) {
      older = recent;
      recent = new Map();
    }
    recent.set(id, bytes);
    return bytes;
  };
}
