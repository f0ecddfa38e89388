/**
 * JSON without loss of digits. Parts of a text are found by their offsets, so that they can be stored and returned exactly as the node
 * printed them. Values are parsed with all digits of their integers.
 */
import { parse } from 'lossless-json';
import { MalformedError } from '../malformed.js';

export type Json = null | boolean | string | number | bigint | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Half-open range of UTF-16 offsets in a text. */
export interface Span {
  start: number;
  end: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const COMMA = 44;

/** The shortest integer beyond 2^53 - 1 has 16 digits. A text without 16 digits in a row does not need the exact parser. */
const LONG_DIGITS = /\d{16}/;
const LONG = 16;
const INTEGER = /^-?\d+$/;
/** A micro block cannot be larger than 300 kB, because its bytes cost gas. Parsing longer integers takes seconds. */
const MAX_DIGITS = 1_000_000;
/** Much more than transactions can be nested, and much less than the stack allows. */
const MAX_DEPTH = 1_000;

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

/** Exact source text of a member of an object; undefined if there is none. Of several with this name, the last one counts, as in `JSON.parse`. */
export function memberText(objectText: string, key: string): string | undefined {
  const span = memberSpan(objectText, key);
  return span && objectText.slice(span.start, span.end);
}

/** Span of the value of a member in `text`, whose object starts at offset `from`. */
export function memberSpan(text: string, key: string, from = 0): Span | undefined {
  let found: Span | undefined;
  scanObject(text, from, (keyStart, keyEnd, start, end) => {
    if (sameKey(text, keyStart, keyEnd, key)) found = { start, end };
  });
  return found;
}

/** Span of an element of an array, and the span of one of its members. */
interface ElementSpan extends Span {
  member: Span | undefined;
}

/** Spans of the objects in the array that starts at offset `from` of `text`, each with the span of its member `key`. */
export function objectSpans(text: string, key: string, from = 0): ElementSpan[] {
  const spans: ElementSpan[] = [];
  let member: Span | undefined;
  scanArray(text, from, (start) => {
    member = undefined;
    const end = scanObject(text, start, (keyStart, keyEnd, valueStart, valueEnd) => {
      if (sameKey(text, keyStart, keyEnd, key)) member = { start: valueStart, end: valueEnd };
    });
    spans.push({ start, end, member });
    return end;
  });
  return spans;
}

/**
 * Restores the digits of long integers. `parsed` is what `JSON.parse` returned for the well-formed `text`. Only members that may have lost
 * digits are parsed again.
 */
export function withExactIntegers(text: string, parsed: JsonObject): JsonObject {
  if (!LONG_DIGITS.test(text)) return parsed;
  const exact: JsonObject = { ...parsed };
  let changed = false;
  scanObject(text, 0, (keyStart, keyEnd, start, end) => {
    const value = end - start < LONG || text.charCodeAt(start) === QUOTE ? '' : text.slice(start, end);
    const isLong = LONG_DIGITS.test(value);
    if (!isLong && !changed) return;
    const key = keyText(text, keyStart, keyEnd);
    // If several members have the same name, the last one counts.
    if (isLong) exact[key] = INTEGER.test(value) ? exactNumber(value) : parseExact(value);
    else exact[key] = parsed[key]!;
    changed = true;
  });
  return exact;
}

/** Visits the members of the object that starts at `from`, with the offsets of key and value. Returns the offset after the object. */
function scanObject(
  text: string,
  from: number,
  visit: (keyStart: number, keyEnd: number, start: number, end: number) => void,
): number {
  let at = skipSpace(text, from);
  expect(text, at, OPEN_OBJECT);
  at = skipSpace(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const keyStart = at;
    expect(text, at, QUOTE);
    const keyEnd = endOfString(text, at);
    at = skipSpace(text, keyEnd);
    expect(text, at, 58 /* : */);
    const start = skipSpace(text, at + 1);
    const end = endOfValue(text, start);
    visit(keyStart, keyEnd, start, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
    expect(text, at, COMMA);
    at = skipSpace(text, at + 1);
  }
}

/** Exact source texts of the elements of an array, without the space around them. */
export function elementTexts(arrayText: string): string[] {
  return elementSpans(arrayText).map(({ start, end }) => arrayText.slice(start, end));
}

/** Spans of the elements of the array that starts at offset `from` of `text`. */
function elementSpans(text: string, from = 0): Span[] {
  const spans: Span[] = [];
  scanArray(text, from, (start) => {
    const end = endOfValue(text, start);
    spans.push({ start, end });
    return end;
  });
  return spans;
}

/** Calls `visit` with the start offset of each element of an array. `visit` must return the offset after the element. */
function scanArray(text: string, from: number, visit: (start: number) => number): void {
  let at = skipSpace(text, from);
  expect(text, at, OPEN_ARRAY);
  at = skipSpace(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_ARRAY) return;
  for (;;) {
    at = skipSpace(text, visit(at));
    if (text.charCodeAt(at) === CLOSE_ARRAY) return;
    expect(text, at, COMMA);
    at = skipSpace(text, at + 1);
  }
}

/** Number of members of all objects in a well-formed text. Members with the same name are all counted. */
export function countKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = skipSpace(text, endOfString(text, at));
    if (text.charCodeAt(at) === 58 /* : */) count += 1;
  }
  return count;
}

/** UTF-8 bytes of a JSON text without insignificant whitespace. */
export function compactBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (!/[ \t\n\r]/.test(text)) return bytes;
  let space = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else {
      if (isSpace(code)) space += 1;
      at += 1;
    }
  }
  return bytes - space;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function expect(text: string, at: number, code: number): void {
  if (text.charCodeAt(at) === code) return;
  throw new MalformedError(`not JSON: expected ${String.fromCharCode(code)} at character ${at}`);
}

/** Offset after the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) throw new MalformedError(`not JSON: string at character ${start} does not end`);
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes escape each other, not the quote.
    if ((quote - before) % 2 === 1) return quote + 1;
  }
}

/** Offset after the value that starts at `start`. */
function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return endOfNested(text, start);
  let at = start;
  while (at < text.length && isScalar(text.charCodeAt(at))) at += 1;
  if (at === start) throw new MalformedError(`not JSON: no value at character ${start}`);
  return at;
}

/** Characters of numbers, `true`, `false` and `null`: letters, digits, sign and decimal point. */
const isScalar = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code === 45 || code === 46 || code === 43 || code === 69;

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new MalformedError(`nested more than ${MAX_DEPTH} deep`);
    }
    if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new MalformedError(`not JSON: value at character ${start} does not end`);
}

/** Refuses nesting so deep that recursive code would overflow the stack. Nearly all texts are too short to need the check. */
function checkDepth(text: string): void {
  if (text.length <= 2 * MAX_DEPTH) return;
  const start = skipSpace(text, 0);
  if (text.charCodeAt(start) === OPEN_OBJECT || text.charCodeAt(start) === OPEN_ARRAY) endOfNested(text, start);
}

/** The name of the member whose quoted key is from `start` to `end`. */
function keyText(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : name;
}

function sameKey(text: string, start: number, end: number, key: string): boolean {
  // A key may contain escapes.
  for (let at = start + 1; at < end - 1; at++) {
    if (text.charCodeAt(at) === BACKSLASH) return JSON.parse(text.slice(start, end)) === key;
  }
  return end - start - 2 === key.length && text.startsWith(key, start + 1);
}
