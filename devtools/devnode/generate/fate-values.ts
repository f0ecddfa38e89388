/** Writes values of the FATE machine, as far as simulated tokens need them. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { encodeRlp, minimalBytes } from '../../../src/chain/encoding/rlp.js';

/** Lists and tuples up to this length, and texts up to the other one, have it in their first byte. */
const MAX_SHORT = 15;
const MAX_SHORT_TEXT = 63;
const SMALL_INTEGERS = 64n;

export const UNIT = Uint8Array.of(0x3f);

/** Of an integer that is not negative. */
export const integer = (value: bigint): Uint8Array =>
  value < SMALL_INTEGERS
    ? Uint8Array.of(Number(value) << 1)
    : Buffer.concat([Uint8Array.of(0x6f), encodeRlp(minimalBytes(value - SMALL_INTEGERS))]);

/** Of a text, or of bytes as a text, of at most 63 bytes. */
export function string(text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > MAX_SHORT_TEXT) throw new RangeError(`a text of ${bytes.length} bytes`);
  return Buffer.concat([Uint8Array.of((bytes.length << 2) | 1), bytes]);
}

/** Of an account (`ak_…`). */
export const address = (account: string): Uint8Array =>
  Buffer.concat([Uint8Array.of(0x9f, 0x00), encodeRlp(decodeId(account, 'ak'))]);

export const list = (items: readonly Uint8Array[]): Uint8Array => sequence(0x03, items);

export const tuple = (items: readonly Uint8Array[]): Uint8Array => (items.length === 0 ? UNIT : sequence(0x0b, items));

function sequence(tag: number, items: readonly Uint8Array[]): Uint8Array {
  if (items.length > MAX_SHORT) throw new RangeError(`${items.length} members`);
  return Buffer.concat([Uint8Array.of((items.length << 4) | tag), ...items]);
}

/** In the order of the encoded keys, as in the machine. */
export function map(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Uint8Array {
  const sorted = [...entries].sort(([a], [b]) => Buffer.compare(a, b));
  return Buffer.concat([Uint8Array.of(0x2f), encodeRlp(minimalBytes(sorted.length)), ...sorted.flat()]);
}

/** Of a type whose constructors have so many arguments. */
export const variant = (constructors: readonly number[], which: number, args: readonly Uint8Array[] = []): Uint8Array =>
  Buffer.concat([Uint8Array.of(0xaf), encodeRlp(Uint8Array.from(constructors)), Uint8Array.of(which), tuple(args)]);

export const option = (value: Uint8Array | undefined): Uint8Array =>
  value === undefined ? variant([0, 1], 0) : variant([0, 1], 1, [value]);
