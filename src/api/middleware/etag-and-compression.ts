import type { Exchange, Layer } from '../exchange.js';
import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { chooseEncoding, encode, encoder } from './encodings.js';
import type { Encoding } from './encodings.js';
import type { CacheRule } from '../endpoint.js';

/** A body with its ETag and its compressed forms, for an answer that may be sent many times. */
export interface Prepared {
  /** As text if possible: Node.js sends text in one packet with the headers, but not bytes. */
  readonly body: string | Buffer;
  /** Bytes. */
  readonly length: number;
  /** A hash of the body. */
  readonly tag: string;
  /** The compressed forms that were requested so far. */
  readonly encoded: Partial<Record<Encoding, Buffer>>;
}

/** Min size of a body that is compressed, bytes: below it, compression costs more than it saves. */
export const MIN_ENCODED_BYTES = 1024;

/** `Cache-Control` of an answer that the next block may change. */
export const SHORT = 'public, max-age=2';

export function prepare(body: string | Buffer): Prepared {
  const tag = hash('sha256', body, 'base64url').slice(0, 27);
  return { body, length: Buffer.byteLength(body), tag, encoded: {} };
}

/** Adds ETag, `Cache-Control` and compression to an answer, and answers 304 if the client has it already. */
export function etagAndCompression(rule: CacheRule): Layer {
  const cacheControl = rule === 'never' ? 'no-store' : SHORT;
  return async (ctx, next) => {
    await next();
    // Forwarded answers and event streams are not changed.
    if (ctx.respond === false || ctx.headerSent) return;
    const isCacheable = ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD');
    if (!isCacheable) {
      if (ctx.response.get('Cache-Control') === undefined) ctx.set('Cache-Control', 'no-store');
      return;
    }
    const body: unknown = ctx.body;
    if (body instanceof Readable) return encodeStream(ctx, body);
    const prepared =
      (ctx.state.prepared as Prepared | undefined) ??
      (typeof body === 'string' || Buffer.isBuffer(body) ? prepare(body) : undefined);
    if (prepared === undefined) return;
    if (ctx.response.get('Cache-Control') === undefined) ctx.set('Cache-Control', cacheControl);
    await send(ctx, prepared);
  };
}

async function send(ctx: Exchange, { body, length, tag, encoded }: Prepared): Promise<void> {
  const isCompressed = length >= MIN_ENCODED_BYTES;
  if (isCompressed) ctx.vary('Accept-Encoding');
  const encoding = isCompressed ? chooseEncoding(ctx.get('accept-encoding')) : null;
  // A strong tag must be different for each encoding.
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
  // An interrupted body must not look complete, so the connection is closed.
  ctx.body = pipeline(body, encoder(encoding), (error) => {
    if (error != null) ctx.res.destroy();
  });
}
