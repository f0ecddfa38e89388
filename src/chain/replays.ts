/** The request of a replay: the transactions of a micro block up to a call, as a node's dry run takes them. */
import { effectiveOf } from './effective.js';
import { encodeId, withPrefix } from './encoding/encoding.js';
import type { JsonObject } from './encoding/json.js';
import { integer } from './facts.js';
import type { Transaction } from './facts.js';
import { feeGas } from './gas.js';
import { MalformedError } from './malformed.js';
import { serializeTransaction } from './serialize/transactions.js';
import { transactionType } from './transactions/catalogue.js';

export interface Replay {
  /** tx_: unsigned transactions, the call last. */
  transactions: string[];
  /** Coins that an account needs for them: another one paid for the call. */
  credit: { account: string; amount: bigint } | undefined;
}

const REPLAYED = ['ContractCallTx', 'ContractCreateTx', 'GAAttachTx'];

/** Whether a dry run tells the result of such a transaction. */
export const isReplayed = (type: string): boolean => REPLAYED.includes(type);

/** Of the generation, and the gas that nodes allow for a request. */
interface Place {
  height: number;
  version: number;
  maxGas: bigint;
}

/**
 * `before`: the transactions before the call in its micro block. Those of which a dry run knows nothing are left out. If they need too much gas
 * together, those are left out, too, that run no contract and name neither the caller nor the contract of the call.
 */
export function replayOf(
  call: Transaction,
  before: readonly Transaction[],
  place: Place,
): Replay | 'too_much_gas' | 'unsupported' {
  const { tx, wrapped } = effectiveOf(call);
  const last = stepOf(tx, place);
  if (last === undefined) return 'unsupported';
  const steps = before.flatMap((one) => stepOf(one.tx, place) ?? []);
  let gas = steps.reduce((sum, step) => sum + step.gas, last.gas);
  const kept = steps.filter((step) => {
    if (gas <= place.maxGas || runsContract(step.tx) || isAbout(step.tx, tx)) return true;
    gas -= step.gas;
    return false;
  });
  if (gas > place.maxGas) return 'too_much_gas';
  return {
    transactions: [...kept, last].map(({ text }) => text),
    credit: wrapped ? creditOf(tx) : undefined,
  };
}

interface Step {
  tx: JsonObject;
  text: string;
  gas: bigint;
}

/** Undefined if no dry run takes it, or it has no binary form. */
function stepOf(tx: JsonObject, { height, version }: Pick<Place, 'height' | 'version'>): Step | undefined {
  const type = typeOf(tx);
  if (type === undefined || type.wraps !== undefined) return undefined;
  try {
    const gas = feeGas(tx, height, version) + (runsContract(tx) ? (integer(tx['gas']) ?? 0n) : 0n);
    return { tx, text: encodeId('tx', serializeTransaction(tx)), gas };
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

const typeOf = ({ type }: JsonObject) => (typeof type === 'string' ? transactionType(type) : undefined);

const runsContract = (tx: JsonObject): boolean => typeOf(tx)?.runsContract === true;

const CALLERS = ['caller_id', 'owner_id'];

function isAbout(tx: JsonObject, call: JsonObject): boolean {
  const ids = [...CALLERS, 'contract_id'].flatMap((member) => call[member] ?? []);
  const named = ids.flatMap((id) => (typeof id === 'string' ? [id, withPrefix('ak', id)] : []));
  return Object.values(tx).some((value) => typeof value === 'string' && named.includes(value));
}

/** What the account of a call pays at most: fee, gas, and what it sends along. */
function creditOf(tx: JsonObject): Replay['credit'] {
  const account = CALLERS.map((member) => tx[member]).find((id) => typeof id === 'string');
  if (account === undefined) return undefined;
  const [fee, gas, price, amount, deposit] = ['fee', 'gas', 'gas_price', 'amount', 'deposit'].map(
    (member) => integer(tx[member]) ?? 0n,
  );
  return { account: withPrefix('ak', account), amount: fee! + gas! * price! + amount! + deposit! };
}
