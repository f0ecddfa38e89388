/** Members of a transaction's JSON by kind. */
import type { Json, JsonObject } from '../../chain/json.js';
import { Refusal } from './types.js';

export const text = (tx: JsonObject, member: string): string => tx[member] as string;
/** Counts, heights and other integers that are small by nature. Throws Refusal for one that is not. */
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

/** As the node prints it: a number as long as it is exact. */
export const printed = (value: bigint): Json => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

/** `ak_` of an oracle or a contract. */
export const accountOf = (id: string): string => (id.startsWith('ak_') ? id : `ak_${id.slice(3)}`);

/** Account that pays, as `ak_…`: an oracle pays as its account. */
const ORIGINS: Readonly<Record<string, string>> = {
  SpendTx: 'sender_id',
  OracleRegisterTx: 'account_id',
  OracleExtendTx: 'oracle_id',
  OracleQueryTx: 'sender_id',
  OracleRespondTx: 'oracle_id',
  NamePreclaimTx: 'account_id',
  NameClaimTx: 'account_id',
  NameUpdateTx: 'account_id',
  NameTransferTx: 'account_id',
  NameRevokeTx: 'account_id',
  ContractCreateTx: 'owner_id',
  ContractCallTx: 'caller_id',
  GAAttachTx: 'owner_id',
  GAMetaTx: 'ga_id',
  PayingForTx: 'payer_id',
  ChannelCreateTx: 'initiator_id',
  ChannelWithdrawTx: 'to_id',
};

/** `ak_` of the account whose nonce a transaction uses. */
export const originOf = (tx: JsonObject): string => accountOf(text(tx, ORIGINS[text(tx, 'type')] ?? 'from_id'));
