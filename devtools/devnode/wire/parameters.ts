import { decodeId } from '../../../src/chain/encoding/encoding.js';
import type { IdPrefix } from '../../../src/chain/encoding/encoding.js';
import type { Answer } from './answer.js';
import { CRASHED, invalid } from './answer.js';

export type Api = 'v2' | 'v3';

export type Parsed<T> = { value: T } | { answer: Answer };

const MAX_HEIGHT = 2n ** 64n - 1n;

/** Reads a height in a path. `/v2` and `/v3` answer invalid heights differently. */
export function parseHeight(text: string, api: Api): Parsed<number> {
  const answer = heightFault(text);
  if (answer === undefined) return { value: Number(text) };
  return { answer: api === 'v3' ? CRASHED : answer };
}

function heightFault(text: string): Answer | undefined {
  if (!/^-?\d+$/.test(text)) return invalid('height', 'wrong_type', JSON.stringify(text));
  const height = BigInt(text);
  return height >= 0n && height <= MAX_HEIGHT ? undefined : invalid('height', 'not_in_range', String(height));
}

/** Reads the index of a transaction in its micro block, counted from 1. */
export function parseIndex(text: string): Parsed<number> {
  if (!/^-?\d+$/.test(text)) return { answer: invalid('index', 'wrong_type', JSON.stringify(text)) };
  if (BigInt(text) < 1n) return { answer: invalid('index', 'not_in_range', String(BigInt(text))) };
  return { value: Number(text) };
}

/** Bytes of a hash in a path, or the error code of the node. */
export function parseHash(text: string, prefix: IdPrefix): Uint8Array | 'invalid_encoding' | 'invalid_prefix' {
  let bytes: Uint8Array;
  try {
    bytes = decodeId(text);
  } catch {
    return 'invalid_encoding';
  }
  return text.startsWith(`${prefix}_`) ? bytes : 'invalid_prefix';
}
