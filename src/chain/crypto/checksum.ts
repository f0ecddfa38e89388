/**
 * The checksum at the end of identifiers: the first four bytes of the double SHA-256 (FIPS 180-4). This implementation reuses its arrays.
 * For inputs of the length of identifiers it takes half the time of the general one, which spends that time on calls and allocation.
 * For long inputs the general one is faster.
 */
import { sha256 } from './hashes.js';

const ROUNDS = 64;
const BLOCK = 64;
/** Size of the length field at the end of the last block. */
const LENGTH_BYTES = 8;
const DIGEST_WORDS = 8;
const BLOCK_WORDS = 16;
/** For longer inputs the general implementation is faster, bytes. */
const MAX_FAST_LENGTH = 400;

const words = new Int32Array(ROUNDS);
const state = new Int32Array(DIGEST_WORDS);
const initial = new Int32Array(DIGEST_WORDS);
const constants = new Int32Array(ROUNDS);

/** First 32 bits of the fractional part. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

for (let prime = 2, n = 0; n < ROUNDS; prime += 1) {
  let divisor = 2;
  while (prime % divisor !== 0) divisor += 1;
  if (divisor !== prime) continue;
  if (n < DIGEST_WORDS) initial[n] = fraction(Math.sqrt(prime));
  constants[n] = fraction(Math.cbrt(prime));
  n += 1;
}

/** The four bytes as a signed big-endian integer. */
export function checksum(bytes: Uint8Array): number {
  const { length } = bytes;
  if (length > MAX_FAST_LENGTH) {
    const digest = sha256(sha256(bytes));
    return (digest[0]! << 24) | (digest[1]! << 16) | (digest[2]! << 8) | digest[3]!;
  }
  state.set(initial);
  let at = 0;
  for (; at + BLOCK <= length; at += BLOCK) {
    for (let i = 0, from = at; i < BLOCK_WORDS; i += 1, from += 4)
      words[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
    compress();
  }
  words.fill(0, 0, BLOCK_WORDS);
  const rest = length - at;
  for (let i = 0; i < rest; i += 1) words[i >> 2]! |= bytes[at + i]! << (24 - (i & 3) * 8);
  words[rest >> 2]! |= 0x80 << (24 - (rest & 3) * 8);
  if (rest >= BLOCK - LENGTH_BYTES) {
    compress();
    words.fill(0, 0, BLOCK_WORDS);
  }
  words[BLOCK_WORDS - 1] = length * 8;
  compress();

  words.set(state);
  words.fill(0, DIGEST_WORDS, BLOCK_WORDS);
  words[DIGEST_WORDS] = 0x80 << 24;
  words[BLOCK_WORDS - 1] = DIGEST_WORDS * 32;
  state.set(initial);
  compress();
  return state[0]!;
}

/** Adds the block in the first 16 words to the state. */
function compress(): void {
  for (let i = BLOCK_WORDS; i < ROUNDS; i += 1) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16]! + low + words[i - 7]! + high) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < ROUNDS; i += 1) {
    const sigma1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + sigma1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const sigma0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (sigma0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
