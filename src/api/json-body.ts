import type { Bodies } from './bodies.js';
import type { Exchange } from './exchange.js';
import { badRequest } from './parse.js';
import { JSON_TYPE, refuse } from './reply.js';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads the body as a JSON object, for `bodyOf`. Returns false after it answered 415 or 413 for the type or size. Throws a bad request
 * if the body is not a JSON object, and as `Bodies`.
 */
export async function readJsonBody(ctx: Exchange, bodies: Bodies): Promise<boolean> {
  if (
    ctx.get('content-type').split(';')[0]!.trim() !== JSON_TYPE ||
    !['', 'identity'].includes(ctx.get('content-encoding'))
  ) {
    refuse(ctx, 415, 'The body must be application/json, without content-encoding');
    return false;
  }
  const body = await bodies.read(ctx, MAX_BYTES);
  if (body === undefined) {
    refuse(ctx, 413, `The body is larger than ${MAX_BYTES} bytes`);
    return false;
  }
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('Invalid input: the body must be a JSON object');
  ctx.state.body = value;
  return true;
}

/** The body that was read. */
export const bodyOf = (ctx: Exchange): Record<string, unknown> => ctx.state.body as Record<string, unknown>;

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('Invalid input: the body is not JSON');
  }
}
