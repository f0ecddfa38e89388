import { decodeId } from '../encoding/encoding.js';

/** Max entries in each of the two maps; one entry takes about 100 bytes. */
const MAX_CACHED = 10_000;
/** Max length of 32 bytes in base58 with a prefix. Longer identifiers are seldom decoded twice. */
const MAX_LENGTH = 55;

/**
 * Returns a `decodeId` that caches accounts, contracts and names, because most transactions use a few of them. The bytes are shared: callers
 * must not change them.
 */
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
