/** Computes the min fee of transactions. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { serializeSigned, serializeTransaction } from '../../../src/chain/serialize/transactions.js';
import { big, innerOf, object, text } from './members.js';
import { FATE_ABI, FORTUNA, IRIS } from '../../../src/chain/protocol/versions.js';
import type { Rules } from './rules.js';

const BASE = 15_000n;
const PER_BYTE = 20n;
const STATE_GAS_PER_YEAR = 32_000n;
const GENERATIONS_PER_YEAR = 175_200n;
/** Max gas of an authentication. */
export const MAX_AUTHENTICATION_GAS = 50_000n;

/** For each type, the member with the time to live for which the fee is paid. */
const PAID_TTL: Readonly<Record<string, string>> = {
  OracleRegisterTx: 'oracle_ttl',
  OracleExtendTx: 'oracle_ttl',
  OracleQueryTx: 'query_ttl',
  OracleRespondTx: 'response_ttl',
};

/** Types whose fee depends on the time to live in the rules of the specification, too. */
const TIMED = new Set(['OracleRegisterTx', 'OracleQueryTx', 'OracleRespondTx']);
const PER_GENERATIONS = 1_000n;

function relativeTtl(tx: JsonObject, height: number): bigint {
  const member = PAID_TTL[text(tx, 'type')];
  if (member === undefined) return 0n;
  const ttl = object(tx, member);
  const value = big(ttl, 'value');
  if (text(ttl, 'type') === 'delta') return value;
  return value > BigInt(height) ? value - BigInt(height) : 0n;
}

const divideUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;

/** Gas of the transaction itself, without the gas of a contract call. */
export function feeGas(tx: JsonObject, height: number, version: number): bigint {
  const size = BigInt(serializeTransaction(tx).length);
  const inner = (): bigint => BigInt(serializeSigned(object(tx, 'tx')).length);
  const bytes = PER_BYTE * size;
  switch (text(tx, 'type')) {
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

/** Min fee in aettos. Under the `early` rules: 1, and 1 more for each 1000 generations of an oracle, query or response. */
function minimumFee(tx: JsonObject, height: number, rules: Rules): bigint {
  const version = rules.protocolAt(height);
  if (rules.profile === 'modern') return feeGas(tx, height, version) * rules.minimumGasPrice(version);
  return 1n + (TIMED.has(text(tx, 'type')) ? divideUp(relativeTtl(tx, height), PER_GENERATIONS) : 0n);
}

type FeeFault = 'too_low_fee' | 'too_low_gas_price' | 'too_low_gas_price_for_miner';

/** What is wrong with the fee or gas price of a transaction or its nested ones; undefined if nothing is. */
export function feeFault(tx: JsonObject, height: number, rules: Rules): FeeFault | undefined {
  const fault = faultOfOne(tx, height, rules);
  if (fault !== undefined || tx['tx'] === undefined) return fault;
  return feeFault(innerOf(tx), height, rules);
}

function faultOfOne(tx: JsonObject, height: number, rules: Rules): FeeFault | undefined {
  if (big(tx, 'fee') < minimumFee(tx, height, rules)) return 'too_low_fee';
  if (rules.profile === 'early') return undefined;
  const version = rules.protocolAt(height);
  const price = tx['gas_price'] === undefined ? undefined : big(tx, 'gas_price');
  if (price !== undefined && price < rules.minimumGasPrice(version)) return 'too_low_gas_price';
  const cheap = big(tx, 'fee') < feeGas(tx, height, version) * rules.minerGasPrice;
  return cheap || (price !== undefined && price < rules.minerGasPrice) ? 'too_low_gas_price_for_miner' : undefined;
}
