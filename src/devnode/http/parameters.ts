import { decodeId } from '../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import type { Answer } from './answer.js';
import { CRASHED, invalid } from './answer.js';

export type Api = 'v2' | 'v3';

export type Parsed<T> = { value: T } | { answer: Answer };

const MAX_HEIGHT = 2n ** 64n - 1n;

/** A height in a path. The two interfaces refuse bad ones in different ways. */
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

/** Index of a transaction in its micro block, counted from 1. */
export function parseIndex(text: string): Parsed<number> {
  if (!/^-?\d+$/.test(text)) return { answer: invalid('index', 'wrong_type', JSON.stringify(text)) };
  if (BigInt(text) < 1n) return { answer: invalid('index', 'not_in_range', String(BigInt(text))) };
  return { value: Number(text) };
}

/** Bytes of a hash in a path, or the code with which the node names the fault. */
export function parseHash(text: string, prefix: IdPrefix): Uint8Array | 'invalid_encoding' | 'invalid_prefix' {
  let bytes: Uint8Array;
  try {
    bytes = decodeId(text);
  } catch {
    return 'invalid_encoding';
  }
  return text.startsWith(`${prefix}_`) ? bytes : 'invalid_prefix';
}
