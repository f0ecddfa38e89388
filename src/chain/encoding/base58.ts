/** Base58 with the Bitcoin alphabet. Calculates with numbers that are exact in a double, which is faster than big integers. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 58^5. Its product with a 16-bit word is below 2^53, so it is exact in a double. */
const GROUP = 656356768;
const GROUP_DIGITS = 5;
const WORD = 65536;

const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i += 1) VALUES[ALPHABET.charCodeAt(i)] = i;

const POWERS = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4, GROUP];

const CODES = Buffer.from(ALPHABET);
const ONE = CODES[0]!;
/** The shared buffers are used for inputs up to this size. Longer inputs, which are not identifiers, get their own buffers. */
const SHARED_BYTES = 128;
const sharedBuffers = allocate(SHARED_BYTES);

/** The shared words are used for texts up to this length; even a signature is shorter. */
const SHARED_TEXT_LENGTH = 100;
const sharedWords = new Float64Array(Math.ceil((SHARED_TEXT_LENGTH * 6) / 16) + 1);

/** Buffers for an input of so many bytes. One group encodes more than three bytes. */
function allocate(bytes: number): { groups: Float64Array; text: Buffer } {
  const groups = Math.ceil(bytes / 3);
  return { groups: new Float64Array(groups), text: Buffer.allocUnsafe(bytes + groups * GROUP_DIGITS) };
}

/** Encodes bytes. Each leading zero byte becomes a `1`. */
export function base58Encode(bytes: Uint8Array): string {
  const { groups, text } = bytes.length <= SHARED_BYTES ? sharedBuffers : allocate(bytes.length);
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;

  // Least significant group first.
  let used = 0;
  let at = zeros;
  while (at < bytes.length) {
    const odd = (bytes.length - at) % 2 === 1;
    let carry = odd ? bytes[at]! : bytes[at]! * 256 + bytes[at + 1]!;
    const base = odd ? 256 : WORD;
    at += odd ? 1 : 2;
    for (let i = 0; i < used; i += 1) {
      const value = groups[i]! * base + carry;
      carry = Math.floor(value / GROUP);
      groups[i] = value - carry * GROUP;
    }
    if (carry > 0) {
      groups[used] = carry;
      used += 1;
    }
  }

  const end = zeros + used * GROUP_DIGITS;
  let from = end;
  for (let i = 0; i < used; i += 1) {
    let value = groups[i]! | 0;
    for (let digit = 0; digit < GROUP_DIGITS; digit += 1) {
      const rest = (value / 58) | 0;
      from -= 1;
      text[from] = CODES[value - rest * 58]!;
      value = rest;
    }
  }
  // The first group may have leading zeros.
  while (from < end && text[from] === ONE) from += 1;
  text.fill(ONE, from - zeros, from);
  return text.toString('latin1', from - zeros, end);
}

/** The bytes, or undefined if a character is not in the alphabet. */
export function base58Decode(text: string): Uint8Array | undefined {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49 /* 1 */) zeros += 1;

  // Least significant word first. A digit has less than six bits.
  const words =
    text.length <= SHARED_TEXT_LENGTH ? sharedWords : new Float64Array(Math.ceil((text.length * 6) / 16) + 1);
  let used = 0;
  for (let at = zeros; at < text.length; at += GROUP_DIGITS) {
    const end = Math.min(at + GROUP_DIGITS, text.length);
    let carry = 0;
    for (let i = at; i < end; i += 1) {
      const digit = VALUES[text.charCodeAt(i)] ?? -1;
      if (digit < 0) return undefined;
      carry = carry * 58 + digit;
    }
    const base = POWERS[end - at]!;
    for (let i = 0; i < used; i += 1) {
      const value = words[i]! * base + carry;
      carry = Math.floor(value / WORD);
      words[i] = value - carry * WORD;
    }
    while (carry > 0) {
      const rest = Math.floor(carry / WORD);
      words[used] = carry - rest * WORD;
      used += 1;
      carry = rest;
    }
  }

  const length = used * 2 - (used > 0 && words[used - 1]! < 256 ? 1 : 0);
  const bytes = new Uint8Array(zeros + length);
  for (let i = 0; i < length; i += 1) {
    const word = words[i >> 1]!;
    bytes[bytes.length - 1 - i] = i % 2 === 0 ? word & 255 : word >> 8;
  }
  return bytes;
}
