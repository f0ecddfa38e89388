/**
 * Finds the parts of a JSON text by their offsets, so that they can be stored and returned exactly as the node printed them, and counts what
 * is in it. Throws MalformedError where it meets something that is not JSON, but does not find all such places.
 */
import { MalformedError } from '../malformed.js';

/** Half-open range of UTF-16 offsets in a text. */
export interface Span {
  start: number;
  end: number;
}

/** What a walk met outside of strings. */
export interface Tally {
  /** Members of all objects. Those with the same name are all counted. */
  members: number;
  /** Characters of insignificant whitespace. */
  spaces: number;
  /** Numbers of at least so many characters as the shortest integer beyond 2^53 - 1. */
  longNumbers: number;
  /** Numbers with a fraction or an exponent, and -0: programs that read integers with all digits refuse them, or read floats. */
  otherNumbers: number;
}

export const LONG_NUMBER = 16;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const COMMA = 44;
const COLON = 58;
const MINUS = 45;
const POINT = 46;

/** Much more than transactions can be nested, and much less than the stack of recursive code allows. */
const MAX_DEPTH = 1_000;
/** A quote this close is found faster without `indexOf`. */
const NEAR = 16;

const newTally = (): Tally => ({ members: 0, spaces: 0, longNumbers: 0, otherNumbers: 0 });

/** What is in the whole of a well-formed text. */
export function tallyOf(text: string): Tally {
  const tally = newTally();
  skipSpace(text, endOfValue(text, skipSpace(text, 0, tally), tally), tally);
  return tally;
}

/** UTF-8 bytes of a JSON text without insignificant whitespace. */
export const compactBytes = (text: string): number => Buffer.byteLength(text) - tallyOf(text).spaces;

/** Refuses nesting so deep that recursive code would overflow the stack. Nearly all texts are too short to need the check. */
export function checkDepth(text: string): void {
  if (text.length <= 2 * MAX_DEPTH) return;
  const start = skipSpace(text, 0);
  const code = text.charCodeAt(start);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) endOfValue(text, start);
}

/** Exact source text of a member of an object; undefined if there is none. Of several with this name, the last one counts, as in `JSON.parse`. */
export function memberText(objectText: string, key: string): string | undefined {
  const span = memberSpan(objectText, key);
  return span && objectText.slice(span.start, span.end);
}

/** Span of the value of a member of the object that is the whole of `text`. */
export const memberSpan = (text: string, key: string): Span | undefined => objectSpan(text, 0, key).member;

/** Span of an object, the span of one of its members, and what is in the object. */
interface ObjectSpan extends Span {
  member: Span | undefined;
  tally: Tally;
}

/**
 * Spans of the objects in the array `list`, a member of the object that is the whole of `text`, each with the span of its member `key`. Of
 * several arrays with this name, the last one counts.
 */
export function objectSpans(text: string, list: string, key: string): ObjectSpan[] {
  let spans: ObjectSpan[] = [];
  scanObject(text, 0, (keyStart, keyEnd, start) => {
    if (!sameKey(text, keyStart, keyEnd, list)) return endOfValue(text, start);
    spans = [];
    if (text.charCodeAt(start) !== OPEN_ARRAY) return endOfValue(text, start);
    return scanArray(text, start, (from) => {
      const span = objectSpan(text, from, key);
      spans.push(span);
      return span.end;
    });
  });
  return spans;
}

/** Span of the object that starts at offset `from` of `text`. */
export function objectSpan(text: string, from: number, key: string): ObjectSpan {
  let member: Span | undefined;
  const tally = newTally();
  const visit = (keyStart: number, keyEnd: number, start: number): number => {
    const end = endOfValue(text, start, tally);
    if (sameKey(text, keyStart, keyEnd, key)) member = { start, end };
    return end;
  };
  const end = scanObject(text, from, visit, tally);
  return { start: from, end, member, tally };
}

/** Calls `visit` with the offsets of the key and of the value of each member of the object that starts at `from`. It must return the offset after the value. */
export function scanObject(
  text: string,
  from: number,
  visit: (keyStart: number, keyEnd: number, start: number) => number,
  tally = newTally(),
): number {
  let at = skipSpace(text, from, tally);
  expect(text, at, OPEN_OBJECT);
  at = skipSpace(text, at + 1, tally);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const keyStart = at;
    expect(text, at, QUOTE);
    const keyEnd = endOfString(text, at);
    at = skipSpace(text, keyEnd, tally);
    expect(text, at, COLON);
    tally.members += 1;
    at = skipSpace(text, at + 1, tally);
    at = skipSpace(text, visit(keyStart, keyEnd, at), tally);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
    expect(text, at, COMMA);
    at = skipSpace(text, at + 1, tally);
  }
}

/** Exact source texts of the elements of an array, without the space around them. */
export function elementTexts(arrayText: string): string[] {
  const texts: string[] = [];
  scanArray(arrayText, 0, (start) => {
    const end = endOfValue(arrayText, start);
    texts.push(arrayText.slice(start, end));
    return end;
  });
  return texts;
}

/** Calls `visit` with the offset of each element of the array that starts at `from`. It must return the offset after the element. */
function scanArray(text: string, from: number, visit: (start: number) => number): number {
  let at = skipSpace(text, from);
  expect(text, at, OPEN_ARRAY);
  at = skipSpace(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_ARRAY) return at + 1;
  for (;;) {
    at = skipSpace(text, visit(at));
    if (text.charCodeAt(at) === CLOSE_ARRAY) return at + 1;
    expect(text, at, COMMA);
    at = skipSpace(text, at + 1);
  }
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function skipSpace(text: string, from: number, tally?: Tally): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  if (tally !== undefined) tally.spaces += at - from;
  return at;
}

function expect(text: string, at: number, code: number): void {
  if (text.charCodeAt(at) === code) return;
  throw new MalformedError(`not JSON: expected ${String.fromCharCode(code)} at character ${at}`);
}

/** Offset after the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (const far = at + NEAR; at < far; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) break;
  }
  for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes escape each other, not the quote.
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  throw new MalformedError(`not JSON: string at character ${start} does not end`);
}

/** Offset after the value that starts at `start`. */
export function endOfValue(text: string, start: number, tally = newTally()): number {
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new MalformedError(`nested more than ${MAX_DEPTH} deep`);
      at += 1;
    } else if (depth === 0) {
      at = endOfScalar(text, at, tally);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      at += 1;
    } else if (code === COLON) {
      tally.members += 1;
      at += 1;
    } else if (code === COMMA) {
      at += 1;
    } else if (isSpace(code)) {
      tally.spaces += 1;
      at += 1;
    } else {
      at = endOfScalar(text, at, tally);
    }
  } while (depth > 0);
  return at;
}

/** Offset after the number, `true`, `false` or `null` that starts at `start`. */
function endOfScalar(text: string, start: number, tally: Tally): number {
  const first = text.charCodeAt(start);
  const isNumber = isDigit(first) || first === MINUS;
  let isInteger = true;
  let at = start;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || code === MINUS) continue;
    if (!isOfScalar(code)) break;
    isInteger = false;
  }
  if (at === start) throw new MalformedError(`not JSON: no value at character ${start}`);
  if (!isNumber) return at;
  if (at - start >= LONG_NUMBER) tally.longNumbers += 1;
  if (!isInteger || (first === MINUS && text.charCodeAt(start + 1) === 48)) tally.otherNumbers += 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Letters, the decimal point and the sign of an exponent. */
const isOfScalar = (code: number): boolean =>
  (code >= 97 && code <= 122) || code === POINT || code === 43 || code === 69;

/** The name of the member whose quoted key is from `start` to `end`. */
export function keyText(text: string, start: number, end: number): string {
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
