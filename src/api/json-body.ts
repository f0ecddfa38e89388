import type { Context } from 'koa';
import { badRequest } from './parse.js';
import { refuse } from './reply.js';

const MOST_BYTES = 1024 * 1024;

/** The request's body as a JSON object. Undefined: it was refused by its type or size. Throws a bad request if it is none. */
export async function jsonBody(ctx: Context): Promise<Record<string, unknown> | undefined> {
  if (ctx.request.type !== 'application/json' || !['', 'identity'].includes(ctx.get('content-encoding'))) {
    refuse(ctx, 415, 'The body must be application/json, without content-encoding');
    return undefined;
  }
  const body = await read(ctx);
  if (body === undefined) {
    // What is left of it is not read: the connection is of no use any more.
    ctx.set('Connection', 'close');
    refuse(ctx, 413, `The body is larger than ${MOST_BYTES} bytes`);
    return undefined;
  }
  const value = parse(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest('Invalid input: the body must be a JSON object');
}

async function read(ctx: Context): Promise<Buffer | undefined> {
  if (Number(ctx.get('content-length')) > MOST_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Without this the socket would be cut off before the refusal is told.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('Invalid input: the body is not JSON');
  }
}
