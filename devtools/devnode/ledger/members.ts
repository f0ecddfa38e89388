/** Reads members of a transaction's JSON by kind. */
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { accountOf, originMember } from '../origin.js';
import { Refusal } from './types.js';

export const text = (tx: JsonObject, member: string): string => tx[member] as string;
/** Counts, heights and other small integers. Throws Refusal for one that is too large. */
export function count(tx: JsonObject, member: string): number {
  const value = Number(tx[member] ?? 0);
  if (!Number.isSafeInteger(value)) throw new Refusal('too_high');
  return value;
}
/** Amounts and nonces. */
export const big = (tx: JsonObject, member: string): bigint => BigInt((tx[member] ?? 0) as number | bigint);
export const object = (tx: JsonObject, member: string): JsonObject => tx[member] as JsonObject;
/** The transaction inside a GAMetaTx or PayingForTx. */
export const innerOf = (tx: JsonObject): JsonObject => object(object(tx, 'tx'), 'tx');

/** An integer as the node prints it: a number if that is exact, otherwise a bigint. */
export const printed = (value: bigint): Json => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

/** `ak_` of the origin of a transaction. */
export const originOf = (tx: JsonObject): string => accountOf(text(tx, originMember(text(tx, 'type'))));
