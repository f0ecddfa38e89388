import type { Exchange, Layer } from '../exchange.js';
import { pipeline, Readable } from 'node:stream';
import { chooseEncoding, encode, encoder } from '../encodings.js';
import type { CacheRule } from '../endpoint.js';
import { prepare } from '../prepared.js';
import type { Prepared } from '../prepared.js';

/** Min size of a body that is compressed, bytes: below it, compression costs more than it saves. */
export const MIN_ENCODED_BYTES = 1024;

/** `Cache-Control` of an answer that the next block may change. */
export const SHORT = 'public, max-age=2';

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
    encoded[encoding] ??= encode(encoding, Buffer.from(body)).catch((error: unknown) => {
      delete encoded[encoding];
      throw error;
    });
    ctx.body = await encoded[encoding];
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
