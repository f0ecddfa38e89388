/**
 * Cursors of the compatible API: the key of the first row of a page, as one short text of letters, digits, `-` and `_`. A cursor also names the
 * list, its filter and its direction by a digest, so that one of another list is refused. It depends on nothing else: every server of every copy
 * makes and reads the same cursors, and a cursor whose row is gone continues at the next row.
 */
import { hash } from 'node:crypto';
import { invalid } from './errors.js';

/** Values by which a list is sorted, the first one counts most. Each row has its own. */
export type Key = readonly (bigint | string)[];

/** Types of the values of a key. */
export type KeyType = readonly ('int' | 'text')[];

const DIGEST_BYTES = 6;
const CHECK_BYTES = 3;
const MAX_CURSOR = 2_000;
const INT64 = 2n ** 63n;
const SEPARATOR = '\0';

const digest = (bytes: Uint8Array | string, length: number): Buffer =>
  hash('sha256', bytes, 'buffer').subarray(0, length);

/** `list`: path, filter and direction in normal form. */
export function encodeCursor(list: string, key: Key): string {
  const text = key.map((value) => (typeof value === 'bigint' ? value.toString(36) : value)).join(SEPARATOR);
  const content = Buffer.concat([digest(list, DIGEST_BYTES), Buffer.from(text)]);
  return Buffer.concat([digest(content, CHECK_BYTES), content]).toString('base64url');
}

/** Throws `invalid_input` for a text that is no cursor, or one of another list. */
export function decodeCursor(list: string, type: KeyType, cursor: string): Key {
  const bytes = cursor.length > MAX_CURSOR ? Buffer.alloc(0) : Buffer.from(cursor, 'base64url');
  const content = bytes.subarray(CHECK_BYTES);
  if (bytes.toString('base64url') !== cursor || !bytes.subarray(0, CHECK_BYTES).equals(digest(content, CHECK_BYTES)))
    throw invalid('cursor', cursor);
  if (!content.subarray(0, DIGEST_BYTES).equals(digest(list, DIGEST_BYTES)))
    throw invalid('cursor', `${cursor} (it is of another list, filter or direction)`);
  const values = content.subarray(DIGEST_BYTES).toString().split(SEPARATOR);
  if (values.length !== type.length) throw invalid('cursor', cursor);
  return values.map((value, i) => (type[i] === 'text' ? value : integer(value, cursor)));
}

function integer(digits: string, cursor: string): bigint {
  if (!/^-?[0-9a-z]{1,13}$/.test(digits)) throw invalid('cursor', cursor);
  const negative = digits.startsWith('-');
  let value = 0n;
  for (const digit of negative ? digits.slice(1) : digits) value = value * 36n + BigInt(parseInt(digit, 36));
  if (value >= INT64) throw invalid('cursor', cursor);
  return negative ? -value : value;
}
