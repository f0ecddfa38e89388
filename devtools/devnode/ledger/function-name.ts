import { decodeId, hash } from '../../../src/chain/encoding/encoding.js';

/** Tag of a short text in FATE: the two low bits are 01, the length is above them. */
const TEXT_TAG = 1;

/** Finds the name of a function by its hash (`0x…`) among the texts in the contract's code (`cb_`). Returns the hash if it is not found. */
export function functionName(functionHash: string, code: string | undefined): string {
  const bytes = Buffer.from(code === undefined ? [] : decodeId(code, 'cb'));
  const wanted = Buffer.from(functionHash.slice(2), 'hex');
  for (let at = 0; at < bytes.length; at += 1) {
    const length = bytes[at]! >> 2;
    if ((bytes[at]! & 3) !== TEXT_TAG || length === 0) continue;
    const name = bytes.subarray(at + 1, at + 1 + length);
    if (wanted.equals(hash(name))) return name.toString('utf8');
  }
  return functionHash;
}
