/** Finds which of several nested transactions takes effect. */
import type { Transaction } from './facts.js';
import { integer } from './facts.js';
import { authenticationId } from './protocol/ids.js';
import { isObject, parseExact } from './encoding/json.js';
import { memberText } from './encoding/json-walk.js';
import type { Json, JsonObject } from './encoding/json.js';
import { MalformedError } from './malformed.js';
import type { Distinction, Effective } from './operations.js';
import { transactionType } from './transactions/catalogue.js';
import { nestedTransactions } from './transactions/nested.js';

/**
 * Returns the innermost transaction that takes effect. The transaction inside a GAMetaTx takes effect unless the node's call
 * information reports that authentication failed. The one inside a PayingForTx always takes effect. Throws MalformedError if a
 * wrapped transaction is missing.
 */
export function effectiveOf(transaction: Transaction): Effective {
  const authentications = new Map<string, Uint8Array>();
  let tx = transaction.tx;
  let type = transaction.type;
  let depth = 0;
  let wraps = transactionType(type)?.wraps;
  // The result of a PayingForTx is that of the transaction in it.
  let call = wraps === undefined ? undefined : authenticationCall(transaction.info);
  while (wraps === 'paid' || (wraps === 'authenticated' && isSuccessful(call))) {
    if (wraps === 'authenticated') {
      const account = text(tx, 'ga_id');
      authentications.set(account, authenticationId(account, text(tx, 'auth_data')));
      const inner = call?.['inner_object'];
      call = isObject(inner) && isObject(inner['ga_info']) ? inner['ga_info'] : undefined;
    }
    tx = wrapped(tx);
    type = text(tx, 'type');
    wraps = transactionType(type)?.wraps;
    depth += 1;
  }
  return {
    tx,
    type,
    wrapped: depth > 0,
    distinction: (account) => authentications.get(account) ?? nonce(tx),
    textOf: (member) => memberTextAtDepth(transaction.body, depth, member),
  };
}

/**
 * Whether the transaction, or one that it wraps, is a GAMetaTx: then the call information says whether the inner transaction takes effect. As
 * long as it is not known, the inner transaction counts as authenticated.
 */
export function needsInfo({ tx }: Transaction): boolean {
  for (const { type } of nestedTransactions(tx)) {
    if (typeof type === 'string' && transactionType(type)?.wraps === 'authenticated') return true;
  }
  return false;
}

/** Whether the transaction, or one that it wraps, runs the code of a contract: then the node has call information of it. */
export function runsContract({ tx }: Pick<Transaction, 'tx'>): boolean {
  for (const { type } of nestedTransactions(tx)) {
    if (typeof type === 'string' && transactionType(type)?.runsContract === true) return true;
  }
  return false;
}

/** The result of the call in the call information; that of a call in a GAMetaTx is inside the result of the authentication. */
export function callIn(info: Json | undefined): JsonObject | undefined {
  // A loop, because a node may nest the results as deeply as it likes.
  let at = info;
  while (isObject(at)) {
    const { call_info: call, ga_info: authentication } = at;
    if (isObject(call)) return call;
    at = isObject(authentication) ? authentication['inner_object'] : undefined;
  }
  return undefined;
}

/** `ga_info` of the call information; undefined if it is not known, which counts as success. */
function authenticationCall(info: string | null): JsonObject | undefined {
  if (info === null) return undefined;
  try {
    const value = parseExact(info);
    const call: Json | undefined = isObject(value) ? value['ga_info'] : undefined;
    return isObject(call) ? call : undefined;
  } catch {
    return undefined;
  }
}

const isSuccessful = (call: JsonObject | undefined): boolean =>
  call?.['return_type'] === undefined || call['return_type'] === 'ok';

function wrapped(tx: JsonObject): JsonObject {
  const envelope = tx['tx'];
  const inner = isObject(envelope) ? envelope['tx'] : undefined;
  if (isObject(inner)) return inner;
  throw new MalformedError('tx: wraps no transaction');
}

function nonce(tx: JsonObject): Distinction {
  const value = integer(tx['nonce']);
  if (value !== undefined && value >= 0n && value < 2n ** 256n) return value;
  throw new MalformedError('nonce: not a nonce');
}

function text(tx: JsonObject, member: string): string {
  const value = tx[member];
  if (typeof value === 'string') return value;
  throw new MalformedError(`${member}: not text`);
}

/** Exact text of a member of the transaction that is wrapped `depth` times. */
function memberTextAtDepth(envelope: string, depth: number, member: string): string {
  let source = envelope;
  for (const step of [...Array<string>(1 + 2 * depth).fill('tx'), member]) {
    const next = memberText(source, step);
    if (next === undefined) throw new MalformedError(`${member}: missing`);
    source = next;
  }
  return source;
}
