import { promisify } from 'node:util';
import type { Transform } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The default quality of Brotli would take seconds for a long list. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

const [gzipBytes, brotliBytes] = [promisify(gzip), promisify(brotliCompress)];

export const encode = (encoding: Encoding, bytes: Buffer): Promise<Buffer> =>
  encoding === 'br' ? brotliBytes(bytes, BROTLI) : gzipBytes(bytes, GZIP);

export const encoder = (encoding: Encoding): Transform =>
  encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);

/**
 * The encoding that the client prefers by its header `Accept-Encoding`; Brotli if it prefers none of the two. Null if it
 * accepts neither, or prefers no encoding.
 */
export function chooseEncoding(accepted: string): Encoding | null {
  if (accepted === '') return null;
  const weights = new Map<string, number>();
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const q = parameters
      .map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1])
      .find((one) => one !== undefined);
    weights.set(name.trim().toLowerCase(), q === undefined ? 1 : Number(q));
  }
  const weigh = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const [br, zip] = [weigh('br'), Math.max(weigh('gzip'), weights.get('x-gzip') ?? 0)];
  const best: Encoding = br >= zip ? 'br' : 'gzip';
  const weight = Math.max(br, zip);
  return weight > 0 && weight >= identity ? best : null;
}
