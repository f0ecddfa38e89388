import type { Exchange, Layer } from '../exchange.js';
import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { chooseEncoding, encode, encoder } from './encodings.js';
import type { Encoding } from './encodings.js';
import type { CacheRule } from '../endpoint.js';

/** An answer that can be sent many times. */
export interface Prepared {
  /** Text is sent in one packet with the headers; bytes are not. */
  readonly body: string | Buffer;
  /** Bytes. */
  readonly length: number;
  /** A hash of the body. */
  readonly tag: string;
  readonly encoded: Partial<Record<Encoding, Buffer>>;
}

/** Encoding a smaller body costs more than it saves; bytes. */
export const MIN_ENCODED_BYTES = 1024;

/** Lifetime of an answer that the next block may change, in seconds. */
export const SHORT = 'public, max-age=2';

export function prepare(body: string | Buffer): Prepared {
  const tag = hash('sha256', body, 'base64url').slice(0, 27);
  return { body, length: Buffer.byteLength(body), tag, encoded: {} };
}

/** Adds to own answers what saves work: ETag and 304, `Cache-Control`, compression. */
export function finish(rule: CacheRule): Layer {
  const reuse = rule === 'never' ? 'no-store' : SHORT;
  return async (ctx, next) => {
    await next();
    // Forwarded answers and event streams are not changed.
    if (ctx.respond === false || ctx.headerSent) return;
    const keepable = ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD');
    if (!keepable) {
      if (ctx.response.get('Cache-Control') === undefined) ctx.set('Cache-Control', 'no-store');
      return;
    }
    const body: unknown = ctx.body;
    if (body instanceof Readable) return encodeStream(ctx, body);
    const prepared =
      (ctx.state.prepared as Prepared | undefined) ??
      (typeof body === 'string' || Buffer.isBuffer(body) ? prepare(body) : undefined);
    if (prepared === undefined) return;
    if (ctx.response.get('Cache-Control') === undefined) ctx.set('Cache-Control', reuse);
    await send(ctx, prepared);
  };
}

async function send(ctx: Exchange, { body, length, tag, encoded }: Prepared): Promise<void> {
  const worthwhile = length >= MIN_ENCODED_BYTES;
  if (worthwhile) ctx.vary('Accept-Encoding');
  const encoding = worthwhile ? chooseEncoding(ctx.get('accept-encoding')) : null;
  // Each encoding is a representation of its own, and a strong tag names exactly one.
  const etag = encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`;
  ctx.set('ETag', etag);
  if (matches(ctx.req.headers['if-none-match'] ?? '', etag)) {
    ctx.status = 304;
    return;
  }
  if (encoding === null) {
    ctx.body = body;
  } else {
    ctx.set('Content-Encoding', encoding);
    ctx.body = encoded[encoding] ??= await encode(encoding, Buffer.from(body));
  }
}

function matches(wanted: string, etag: string): boolean {
  if (wanted === '') return false;
  return wanted.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

function encodeStream(ctx: Exchange, body: Readable): void {
  ctx.vary('Accept-Encoding');
  const encoding = chooseEncoding(ctx.get('accept-encoding'));
  if (encoding === null) return;
  ctx.set('Content-Encoding', encoding);
  // A body that breaks off must not look complete: the connection is cut.
  ctx.body = pipeline(body, encoder(encoding), (error) => {
    if (error != null) ctx.res.destroy();
  });
}
