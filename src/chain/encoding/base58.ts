/**
 * Base58 with the Bitcoin alphabet. Every unit of the input adds its value times a power of its base to the units of the result, from a
 * table of these powers, and the carries are moved at the end. All sums are exact in a double.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ZERO_DIGIT = 49; // 1

/** Units of text and of bytes. */
const GROUP_DIGITS = 4;
const GROUP = 58 ** GROUP_DIGITS;
const WORD_BYTES = 3;
const WORD = 2 ** (8 * WORD_BYTES);
/** The tables have so many powers: the sum of 32 products below 58^4 * 2^24, with a carry, is below 2^53. Longer inputs are for big integers. */
const MAX_UNITS = 32;
const MAX_TEXT_LENGTH = MAX_UNITS * GROUP_DIGITS;
const MAX_BYTES = MAX_UNITS * WORD_BYTES;

/** The powers of `base`, each as its digits in units of `unit`, least significant first. */
function powers(base: number, unit: number): Float64Array[] {
  let power = 1n;
  return Array.from({ length: MAX_UNITS }, () => {
    const digits: number[] = [];
    for (let rest = power; rest > 0n; rest /= BigInt(unit)) digits.push(Number(rest % BigInt(unit)));
    power *= BigInt(base);
    return Float64Array.from(digits);
  });
}

const GROUP_POWERS = powers(GROUP, WORD);
const WORD_POWERS = powers(WORD, GROUP);

const CODES = Buffer.from(ALPHABET);
const NO_DIGIT = 255;
const VALUES = new Uint8Array(2 ** 16).fill(NO_DIGIT);
CODES.forEach((code, value) => (VALUES[code] = value));

/** Shared by all calls: the units of the result, least significant first, of which there are at most two more than of the input, and the text. */
const sums = new Float64Array(MAX_UNITS + 2);
const text = Buffer.alloc(2 * MAX_TEXT_LENGTH);

function add(value: number, power: Float64Array): void {
  for (let i = 0; i < power.length; i += 1) sums[i]! += value * power[i]!;
}

/** Leaves in each of the sums a value below `unit`. Returns the number of those up to the last that is not zero. */
function moveCarries(count: number, unit: number): number {
  let carry = 0;
  let used = 0;
  for (let i = 0; i < count; i += 1) {
    const value = sums[i]! + carry;
    carry = Math.floor(value / unit);
    sums[i] = value - carry * unit;
    if (sums[i] !== 0) used = i + 1;
  }
  return used;
}

/** Encodes bytes. Each leading zero byte becomes a `1`. */
export function base58Encode(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) return encodeLong(bytes);
  const zeros = leadingZeros(bytes);
  const words = Math.ceil((bytes.length - zeros) / WORD_BYTES);
  sums.fill(0);
  for (let at = bytes.length, word = 0; word < words; word += 1) {
    let value = bytes[--at]!;
    if (at > zeros) value += bytes[--at]! << 8;
    if (at > zeros) value += bytes[--at]! << 16;
    add(value, WORD_POWERS[word]!);
  }
  const groups = moveCarries(words === 0 ? 0 : WORD_POWERS[words - 1]!.length + 1, GROUP);

  let from = text.length;
  for (let i = 0; i < groups; i += 1) {
    let value = sums[i]! | 0;
    for (let digit = 0; digit < GROUP_DIGITS; digit += 1) {
      const rest = (value / 58) | 0;
      from -= 1;
      text[from] = CODES[value - rest * 58]!;
      value = rest;
    }
  }
  // The first group may have leading zeros.
  while (text[from] === ZERO_DIGIT && from < text.length) from += 1;
  for (let i = 0; i < zeros; i += 1) text[--from] = ZERO_DIGIT;
  return text.toString('latin1', from);
}

/** The bytes, or undefined if a character is not in the alphabet. */
export function base58Decode(encoded: string): Uint8Array | undefined {
  let zeros = 0;
  while (encoded.charCodeAt(zeros) === ZERO_DIGIT) zeros += 1;
  if (encoded.length > MAX_TEXT_LENGTH) return decodeLong(encoded, zeros);

  const groups = Math.ceil((encoded.length - zeros) / GROUP_DIGITS);
  sums.fill(0);
  // A digit is below 64, and what is none sets a higher bit.
  let seen = 0;
  for (let end = encoded.length, group = 0; group < groups; group += 1) {
    const start = Math.max(end - GROUP_DIGITS, zeros);
    let value = 0;
    for (let at = start; at < end; at += 1) {
      const digit = VALUES[encoded.charCodeAt(at)]!;
      seen |= digit;
      value = value * 58 + digit;
    }
    add(value, GROUP_POWERS[group]!);
    end = start;
  }
  if (seen >= 64) return undefined;
  const words = moveCarries(groups === 0 ? 0 : GROUP_POWERS[groups - 1]!.length + 1, WORD);

  const top = words === 0 ? 0 : sums[words - 1]!;
  const unused = words === 0 ? 0 : top < 2 ** 8 ? 2 : top < 2 ** 16 ? 1 : 0;
  const bytes = newBytes(zeros + words * WORD_BYTES - unused);
  bytes.fill(0, 0, zeros);
  for (let i = 0, at = bytes.length; i < words; i += 1) {
    const word = sums[i]!;
    bytes[--at] = word;
    if (at > zeros) bytes[--at] = word >> 8;
    if (at > zeros) bytes[--at] = word >> 16;
  }
  return bytes;
}

/** V8 keeps arrays of up to so many bytes in its heap. A longer one takes 0.8 µs, unless it is a part of the memory that small buffers share. */
export const MAX_HEAP_BYTES = 64;

const newBytes = (length: number): Uint8Array =>
  length <= MAX_HEAP_BYTES ? new Uint8Array(length) : Buffer.allocUnsafe(length);

function leadingZeros(bytes: Uint8Array): number {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  return zeros;
}

/** Digits that a long input gives or takes at a time: their value is exact in a double. */
const LONG_DIGITS = 9;
const LONG_GROUP = BigInt(58 ** LONG_DIGITS);

function encodeLong(bytes: Uint8Array): string {
  let digits = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= LONG_GROUP) {
    let value = Number(rest % LONG_GROUP);
    for (let digit = 0; digit < LONG_DIGITS && (value > 0 || rest >= LONG_GROUP); digit += 1) {
      digits = ALPHABET[value % 58]! + digits;
      value = Math.floor(value / 58);
    }
  }
  return ALPHABET[0]!.repeat(leadingZeros(bytes)) + digits;
}

function decodeLong(encoded: string, zeros: number): Uint8Array | undefined {
  let number = 0n;
  for (let at = zeros; at < encoded.length;) {
    const end = Math.min(at + LONG_DIGITS, encoded.length);
    const scale = BigInt(58 ** (end - at));
    let value = 0;
    for (; at < end; at += 1) {
      const digit = VALUES[encoded.charCodeAt(at)]!;
      if (digit === NO_DIGIT) return undefined;
      value = value * 58 + digit;
    }
    number = number * scale + BigInt(value);
  }
  const hex = number === 0n ? '' : number.toString(16);
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')]);
}
