/** POST /transactions, with the prefixes of the node and without a prefix. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { Json } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import type { Pool } from '../pool/pool.js';
import type { Answer } from '../wire/answer.js';
import { ok, refused } from '../wire/answer.js';
import { parseHash } from '../wire/parameters.js';
import type { HttpRequest } from '../wire/request.js';

/** Max size of a body, bytes. */
export const MAX_BODY_BYTES = 5 << 20;
const UNSUPPORTED: Answer = { status: 415 };

export const TOO_BIG: Answer = validation('', '{"data":"","error":"body_too_big"}');

function validation(parameter: string, info: string): Answer {
  return { status: 400, body: `{"info":${info},"parameter":"${parameter}","reason":"validation_error"}` };
}

/** Whether the content type is JSON. Parameters such as a charset are allowed. */
const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType.trim());

/** Adds the transaction to the pool. Calls `onPosted` if the pool accepts it. */
export function postTransaction(
  { body, contentType }: Pick<HttpRequest, 'body' | 'contentType'>,
  pool: Pool,
  onPosted: () => void,
): Answer {
  if (body.length > 0 && !isJson(contentType)) return UNSUPPORTED;
  const tx = transactionIn(body.toString('utf8'));
  if (typeof tx !== 'string') return tx;
  const signed = parseHash(tx, 'tx');
  if (typeof signed === 'string') return refused(400, 'Invalid api encoding', signed);
  const result = pool.post(decodeId(tx, 'tx'));
  if ('code' in result) {
    const reason = result.code === 'insufficient_funds' ? 'Insufficient balance' : 'Invalid tx';
    return refused(400, reason, result.code);
  }
  onPosted();
  return ok(`{"tx_hash":"${result.id}"}`);
}

function transactionIn(text: string): string | Answer {
  const wrongType = (data: Json, path: string): Answer =>
    validation('body', `{"data":${stringifyExact(data)},"error":"wrong_type","path":[${path}]}`);
  if (text === '') return wrongType('', '');
  let body: Json;
  try {
    body = parseExact(text);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return validation('', `{"data":${JSON.stringify(text)},"error":"invalid_body"}`);
  }
  if (!isObject(body)) return wrongType(body, '');
  const tx = body['tx'];
  if (tx === undefined) return validation('body', '{"data":"tx","error":"missing_required_property","path":[]}');
  return typeof tx === 'string' ? tx : wrongType(tx, '"tx"');
}
