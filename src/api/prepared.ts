import { hash } from 'node:crypto';
import type { Exchange } from './exchange.js';
import type { Encoding } from './encodings.js';

/** Headers of pages that run no code at all, and load from this server only. */
export const STATIC_PAGE: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

export const HTML = 'text/html; charset=utf-8';

/** A body with its ETag and its compressed forms, for an answer that may be sent many times. */
export interface Prepared {
  /** As text if possible: Node.js sends text in one packet with the headers, but not bytes. */
  readonly body: string | Buffer;
  /** Bytes. */
  readonly length: number;
  /** A hash of the body. */
  readonly tag: string;
  /** The compressed forms that were requested so far. Requests that come together share one compression. */
  readonly encoded: Partial<Record<Encoding, Promise<Buffer>>>;
}

export function prepare(body: string | Buffer): Prepared {
  const tag = hash('sha256', body, 'base64url').slice(0, 27);
  return { body, length: Buffer.byteLength(body), tag, encoded: {} };
}

/**
 * Makes a function that answers with a document. The document is made at the first request, and kept with its ETag and its
 * compressed forms: all requests share these bytes, also those whose clients do not read them.
 */
export function createDocument(
  type: string,
  headers: Readonly<Record<string, string>>,
  make: () => Promise<string | Buffer> | string | Buffer,
): (ctx: Exchange) => Promise<void> {
  let made: Promise<Prepared> | undefined;
  return async (ctx) => {
    made ??= Promise.resolve(make()).then((body) => prepare(Buffer.from(body)));
    try {
      ctx.state.prepared = await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
    ctx.status = 200;
    for (const name in headers) ctx.set(name, headers[name]!);
    ctx.set('Content-Type', type);
    ctx.body = (ctx.state.prepared as Prepared).body;
  };
}
