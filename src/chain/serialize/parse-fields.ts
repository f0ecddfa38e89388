/** Reads the fields of a binary transaction one after the other, and returns each as the node prints it. */
import { encodeId } from '../encoding/encoding.js';
import type { IdPrefix } from '../encoding/encoding.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import type { RlpItem } from '../encoding/rlp.js';

export interface FieldReader {
  int(): number | bigint;
  /** An identifier whose first byte is its kind. */
  id(): string;
  ids(): string[];
  /** An identifier with this prefix, from bytes without kind. */
  bytes(prefix: IdPrefix): string;
  raw(): Uint8Array;
  text(): string;
  list(): readonly RlpItem[];
  /** `{ttl}`; empty if it is 0, which the node does not print. */
  ttl(): JsonObject;
  /** Relative or absolute time to live. */
  relative(): JsonObject;
  /** Throws unless all fields were read. */
  end(): void;
}

const PREFIXES: readonly (IdPrefix | undefined)[] = [undefined, 'ak', 'nm', 'cm', 'ok', 'ct', 'ch'];
const ID_BYTES = 33;
/** First byte of the code points from U+D000 to U+DFFF. */
const SURROGATE_LEAD = 0xed;

export function fieldReader(items: readonly RlpItem[]): FieldReader {
  let at = 0;
  function next(): RlpItem {
    const item = items[at];
    if (item === undefined) throw new MalformedError('binary: a field is missing');
    at += 1;
    return item;
  }
  const raw = (): Uint8Array => bytesOf(next());
  const int = (): number | bigint => integerOf(raw());
  return {
    int,
    raw,
    id: () => idOf(raw()),
    ids: () => listOf(next()).map((item) => idOf(bytesOf(item))),
    bytes: (prefix) => encoded(prefix, raw()),
    text: () => textOf(raw()),
    list: () => listOf(next()),
    ttl() {
      const value = int();
      const members: JsonObject = {};
      if (value !== 0) members['ttl'] = value;
      return members;
    },
    relative() {
      const kind = int();
      if (kind !== 0 && kind !== 1) throw new MalformedError('ttl: neither relative nor absolute');
      return { type: kind === 0 ? 'delta' : 'block', value: int() };
    },
    end() {
      if (at !== items.length) throw new MalformedError('binary: too many fields');
    },
  };
}

/** Decodes UTF-8. Three bytes that `textBytes` wrote for a lone surrogate become that surrogate again. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  let from = 0;
  for (let at = buffer.indexOf(SURROGATE_LEAD); at >= 0; at = buffer.indexOf(SURROGATE_LEAD, at + 1)) {
    const [second, third] = [buffer[at + 1] ?? 0, buffer[at + 2] ?? 0];
    if (second < 0xa0 || second > 0xbf || third >> 6 !== 2) continue;
    text += buffer.toString('utf8', from, at) + String.fromCharCode(0xd000 | ((second & 63) << 6) | (third & 63));
    from = at + 3;
  }
  return text + buffer.toString('utf8', from);
}

const isUtf8 = (bytes: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(Buffer.from(bytes).toString('utf8')), bytes) === 0;

/** Whether a node may print the bytes as that text. Bytes that are not UTF-8 become U+FFFD, but programs differ in how many they print. */
export const isTextOf = (text: Json | undefined, bytes: Uint8Array): boolean =>
  typeof text === 'string' && (text === textOf(bytes) || (!isUtf8(bytes) && hasSameReplacements(text, textOf(bytes))));

/** Whether texts are the same but for the lengths of runs of U+FFFD. */
export const hasSameReplacements = (a: string, b: string): boolean => merged(a) === merged(b);

const merged = (text: string): string => text.replace(/\ufffd+/g, '\ufffd');

export function bytesOf(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw new MalformedError('binary: a list where bytes belong');
}

export function listOf(item: RlpItem): readonly RlpItem[] {
  if (item instanceof Uint8Array) throw new MalformedError('binary: bytes where a list belongs');
  return item;
}

/** Big-endian without leading zeros. */
export function integerOf(bytes: Uint8Array): number | bigint {
  if (bytes.length === 0 || (bytes.length > 1 && bytes[0] === 0)) throw new MalformedError('binary: not an integer');
  const value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

export function idOf(bytes: Uint8Array): string {
  const prefix = PREFIXES[bytes[0] ?? 0];
  if (prefix === undefined || bytes.length !== ID_BYTES) throw new MalformedError('binary: not an identifier');
  return encodeId(prefix, bytes.subarray(1));
}

const SIZES: Readonly<Record<string, number>> = { oq: 32, st: 32, sg: 64 };

function encoded(prefix: IdPrefix, bytes: Uint8Array): string {
  const size = SIZES[prefix];
  if (size !== undefined && bytes.length !== size) throw new MalformedError(`${prefix}_: not ${size} bytes`);
  return encodeId(prefix, bytes);
}

/** Sorts members by name, as the node prints them. */
export const sorted = (object: { [key: string]: Json }): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
