/**
 * Reads values of the FATE virtual machine. The encoding includes the type of each value, so no contract is needed. Names of records,
 * variants and type aliases are not in it: they are lost when a contract is compiled.
 */
import { encodeId } from '../encoding/encoding.js';
import type { Json } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { byteReader } from './bytes.js';
import type { ByteReader } from './bytes.js';

/**
 * A value as the compiler service prints it (`/decode-calldata/bytecode`):
 *
 * | type | value |
 * |---|---|
 * | `int`, `bits` | integer (bigint when beyond 2^53 - 1) |
 * | `bool` | true or false |
 * | `string` | the text; bytes that are no UTF-8 come as type `bytes` |
 * | `bytes` | `ba_…` |
 * | `address`, `contract`, `oracle`, `oracle_query`, `channel` | the identifier |
 * | `list`, `tuple` | list of typed values; the empty tuple is type `unit`, value `""` |
 * | `map` | list of `{key, val}`, both typed values, in the order of the encoding |
 * | `variant` | number of the constructor, then its arguments as typed values |
 * | `contract_bytearray` | `cb_…` |
 */
export type TypedValue = { type: string; value: Json };

/** Reads one encoded value. Throws MalformedError if the bytes are not exactly one value. */
export function readValue(bytes: Uint8Array): TypedValue {
  const reader = byteReader(bytes);
  const value = next(reader, 0);
  if (!reader.atEnd) throw new MalformedError('bytes after the end of the value');
  return value;
}

/** Passes over the next value. Throws MalformedError if there is none. */
export const skipValue = (reader: ByteReader): void => void next(reader, 0);

/** Reads an integer. */
export const readInteger = (reader: ByteReader): bigint => integer(reader);

/** Reads call data: the identifier of the function, 4 bytes in hexadecimal, and the arguments. */
export function readCallData(bytes: Uint8Array): { functionId: string; arguments: TypedValue[] } {
  const reader = byteReader(bytes);
  if (tupleLength(reader) !== 2) throw new MalformedError('call data is no pair');
  const id = bytesOfString(reader);
  if (id.length !== 4) throw new MalformedError(`call data: function identifier of ${id.length} bytes`);
  const values = sequence(reader, tupleLength(reader), 0);
  if (!reader.atEnd) throw new MalformedError('bytes after the end of the call data');
  return { functionId: Buffer.from(id).toString('hex'), arguments: values };
}

/** Reads a map of strings to strings whose keys are shown in hexadecimal, as in a contract's table of symbols. */
export function readSymbols(bytes: Uint8Array): Map<string, string> {
  const reader = byteReader(bytes);
  if (reader.byte() !== TAG.map) throw new MalformedError('symbols are no map');
  const symbols = new Map<string, string>();
  for (let left = length(reader.rlpInteger()); left > 0; left -= 1) {
    const id = Buffer.from(bytesOfString(reader)).toString('hex');
    symbols.set(id, Buffer.from(bytesOfString(reader)).toString('utf8'));
  }
  return symbols;
}

/** First byte of a value, as the FATE serialization defines it. Lists, tuples and strings also have short forms. */
const TAG = {
  longString: 0x01,
  longTuple: 0x0b,
  longList: 0x1f,
  map: 0x2f,
  unit: 0x3f,
  positiveBits: 0x4f,
  emptyString: 0x5f,
  positive: 0x6f,
  false: 0x7f,
  bytearray: 0x8f,
  object: 0x9f,
  variant: 0xaf,
  negativeBits: 0xcf,
  emptyMap: 0xdf,
  negative: 0xef,
  true: 0xff,
} as const;

const OBJECT_TYPES = [
  ['address', 'ak'],
  ['bytes', 'ba'],
  ['contract', 'ct'],
  ['oracle', 'ok'],
  ['oracle_query', 'oq'],
  ['channel', 'ch'],
] as const;
const BYTES_OBJECT = 1;

/** The sender of a transaction decides how deep values are nested. The limit bounds the stack. */
const MAX_DEPTH = 200;
/** Integers from -63 to 63, and the length of short strings, lists and tuples, are part of the tag. */
const SMALL_INTEGERS = 64n;
const SHORT_STRINGS = 64;
const SHORT_SEQUENCES = 16;

function next(reader: ByteReader, depth: number): TypedValue {
  if (depth > MAX_DEPTH) throw new MalformedError(`values nested deeper than ${MAX_DEPTH}`);
  const tag = reader.peek();
  if ((tag & 1) === 0 || tag === TAG.positive || tag === TAG.negative) return typed('int', exact(integer(reader)));
  if (isString(tag)) return string(bytesOfString(reader));
  if ((tag & 0x0f) === 0x0b || tag === TAG.unit) return tuple(sequence(reader, tupleLength(reader), depth));
  reader.byte();
  if ((tag & 0x0f) === 0x03) return list(sequence(reader, tag >> 4, depth));
  switch (tag) {
    case TAG.longList:
      return list(sequence(reader, length(reader.rlpInteger()) + SHORT_SEQUENCES, depth));
    case TAG.true:
    case TAG.false:
      return typed('bool', tag === TAG.true);
    case TAG.map:
      return map(reader, length(reader.rlpInteger()), depth);
    case TAG.emptyMap:
      return typed('map', []);
    case TAG.positiveBits:
      return typed('bits', exact(reader.rlpInteger()));
    case TAG.negativeBits:
      return typed('bits', exact(-reader.rlpInteger()));
    case TAG.object:
      return object(reader);
    case TAG.variant:
      return variant(reader, depth);
    case TAG.bytearray:
      return typed('contract_bytearray', encodeId('cb', reader.take(length(integer(reader)))));
    default:
      throw new MalformedError(`unknown tag ${tag} of a value`);
  }
}

const typed = (type: string, value: Json): TypedValue => ({ type, value });
const list = (values: TypedValue[]) => typed('list', values);
const tuple = (values: TypedValue[]) => (values.length === 0 ? typed('unit', '') : typed('tuple', values));

function sequence(reader: ByteReader, count: number, depth: number): TypedValue[] {
  const values: TypedValue[] = [];
  while (values.length < count) values.push(next(reader, depth + 1));
  return values;
}

function map(reader: ByteReader, count: number, depth: number): TypedValue {
  const pairs: Json[] = [];
  while (pairs.length < count) {
    const key = next(reader, depth + 1);
    pairs.push({ key, val: next(reader, depth + 1) });
  }
  return typed('map', pairs);
}

function object(reader: ByteReader): TypedValue {
  const kind = reader.byte();
  const [type, prefix] = OBJECT_TYPES[kind] ?? [];
  if (type === undefined) throw new MalformedError(`unknown object ${kind}`);
  const bytes = kind === BYTES_OBJECT ? bytesOfString(reader) : reader.rlpBytes();
  return typed(type, encodeId(prefix, bytes));
}

function variant(reader: ByteReader, depth: number): TypedValue {
  const arities = reader.rlpBytes();
  const constructor = reader.byte();
  const count = tupleLength(reader);
  if (arities[constructor] !== count)
    throw new MalformedError(`variant ${constructor} does not have ${count} arguments`);
  return typed('variant', [constructor, ...sequence(reader, count, depth)]);
}

function integer(reader: ByteReader): bigint {
  const tag = reader.byte();
  if ((tag & 1) === 0) return BigInt((tag & 0x80) === 0 ? tag >> 1 : -((tag & 0x7e) >> 1));
  if (tag === TAG.positive) return reader.rlpInteger() + SMALL_INTEGERS;
  if (tag === TAG.negative) return -(reader.rlpInteger() + SMALL_INTEGERS);
  throw new MalformedError(`tag ${tag} where an integer belongs`);
}

const isString = (tag: number) => (tag & 3) === 1 || tag === TAG.emptyString;

function bytesOfString(reader: ByteReader): Uint8Array {
  const tag = reader.byte();
  if (!isString(tag)) throw new MalformedError(`tag ${tag} where a string belongs`);
  if (tag === TAG.emptyString) return new Uint8Array(0);
  return reader.take(tag === TAG.longString ? length(integer(reader)) + SHORT_STRINGS : tag >> 2);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function string(bytes: Uint8Array): TypedValue {
  try {
    return typed('string', strictUtf8.decode(bytes));
  } catch {
    return typed('bytes', encodeId('ba', bytes));
  }
}

function tupleLength(reader: ByteReader): number {
  const tag = reader.byte();
  if (tag === TAG.unit) return 0;
  if (tag === TAG.longTuple) return length(reader.rlpInteger()) + SHORT_SEQUENCES;
  if ((tag & 0x0f) === 0x0b) return tag >> 4;
  throw new MalformedError(`tag ${tag} where a tuple belongs`);
}

/** Throws for a length of 2^32 or more: no data is that long. */
function length(value: bigint): number {
  if (value < 0n || value > 0xffffffffn) throw new MalformedError(`a length of ${value}`);
  return Number(value);
}

const exact = (value: bigint): bigint | number =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
