/** What a token says of itself, from the results of its functions. */
import { decodeId } from '../encoding/encoding.js';
import { stringifyExact } from '../encoding/json.js';
import type { Json } from '../encoding/json.js';
import type { TypedValue } from '../fate/values.js';
import { memberOf, resultOf } from './calls.js';
import type { TokenKind } from './standard.js';

interface TokenMeta {
  /** JSON. */
  text: string;
  name: string;
  symbol: string;
}

/** Of a collection, by the number of words that its contract knows: there was one more before the standard was final. */
const METADATA_TYPES: Readonly<Record<number, readonly string[]>> = {
  3: ['url', 'object_id', 'map'],
  4: ['url', 'ipfs', 'object_id', 'map'],
};

/** From the results (cb_) of `meta_info` and of the function that lists extensions; null if they are something else. */
export function readMeta(kind: TokenKind, metaInfo: string, extensions: string | null): TokenMeta | null {
  const info = resultOf(metaInfo);
  if (info?.type !== 'tuple' || !Array.isArray(info.value)) return null;
  const members = info.value as unknown as TypedValue[];
  const texts = members.flatMap((member) => textIn(member) ?? []);
  if (texts.length !== 2) return null;
  const [name, symbol] = texts as [string, string];
  const rest = kind === 9 ? amounts(members) : collection(members, decodeId(metaInfo, 'cb'));
  if (rest === null) return null;
  return {
    name,
    symbol,
    text: stringifyExact({ name, symbol, ...rest, extensions: extensions === null ? [] : namesOf(extensions) }),
  };
}

function amounts(members: readonly TypedValue[]): Record<string, Json> | null {
  const decimals = members.find(({ type }) => type === 'int')?.value;
  return members.length === 3 && decimals !== undefined ? { decimals } : null;
}

function collection(members: readonly TypedValue[], bytes: Uint8Array): Record<string, Json> | null {
  const [, , base, type] = members;
  if (members.length !== 4 || base?.type !== 'variant' || type?.type !== 'variant') return null;
  const [, url] = base.value as unknown as [number, TypedValue | undefined];
  const [constructor] = type.value as unknown as [number];
  // The last value: how many arguments each word has, as so many bytes with their length before them, the number of the word, no arguments.
  const words = bytes.at(-6) === 0x83 ? 3 : 4;
  return {
    base_url: url === undefined ? null : textOf(url),
    metadata_type: METADATA_TYPES[words]![constructor] ?? 'unknown',
  };
}

/** Bytes that are no text are shown as well as it is possible. */
const textOf = ({ type, value }: TypedValue): string =>
  type === 'bytes' ? Buffer.from(decodeId(value as string, 'ba')).toString('utf8') : (value as string);

/** Undefined if the value is something else. */
const textIn = (value: TypedValue | undefined): string | undefined =>
  value?.type === 'string' || value?.type === 'bytes' ? textOf(value) : undefined;

/** Characters of the metadata of a single token: nobody shows more, and a function may return millions of them. */
const MAX_METADATA = 65_536;

/**
 * The metadata in the result (cb_) of `metadata`, as JSON: a text, or an object of texts. Null if the token has none; undefined if the result is
 * something else.
 */
export function readMetadata(result: string): string | null | undefined {
  const member = memberOf(resultOf(result));
  if (member == null) return member;
  const value = textsOf(contentOf(member));
  const text = value === undefined ? undefined : stringifyExact(value);
  return text === undefined || text.length > MAX_METADATA ? undefined : text;
}

/** A collection whose tokens may have a text or a map says which of both it is. */
function contentOf(value: TypedValue): TypedValue | undefined {
  if (value.type !== 'variant' || !Array.isArray(value.value)) return value;
  const [, content, ...more] = value.value as [number, ...TypedValue[]];
  return more.length === 0 ? content : undefined;
}

/** A text or the texts of a map. */
function textsOf(value: TypedValue | undefined): Json | undefined {
  const text = textIn(value);
  if (text !== undefined) return text;
  if (value?.type !== 'map' || !Array.isArray(value.value)) return undefined;
  const entries = value.value as unknown as { key: TypedValue; val: TypedValue }[];
  const texts = entries.map(({ key, val }) => [textIn(key), textIn(val)] as const);
  return texts.flat().includes(undefined) ? undefined : Object.fromEntries(texts as [string, string][]);
}

function namesOf(list: string): string[] {
  const value = resultOf(list);
  if (value?.type !== 'list' || !Array.isArray(value.value)) return [];
  return (value.value as unknown as TypedValue[])
    .filter(({ type }) => type === 'string')
    .map(({ value: name }) => name as string);
}

/** Characters of a name by which lists are sorted. */
const KEY_LENGTH = 100;

/** The beginning of a name or symbol as lists are sorted by it: in lower case, without the character that PostgreSQL cannot store. */
export const listKey = (text: string): string =>
  [...text.slice(0, 2 * KEY_LENGTH)].slice(0, KEY_LENGTH).join('').toLowerCase().replaceAll('\0', '');
