import type { Exchange } from './exchange.js';
import { badRequest } from './parse.js';
import { JSON_TYPE, refuse } from './reply.js';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads the body as a JSON object. Returns undefined after it answered 415 or 413 for the type or size. Throws a bad
 * request if the body is not a JSON object.
 */
export async function jsonBody(ctx: Exchange): Promise<Record<string, unknown> | undefined> {
  if (
    ctx.get('content-type').split(';')[0]!.trim() !== JSON_TYPE ||
    !['', 'identity'].includes(ctx.get('content-encoding'))
  ) {
    refuse(ctx, 415, 'The body must be application/json, without content-encoding');
    return undefined;
  }
  const body = await read(ctx);
  if (body === undefined) {
    // The rest of the body is not read, so the connection cannot be reused.
    ctx.set('Connection', 'close');
    refuse(ctx, 413, `The body is larger than ${MAX_BYTES} bytes`);
    return undefined;
  }
  const value = parse(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest('Invalid input: the body must be a JSON object');
}

async function read(ctx: Exchange): Promise<Buffer | undefined> {
  if (Number(ctx.get('content-length')) > MAX_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // By default the iterator would destroy the socket before the refusal is sent.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) return undefined;
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
