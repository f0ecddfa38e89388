/** Checks identifiers without the server: base58 of some bytes and the first four of their double SHA-256. */
import { sha256 } from '@noble/hashes/sha2.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECK_BYTES = 4;

/** Whether the part of an identifier after its prefix has the right checksum. */
export function hasRightChecksum(base58: string): boolean {
  const bytes = decoded(base58);
  if (bytes === undefined || bytes.length <= CHECK_BYTES) return false;
  const check = sha256(sha256(bytes.subarray(0, -CHECK_BYTES)));
  return bytes.subarray(-CHECK_BYTES).every((byte, i) => byte === check[i]);
}

function decoded(base58: string): Uint8Array | undefined {
  let value = 0n;
  for (const char of base58) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(base58)![0].length;
  const hex = value === 0n ? '' : value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from([
    ...Array<number>(zeros).fill(0),
    ...(even.match(/../g) ?? []).map((pair) => parseInt(pair, 16)),
  ]);
}
