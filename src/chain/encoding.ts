/**
 * Text form of hashes, keys and byte arrays: two letters, underscore, then base58 or base64 of the bytes followed by the
 * first four bytes of their double SHA-256.
 */
import { base58Decode, base58Encode } from './base58.js';
import { blake2b, sha256 } from './hashes.js';
import { MalformedError } from './malformed.js';

/** What each prefix carries: number of bytes, or 'any'. Names are 32 bytes, save in the debug builders: there the text. */
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
const HASH_BYTES = 32;

/** BLAKE2b of the concatenated parts, 32 bytes. */
export const hash: (...parts: readonly Uint8Array[]) => Uint8Array = blake2b;

/** `prefix` (without underscore) and the encoded bytes. */
export function encodeId(prefix: IdPrefix, bytes: Uint8Array): string {
  const checked = Buffer.allocUnsafe(bytes.length + CHECK_BYTES);
  checked.set(bytes);
  checked.set(checksum(bytes), bytes.length);
  const text = prefix in BASE64 ? checked.toString('base64') : base58Encode(checked);
  return `${prefix}_${text}`;
}

/** The bytes of an identifier. Throws MalformedError on an unknown or unexpected prefix, a wrong length or checksum. */
export function decodeId(id: string, prefix?: IdPrefix): Uint8Array {
  const actual = id.slice(0, 2);
  const size = SIZES.get(actual);
  if (size === undefined || id.charCodeAt(2) !== 95 /* _ */ || (prefix !== undefined && prefix !== actual)) {
    throw new MalformedError(`${prefix === undefined ? 'an identifier' : `${prefix}_…`} expected, not ${shown(id)}`);
  }
  const text = id.slice(3);
  const bytes = unchecked(actual in BASE64 ? base64Decode(text) : base58Decode(text));
  // Nodes before 1.0 printed oracle questions and answers in base58.
  const found = bytes ?? (actual === 'ov' || actual === 'or' ? unchecked(base58Decode(text)) : undefined);
  if (found === undefined) throw new MalformedError(`${shown(id)} is mistyped: its checksum does not fit`);
  if (size !== 'any' && found.length !== size) {
    throw new MalformedError(`${shown(id)} has ${found.length} bytes, not ${size}`);
  }
  return found;
}

/** Whether the whole text is an identifier of one of the prefixes (of any known one if none is given), checksum included. */
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

/** Exchanges the prefix: the same key as account `ak_`, oracle `ok_` or contract `ct_`. */
export const withPrefix = (prefix: IdPrefix, id: string): string => `${prefix}_${id.slice(3)}`;

const checksum = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes)).subarray(0, CHECK_BYTES);

function unchecked(checked: Uint8Array | undefined): Uint8Array | undefined {
  if (checked === undefined || checked.length < CHECK_BYTES) return undefined;
  const bytes = checked.subarray(0, checked.length - CHECK_BYTES);
  return checksum(bytes).every((byte, i) => byte === checked[bytes.length + i]) ? bytes : undefined;
}

/** Standard alphabet with padding; anything else, spaces included, is refused. */
function base64Decode(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

const shown = (id: string): string => JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
