/** Checks identifiers without the server: base58 of 32 bytes and the first four of their double SHA-256. */
import { sha256 } from '@noble/hashes/sha2.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BYTES = 32;
const CHECK_BYTES = 4;

/** Whether the part of an identifier after its prefix has the right checksum. */
export function hasRightChecksum(base58: string): boolean {
  const bytes = decoded(base58);
  if (bytes?.length !== BYTES + CHECK_BYTES) return false;
  const check = sha256(sha256(bytes.subarray(0, BYTES)));
  return bytes.subarray(BYTES).every((byte, i) => byte === check[i]);
}

/**
 * The part of an identifier with the right checksum that differs by one letter: another one, a missing one, one too many, or two
 * neighbours the other way round. Of the about 6,000 that differ so, one has the right checksum by chance once in 700,000 cases.
 */
export function corrected(base58: string): string | undefined {
  for (let i = 0; i <= base58.length; i++) {
    const [before, letter, after] = [base58.slice(0, i), base58.slice(i, i + 1), base58.slice(i + 1)];
    const near = [before + after, before + after.slice(0, 1) + letter + after.slice(1)];
    for (const other of ALPHABET) near.push(before + other + after, before + other + letter + after);
    const right = near.find(hasRightChecksum);
    if (right !== undefined) return right;
  }
  return undefined;
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
