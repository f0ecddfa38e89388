/**
 * Text form of hashes, keys and byte arrays: two letters, underscore, then base58 or base64 of the bytes followed by the
 * first four bytes of their double SHA-256.
 */
import { MAX_HEAP_BYTES, base58Decode, base58Encode } from './base58.js';
import { checksum } from '../crypto/checksum.js';
import { blake2b } from '../crypto/hashes.js';
import { MalformedError } from '../malformed.js';

/** Number of bytes for each prefix, or 'any'. A name has 32 bytes, but in the debug builders `nm_` contains the text of the name. */
const BASE58 = {
  ak: 32,
  ct: 32,
  ok: 32,
  oq: 32,
  nm: 'any',
  cm: 32,
  ch: 32,
  kh: 32,
  mh: 32,
  th: 32,
  bs: 32,
  bx: 32,
  bf: 32,
  sg: 64,
  pp: 32,
  sk: 32,
} as const;
const BASE64 = {
  ba: 'any',
  cb: 'any',
  ck: 'any',
  cv: 'any',
  ov: 'any',
  or: 'any',
  tx: 'any',
  st: 32,
  ss: 'any',
  cs: 'any',
  pi: 'any',
} as const;

export type IdPrefix = keyof typeof BASE58 | keyof typeof BASE64;

const SIZES: ReadonlyMap<string, number | 'any'> = new Map([...Object.entries(BASE58), ...Object.entries(BASE64)]);
const CHECK_BYTES = 4;
/**
 * Longer base58 is not decoded: the time for it grows with the square of its length, and a client could keep the server busy with it. A
 * signature has 93 characters. Only oracle queries and responses of early nodes and names of debug builders can be longer.
 */
const MAX_BASE58_LENGTH = 2_000;
const HASH_BYTES = 32;

/** BLAKE2b of the concatenated parts, 32 bytes. */
export const hash: (...parts: readonly Uint8Array[]) => Uint8Array = blake2b;

/** The shared buffer is used for inputs up to this size. */
const SHARED_BYTES = 4096;
const sharedBuffer = Buffer.alloc(SHARED_BYTES + CHECK_BYTES);

/** The identifier with this prefix (given without underscore) and these bytes. */
export function encodeId(prefix: IdPrefix, bytes: Uint8Array): string {
  const end = bytes.length + CHECK_BYTES;
  const checked = bytes.length <= SHARED_BYTES ? sharedBuffer : Buffer.allocUnsafe(end);
  checked.set(bytes);
  checked.writeInt32BE(checksum(bytes), bytes.length);
  return prefix in BASE64
    ? `${prefix}_${checked.toString('base64', 0, end)}`
    : `${prefix}_${base58Encode(checked.subarray(0, end))}`;
}

/** The bytes of an identifier. Throws MalformedError on an unknown or unexpected prefix, a wrong length or checksum. */
export function decodeId(id: string, prefix?: IdPrefix): Uint8Array {
  const actual = id.slice(0, 2);
  const size = SIZES.get(actual);
  if (size === undefined || id.charCodeAt(2) !== 95 /* _ */ || (prefix !== undefined && prefix !== actual)) {
    throw new MalformedError(`${prefix === undefined ? 'an identifier' : `${prefix}_…`} expected, not ${quotedId(id)}`);
  }
  const text = id.slice(3);
  const bytes = withoutChecksum(actual in BASE64 ? base64Decode(text) : shortBase58(text));
  // Nodes before 1.0 printed oracle queries and responses in base58.
  const found = bytes ?? (actual === 'ov' || actual === 'or' ? withoutChecksum(shortBase58(text)) : undefined);
  if (found === undefined) throw new MalformedError(`${quotedId(id)} is mistyped: its checksum is wrong`);
  if (size !== 'any' && found.length !== size) {
    throw new MalformedError(`${quotedId(id)} has ${found.length} bytes, not ${size}`);
  }
  return found;
}

/** Whether the whole text is an identifier with one of the prefixes (any known prefix if none is given) and a correct checksum. */
export function isId(text: string, ...prefixes: IdPrefix[]): boolean {
  if (prefixes.length > 0 && !prefixes.some((prefix) => text.startsWith(prefix) && text.charCodeAt(2) === 95))
    return false;
  try {
    const bytes = decodeId(text);
    return bytes.length === HASH_BYTES || !text.startsWith('nm_');
  } catch {
    return false;
  }
}

/** Replaces the prefix, for example to turn an account `ak_` into the oracle `ok_` with the same key. */
export const withPrefix = (prefix: IdPrefix, id: string): string => `${prefix}_${id.slice(3)}`;

function withoutChecksum(checked: Uint8Array | undefined): Uint8Array | undefined {
  if (checked === undefined || checked.length < CHECK_BYTES) return undefined;
  const end = checked.length - CHECK_BYTES;
  const bytes = checked.subarray(0, end);
  const found = (checked[end]! << 24) | (checked[end + 1]! << 16) | (checked[end + 2]! << 8) | checked[end + 3]!;
  return found === checksum(bytes) ? bytes : undefined;
}

const shortBase58 = (text: string): Uint8Array | undefined =>
  text.length > MAX_BASE58_LENGTH ? undefined : base58Decode(text);

/** Decodes the standard alphabet with padding. Returns undefined for anything else, spaces included. */
function base64Decode(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node.js skips characters that are not in the alphabet. Encoding the bytes again reveals them.
  if (bytes.toString('base64') !== text) return undefined;
  // Small ones may be cached, and must not keep the memory that small buffers share.
  return bytes.length <= MAX_HEAP_BYTES ? new Uint8Array(bytes) : bytes;
}

const quotedId = (id: string): string => JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
