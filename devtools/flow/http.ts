/** Requests with JSON over HTTP, with all digits of numbers. */
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { maskLogins } from '../../src/config/masks.js';
import { MiddlewareError } from '../../src/observe/errors.js';

const REQUEST_MS = 30_000;

export interface Reply {
  status: number;
  body: Json;
}

/** Sends a GET, or a POST if there is a body. Throws `no_answer` if there is no answer or it is not JSON. */
export async function request(url: string, body?: JsonObject): Promise<Reply> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: stringifyExact(body) };
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : parseExact(text) };
  } catch (error) {
    if (error instanceof MalformedError) throw unavailable(url, 'the answer is not JSON', error);
    const { cause } = error as { cause?: unknown };
    throw unavailable(url, (cause instanceof Error ? cause : (error as Error)).message, error);
  }
}

const unavailable = (url: string, why: string, cause: unknown): MiddlewareError =>
  new MiddlewareError('no_answer', `no answer from ${maskLogins(url)}: ${maskLogins(why)}`, { cause });

/** Returns the object of a successful answer. Throws `refused` with the reason in the answer otherwise. */
export async function ask(url: string, body?: JsonObject): Promise<JsonObject> {
  const reply = await request(url, body);
  if (reply.status === 200 && isObject(reply.body)) return reply.body;
  throw new MiddlewareError('refused', `${maskLogins(url)} answered ${reasonOf(reply)}`);
}

/** Status and reason of an error answer, in one line. */
export function reasonOf({ status, body }: Reply): string {
  if (!isObject(body)) return String(status);
  const { reason, error_code, info } = body;
  const code = typeof error_code === 'string' ? ` (${error_code})` : '';
  const more = info === undefined ? '' : ` ${stringifyExact(info)}`;
  return `${status}: ${typeof reason === 'string' ? reason : stringifyExact(body)}${code}${more}`;
}
