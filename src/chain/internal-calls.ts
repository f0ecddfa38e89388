/** What contracts did inside a call, as the replay of the call by a node tells it, and whether the replay is that call. */
import { callIn } from './effective.js';
import { withPrefix } from './encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from './encoding/json.js';
import type { Json, JsonObject } from './encoding/json.js';
import { integer } from './facts.js';
import type { NodeMoney } from './money/node-money.js';
import type { NodeOperation } from './money/node-operations.js';

/** What a node tells of a function that changed the chain inside a call. */
export interface ReplayEvent {
  /** `Chain.spend`, … */
  function: string;
  /** Members of the transaction that does the same. */
  info: JsonObject;
}

export interface InternalCall {
  function: string;
  /** JSON: the type of the transaction that does the same, then its members. */
  tx: string;
}

/** Functions that nodes tell of, and the types of the transactions that do the same. */
const TYPES: Readonly<Record<string, string>> = {
  'AENS.claim': 'NameClaimTx',
  'AENS.preclaim': 'NamePreclaimTx',
  'AENS.revoke': 'NameRevokeTx',
  'AENS.transfer': 'NameTransferTx',
  'AENS.update': 'NameUpdateTx',
  'Call.amount': 'SpendTx',
  'Chain.spend': 'SpendTx',
  'Oracle.extend': 'OracleExtendTx',
  'Oracle.query': 'OracleQueryTx',
  'Oracle.register': 'OracleRegisterTx',
  'Oracle.respond': 'OracleRespondTx',
};

export const INTERNAL_FUNCTIONS: readonly string[] = Object.keys(TYPES);

/** Undefined if one of them is not known, or has no members that its type has. */
export function internalCalls(events: readonly ReplayEvent[]): InternalCall[] | undefined {
  const calls = events.flatMap(({ function: name, info }) => {
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    return type === undefined ? [] : [{ function: name, tx: stringifyExact({ type, ...info }) }];
  });
  const isComplete = calls.length === events.length && events.every((event) => !isPayment(event) || paymentOf(event));
  return isComplete ? calls : undefined;
}

/** The result of a contract call in stored call information that says `ok`; undefined for any other. */
export function successOf(info: string | null): JsonObject | undefined {
  const call = info === null ? undefined : callIn(parseExact(info));
  return call?.['return_type'] === 'ok' ? call : undefined;
}

const PROVING = ['gas_used', 'return_type', 'return_value', 'log'];

/** Whether a replay ended as the call did: with the same gas, value and events. */
export const isSameCall = (stored: JsonObject, replayed: Json | undefined): boolean =>
  isObject(replayed) && PROVING.every((member) => isEqual(stored[member], replayed[member]));

/** The order of members does not count. */
function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, i) => isEqual(one, b[i]));
  if (!isObject(a)) return a === b;
  const names = Object.keys(a);
  return isObject(b) && names.length === Object.keys(b).length && names.every((name) => isEqual(a[name], b[name]));
}

type Payment = Record<'from' | 'to', string> & { amount: bigint };

const isPayment = ({ function: name }: ReplayEvent): boolean => TYPES[name] === 'SpendTx';

function paymentOf({ info }: ReplayEvent): Payment | undefined {
  const { sender_id: from, recipient_id: to } = info;
  const amount = integer(info['amount']);
  if (typeof from !== 'string' || typeof to !== 'string' || amount === undefined) return undefined;
  return { from: withPrefix('ak', from), to: withPrefix('ak', to), amount };
}

/**
 * Whether a node's list of what changed balances has the same payments. Where it has no entry for the transaction, its payments change no balance: it
 * keeps none that follows from the transaction alone.
 */
export function hasPayments({ transactions }: NodeMoney, hash: string, events: readonly ReplayEvent[]): boolean {
  const payments = events.filter(isPayment).flatMap((event) => paymentOf(event) ?? []);
  const operations = transactions.get(hash);
  if (operations !== undefined) return isEqual(payments, pairsOf(operations));
  const sums = new Map<string, bigint>();
  for (const { from, to, amount } of payments) {
    sums.set(from, (sums.get(from) ?? 0n) - amount);
    sums.set(to, (sums.get(to) ?? 0n) + amount);
  }
  return [...sums.values()].every((sum) => sum === 0n);
}

/** Each payment is two neighbouring operations. */
function pairsOf(operations: readonly NodeOperation[]): Payment[] {
  const spends = operations.filter(({ type }) => type === 'Spend.amount');
  return spends.flatMap(({ account, amount }, i) =>
    i % 2 === 0 ? [] : [{ from: spends[i - 1]!.account, to: account, amount }],
  );
}
