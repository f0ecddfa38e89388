import { MalformedError } from '../malformed.js';
import type { RlpItem } from '../encoding/rlp.js';

const STRING = 0x80;
const LIST = 0xc0;
const MAX_SHORT_LENGTH = 55;
/** Deeper than any transaction is nested. */
const MAX_DEPTH = 64;

/** Where the payload of an item is. */
interface RlpExtent {
  isList: boolean;
  from: number;
  end: number;
}

/** Decodes the bytes as one item. Throws MalformedError unless they are its shortest encoding. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = read(bytes, 0, bytes.length, 0);
  if (end !== bytes.length) throw new MalformedError('binary: bytes after the end');
  return item;
}

/**
 * Returns where the payload of the item at `at` is. Accepts lengths that are encoded longer than needed, because the node accepts them in call
 * data. Throws MalformedError if the item ends after `limit`.
 */
export function rlpExtent(bytes: Uint8Array, at: number, limit = bytes.length): RlpExtent {
  if (at >= limit) throw cutShort();
  const first = bytes[at]!;
  if (first < STRING) return { isList: false, from: at, end: at + 1 };
  const isList = first >= LIST;
  let length = first - (isList ? LIST : STRING);
  let from = at + 1;
  if (length > MAX_SHORT_LENGTH) {
    const count = length - MAX_SHORT_LENGTH;
    from += count;
    if (count > 4 || from > limit) throw cutShort();
    length = 0;
    for (let i = at + 1; i < from; i += 1) length = length * 256 + bytes[i]!;
  }
  if (from + length > limit) throw cutShort();
  return { isList, from, end: from + length };
}

function read(bytes: Uint8Array, at: number, limit: number, depth: number): { item: RlpItem; end: number } {
  if (depth > MAX_DEPTH) throw cutShort();
  const { isList, from, end } = rlpExtent(bytes, at, limit);
  if (!isShortest(bytes, at, isList, from, end)) throw new MalformedError('binary: not the shortest form');
  if (!isList) return { item: bytes.subarray(from, end), end };
  const items: RlpItem[] = [];
  for (let next = from; next < end;) {
    const element = read(bytes, next, end, depth + 1);
    items.push(element.item);
    next = element.end;
  }
  return { item: items, end };
}

function isShortest(bytes: Uint8Array, at: number, isList: boolean, from: number, end: number): boolean {
  if (from === at) return true;
  if (from > at + 1) return end - from > MAX_SHORT_LENGTH && bytes[at + 1] !== 0;
  return isList || end - from !== 1 || bytes[from]! >= STRING;
}

const cutShort = (): MalformedError => new MalformedError('binary: cut short');
