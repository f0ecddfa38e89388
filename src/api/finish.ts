import type { Context, Middleware } from 'koa';
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { chooseEncoding, encode, encoder } from './encodings.js';
import type { Encoding } from './encodings.js';
import type { CacheRule } from './endpoint.js';

/** An answer ready to be sent again and again. */
export interface Prepared {
  /** Text goes out in one piece with the headers; bytes would not. */
  readonly body: string | Buffer;
  /** Bytes. */
  readonly length: number;
  /** Made from the body: two bodies never have the same one. */
  readonly tag: string;
  readonly encoded: Partial<Record<Encoding, Buffer>>;
}

/** Below this, encoding saves less than it costs; bytes. */
export const LEAST_ENCODED = 1024;

/** Seconds for which an answer may be kept that the next block may change. */
export const SHORT = 'public, max-age=2';

export function prepare(body: string | Buffer): Prepared {
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, length: Buffer.byteLength(body), tag, encoded: {} };
}

/** Gives own answers what lets clients and caches save work: ETag and 304, how long to keep, encoding. */
export function finish(rule: CacheRule): Middleware {
  const reuse = rule === 'never' ? 'no-store' : SHORT;
  return async (ctx, next) => {
    await next();
    // Forwarded answers and event streams are sent by themselves, as they are.
    if (ctx.respond === false || ctx.headerSent) return;
    const keepable = ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD');
    if (!keepable) {
      if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', 'no-store');
      return;
    }
    const body: unknown = ctx.body;
    if (body instanceof Readable) return encodeStream(ctx, body);
    const prepared =
      (ctx.state.prepared as Prepared | undefined) ??
      (typeof body === 'string' || Buffer.isBuffer(body) ? prepare(body) : undefined);
    if (prepared === undefined) return;
    if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', reuse);
    await send(ctx, prepared);
  };
}

async function send(ctx: Context, { body, length, tag, encoded }: Prepared): Promise<void> {
  const { res } = ctx;
  const worthwhile = length >= LEAST_ENCODED;
  if (worthwhile) ctx.vary('Accept-Encoding');
  const encoding = worthwhile ? chooseEncoding(ctx.get('accept-encoding')) : null;
  // Each encoding is a representation of its own, and a strong tag names exactly one.
  const etag = encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`;
  res.setHeader('ETag', etag);
  if (matches(ctx.req.headers['if-none-match'] ?? '', etag)) {
    ctx.status = 304;
    return;
  }
  const type = ctx.response.get('Content-Type');
  if (encoding === null) {
    ctx.body = body;
  } else {
    res.setHeader('Content-Encoding', encoding);
    ctx.body = encoded[encoding] ??= await encode(encoding, Buffer.from(body));
  }
  res.setHeader('Content-Type', type);
}

function matches(wanted: string, etag: string): boolean {
  if (wanted === '') return false;
  return wanted.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

function encodeStream(ctx: Context, body: Readable): void {
  ctx.vary('Accept-Encoding');
  const encoding = chooseEncoding(ctx.get('accept-encoding'));
  if (encoding === null) return;
  const type = ctx.response.get('Content-Type');
  ctx.set('Content-Encoding', encoding);
  // An end before its time must not pass for the end: the connection is cut.
  ctx.body = pipeline(body, encoder(encoding), (error) => {
    if (error != null) ctx.res.destroy();
  });
  ctx.set('Content-Type', type);
}
