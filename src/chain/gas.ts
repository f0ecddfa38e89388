/** Gas of transactions. See docs/protocol. */
import { isObject } from './encoding/json.js';
import type { JsonObject } from './encoding/json.js';
import { integer } from './facts.js';
import { MalformedError } from './malformed.js';
import { FATE_ABI, FORTUNA, IRIS } from './protocol/versions.js';
import { serializeSigned, serializeTransaction } from './serialize/transactions.js';

const BASE = 15_000n;
const PER_BYTE = 20n;
const STATE_GAS_PER_YEAR = 32_000n;
const GENERATIONS_PER_YEAR = 175_200n;

/** For each type, the member with the time to live for which the fee is paid. */
const PAID_TTL: Readonly<Record<string, string>> = {
  OracleRegisterTx: 'oracle_ttl',
  OracleExtendTx: 'oracle_ttl',
  OracleQueryTx: 'query_ttl',
  OracleRespondTx: 'response_ttl',
};

/** Generations for which a transaction keeps something in the state; 0 for types whose fee does not depend on it. */
export function relativeTtl(tx: JsonObject, height: number): bigint {
  const { type: name } = tx;
  const member = typeof name === 'string' ? PAID_TTL[name] : undefined;
  if (member === undefined) return 0n;
  const { type, value } = objectIn(tx, member);
  const generations = integer(value);
  if (generations === undefined) throw new MalformedError(`${member}: not a time to live`);
  if (type === 'delta') return generations;
  return generations > BigInt(height) ? generations - BigInt(height) : 0n;
}

export const divideUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;

/** Gas of the transaction itself, without the gas of a contract call. Throws MalformedError if it cannot be serialized. */
export function feeGas(tx: JsonObject, height: number, version: number): bigint {
  const size = BigInt(serializeTransaction(tx).length);
  const inner = (): bigint => BigInt(serializeSigned(objectIn(tx, 'tx')).length);
  const bytes = PER_BYTE * size;
  switch (tx['type']) {
    case 'ContractCreateTx':
    case 'GAAttachTx':
      return 5n * BASE + bytes;
    case 'ContractCallTx':
      return (tx['abi_version'] === FATE_ABI ? 12n : 30n) * BASE + bytes;
    case 'GAMetaTx':
      return 5n * BASE + bytes - (version >= IRIS ? PER_BYTE * inner() : 0n);
    case 'PayingForTx':
      return BASE / 5n + bytes - PER_BYTE * inner();
    case 'ChannelForceProgressTx':
      return (version >= FORTUNA ? 30n : 1n) * BASE + bytes;
    default:
      return BASE + bytes + divideUp(STATE_GAS_PER_YEAR * relativeTtl(tx, height), GENERATIONS_PER_YEAR);
  }
}

function objectIn(tx: JsonObject, member: string): JsonObject {
  const value = tx[member];
  if (isObject(value)) return value;
  throw new MalformedError(`${member}: not an object`);
}
