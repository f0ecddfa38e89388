/** Computes the min fee of transactions. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { divideUp, feeGas, relativeTtl } from '../../../src/chain/gas.js';
import { big, innerOf, text } from './members.js';
import type { Rules } from './rules.js';

/** Max gas of an authentication. */
export const MAX_AUTHENTICATION_GAS = 50_000n;

/** Types whose fee depends on the time to live in the rules of the specification, too. */
const TIMED = new Set(['OracleRegisterTx', 'OracleQueryTx', 'OracleRespondTx']);
const PER_GENERATIONS = 1_000n;

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
