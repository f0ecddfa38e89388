/** Hashes computed anew from what the node told. Null where that is not possible: an unknown form, or a member left out. */
import { decodeId, encodeId, hash } from './encoding.js';
import type { JsonObject } from './json.js';
import { MalformedError } from './malformed.js';
import { keyHeaderBytes, microHeaderBytes } from './serialize/headers.js';

/** Later protocols may serialise headers in another way. */
const NEWEST_VERSION = 6;

/** `kh_` of a key block. */
export const keyBlockHash = (block: JsonObject): string | null =>
  attempt(() => (isKnown(block) ? encodeId('kh', hash(keyHeaderBytes(block))) : null));

/** `mh_` of a micro block header. */
export const microBlockHash = (header: JsonObject): string | null =>
  attempt(() =>
    isKnown(header) && header['signature'] !== undefined ? encodeId('mh', hash(microHeaderBytes(header))) : null,
  );

/**
 * `th_` of a signed transaction, from its `encoded_tx` (`tx_`).
 * Reserved for the proof of each transaction at load; until then tests hold the devnode to it.
 */
export const transactionHash = (encodedTx: string): string | null =>
  attempt(() => encodeId('th', hash(decodeId(encodedTx, 'tx'))));

const isKnown = ({ version }: JsonObject): boolean => typeof version === 'number' && version <= NEWEST_VERSION;

function attempt(compute: () => string | null): string | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}
