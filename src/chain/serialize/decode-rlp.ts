import { MalformedError } from '../malformed.js';
import type { RlpItem } from './rlp.js';

const STRING = 0x80;
const LIST = 0xc0;
const SHORT = 55;
/** Nested deeper than any transaction. */
const MAX_DEPTH = 64;

/** The item whose encoding is exactly these bytes. Throws MalformedError for anything but the one shortest encoding. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = read(bytes, 0, bytes.length, 0);
  if (end !== bytes.length) throw new MalformedError('binary: bytes after the end');
  return item;
}

function read(bytes: Uint8Array, at: number, limit: number, depth: number): { item: RlpItem; end: number } {
  if (at >= limit || depth > MAX_DEPTH) throw new MalformedError('binary: cut short');
  const first = bytes[at]!;
  if (first < STRING) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= LIST;
  const { from, end } = extent(bytes, at, isList ? LIST : STRING, limit);
  if (!isList) {
    if (end - from === 1 && bytes[from]! < STRING) throw new MalformedError('binary: not the shortest form');
    return { item: bytes.subarray(from, end), end };
  }
  const items: RlpItem[] = [];
  for (let next = from; next < end;) {
    const element = read(bytes, next, end, depth + 1);
    items.push(element.item);
    next = element.end;
  }
  return { item: items, end };
}

/** Where the payload of a string or list lies. */
function extent(bytes: Uint8Array, at: number, base: number, limit: number): { from: number; end: number } {
  const short = bytes[at]! - base;
  let from = at + 1;
  let length = short;
  if (short > SHORT) {
    const count = short - SHORT;
    from += count;
    if (count > 4 || from > limit) throw new MalformedError('binary: cut short');
    length = 0;
    for (let i = at + 1; i < from; i += 1) length = length * 256 + bytes[i]!;
    if (length <= SHORT || bytes[at + 1] === 0) throw new MalformedError('binary: not the shortest form');
  }
  if (from + length > limit) throw new MalformedError('binary: cut short');
  return { from, end: from + length };
}
