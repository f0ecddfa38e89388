/** JSON without loss of digits. */
import { parse } from 'lossless-json';
import { MalformedError } from '../malformed.js';
import { LONG_NUMBER, checkDepth, endOfValue, keyText, scanObject } from './json-walk.js';

export type Json = null | boolean | string | number | bigint | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const QUOTE = 34;

/** The shortest integer beyond 2^53 - 1 has 16 digits. A text without 16 digits in a row does not need the exact parser. */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;
/** A micro block cannot be larger than 300 kB, because its bytes cost gas. Parsing longer integers takes seconds. */
const MAX_DIGITS = 1_000_000;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON. Integers beyond 2^53 - 1 become bigint, all other numbers become number. Throws MalformedError. */
export function parseExact(text: string): Json {
  try {
    checkDepth(text);
    if (!LONG_DIGITS.test(text)) return JSON.parse(text) as Json;
    return parse(text, undefined, { parseNumber: exactNumber, onDuplicateKey: lastWins }) as Json;
  } catch (cause) {
    throw new MalformedError(`not JSON: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Like `parseExact`, but faster: long integers lose digits, and the depth is not limited. Do not traverse the result recursively.
 * Throws MalformedError.
 */
export function parsePlain(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new MalformedError(`not JSON: ${(cause as Error).message}`, { cause });
  }
}

function exactNumber(text: string): number | bigint {
  if (text.length > MAX_DIGITS) throw new MalformedError(`a number of ${text.length} digits`);
  const value = Number(text);
  return Number.isSafeInteger(value) || /[.eE]/.test(text) ? value : BigInt(text);
}

/** A number that was read with all its digits; undefined for anything else, and for a number that lost some. */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

const lastWins = ({ newValue }: { newValue: unknown }): unknown => newValue;

/** Like `JSON.stringify`, but prints bigints with all digits. Throws MalformedError for a value that JSON cannot express. */
export function stringifyExact(value: unknown): string {
  const text = printed(value);
  if (text === undefined) throw new MalformedError(`${typeof value} is no JSON value`);
  return text;
}

function printed(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${Array.from(value, (item) => printed(item) ?? 'null').join(',')}]`;
      return printedObject(value as Printable);
    default:
      return undefined;
  }
}

type Printable = { readonly [key: string]: unknown; readonly toJSON?: () => unknown };

function printedObject(object: Printable): string | undefined {
  if (typeof object.toJSON === 'function') return printed(object.toJSON());
  let text = '{';
  for (const key of Object.keys(object)) {
    const value = printed(object[key]);
    if (value !== undefined) text += `${text.length > 1 ? ',' : ''}${quoted(key)}:${value}`;
  }
  return `${text}}`;
}

/** Characters that must be escaped, or may have to be (surrogates). */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

/**
 * Restores the digits of long integers. `parsed` is what `JSON.parse` returned for the well-formed `text`. Only members that may have lost
 * digits are parsed again.
 */
export function withExactIntegers(text: string, parsed: JsonObject): JsonObject {
  const exact: JsonObject = { ...parsed };
  let changed = false;
  scanObject(text, 0, (keyStart, keyEnd, start) => {
    const end = endOfValue(text, start);
    const value = end - start < LONG_NUMBER || text.charCodeAt(start) === QUOTE ? '' : text.slice(start, end);
    const isLong = LONG_DIGITS.test(value);
    if (!isLong && !changed) return end;
    const key = keyText(text, keyStart, keyEnd);
    // If several members have the same name, the last one counts.
    if (isLong) exact[key] = INTEGER.test(value) ? exactNumber(value) : parseExact(value);
    else exact[key] = parsed[key]!;
    changed = true;
    return end;
  });
  return exact;
}
