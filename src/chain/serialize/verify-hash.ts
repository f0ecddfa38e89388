/** Computes hashes again from the node's answers. Returns null if that is not possible: an unknown version, or a missing member. */
import { encodeId, hash } from '../encoding/encoding.js';
import type { JsonObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { NEWEST_VERSION, keyHeaderBytes, microHeaderBytes } from './headers.js';

/** `kh_` of a key block. */
export const keyBlockHash = (block: JsonObject): string | null =>
  nullIfMalformed(() => (isKnown(block) ? encodeId('kh', hash(keyHeaderBytes(block))) : null));

/** `mh_` of a micro block header. */
export const microBlockHash = (header: JsonObject): string | null =>
  nullIfMalformed(() =>
    isKnown(header) && header['signature'] !== undefined ? encodeId('mh', hash(microHeaderBytes(header))) : null,
  );

const isKnown = ({ version }: JsonObject): boolean => typeof version === 'number' && version <= NEWEST_VERSION;

function nullIfMalformed(compute: () => string | null): string | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}
