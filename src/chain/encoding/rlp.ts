/** Recursive Length Prefix (RLP), as in Ethereum: byte strings and nested lists of them. */
export type RlpItem = Uint8Array | readonly RlpItem[];

const STRING = 0x80;
const LIST = 0xc0;
/** The length of payloads up to this size is encoded in the first byte. */
const MAX_SHORT_LENGTH = 55;

export function encodeRlp(item: RlpItem): Uint8Array {
  const out = Buffer.allocUnsafe(encodedLength(item));
  write(item, out, 0);
  return out;
}

const SINGLE_BYTES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

/**
 * Encodes an unsigned integer as big-endian bytes without leading zeros. 0 is one zero byte, unlike in Ethereum. The bytes of small integers
 * are shared: callers must not change them.
 */
export function minimalBytes(value: bigint | number): Uint8Array {
  if (value < 0) throw new RangeError(`${value} is negative`);
  if (value < 256) return SINGLE_BYTES[Number(value)]!;
  if (typeof value === 'number') return bytesOfNumber(value);
  if (value < 2n ** 64n) return bytesOfLong(value);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex');
}

function bytesOfNumber(value: number): Uint8Array {
  let length = 0;
  for (let rest = value; rest >= 1; rest /= 256) length += 1;
  const out = new Uint8Array(length);
  let rest = value;
  for (let at = length - 1; at >= 0; at -= 1) {
    const above = Math.floor(rest / 256);
    out[at] = rest - above * 256;
    rest = above;
  }
  return out;
}

const long = Buffer.alloc(8);

/** Of an integer from 256 to 2^64 - 1. */
function bytesOfLong(value: bigint): Uint8Array {
  long.writeBigUInt64BE(value);
  let zeros = 0;
  while (long[zeros] === 0) zeros += 1;
  const out = new Uint8Array(long.length - zeros);
  for (let at = 0; at < out.length; at += 1) out[at] = long[zeros + at]!;
  return out;
}

const isBytes = (item: RlpItem): item is Uint8Array => item instanceof Uint8Array;

function payloadLength(list: readonly RlpItem[]): number {
  let length = 0;
  for (const item of list) length += encodedLength(item);
  return length;
}

function encodedLength(item: RlpItem): number {
  if (isBytes(item) && item.length === 1 && item[0]! < STRING) return 1;
  const payload = isBytes(item) ? item.length : payloadLength(item);
  return payload + 1 + (payload > MAX_SHORT_LENGTH ? lengthBytes(payload) : 0);
}

function write(item: RlpItem, out: Uint8Array, from: number): number {
  if (isBytes(item)) {
    if (item.length === 1 && item[0]! < STRING) {
      out[from] = item[0]!;
      return from + 1;
    }
    const at = writeLength(item.length, STRING, out, from);
    out.set(item, at);
    return at + item.length;
  }
  let at = writeLength(payloadLength(item), LIST, out, from);
  for (const element of item) at = write(element, out, at);
  return at;
}

function writeLength(length: number, base: number, out: Uint8Array, at: number): number {
  if (length <= MAX_SHORT_LENGTH) {
    out[at] = base + length;
    return at + 1;
  }
  const count = lengthBytes(length);
  out[at] = base + MAX_SHORT_LENGTH + count;
  for (let i = 0; i < count; i += 1) out[at + 1 + i] = (length >>> (8 * (count - 1 - i))) & 255;
  return at + 1 + count;
}

const lengthBytes = (length: number): number =>
  length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4;
