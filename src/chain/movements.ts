/** Which amounts a transaction moves, and how they change one account. Uses only the transaction's members and the result of its contract call. */
import { effectiveOf } from './effective.js';
import { integer } from './facts.js';
import type { Transaction } from './facts.js';
import { isObject, parseExact } from './encoding/json.js';
import type { Json, JsonObject } from './encoding/json.js';
import { transactionType } from './transactions/catalogue.js';
import type { ValueFlow, Role } from './transactions/value-flow.js';

type Effect = 'exact' | 'unknown';

/** The effect of a transaction on one account. */
export interface View {
  direction: 'in' | 'out' | 'self' | null;
  counterparty: string | null;
  /** Aettos that move in that direction according to the transaction; null if it does not state them. */
  amount: bigint | null;
  /** Fees and gas that the account pays, aettos; null unless the effect is exact. */
  paid: bigint | null;
  /** `exact`: the balance changes by `amount` and `paid` only. */
  effect: Effect;
}

/** What a transaction moves between the accounts that it names. */
interface Movement {
  from: string | null;
  to: string | null;
  amount: bigint | null;
  /** `exact`: it moves nothing else except fees and gas. */
  effect: Effect;
}

/** The transaction that takes effect, and what is known about its result. */
interface Reading {
  outer: JsonObject;
  tx: JsonObject;
  flow: ValueFlow | undefined;
  wrapped: boolean;
  /** Result of the contract call; undefined if it runs no contract, or if the result is not known. */
  call: JsonObject | undefined;
  failed: boolean;
  /** Balances change exactly by what the members state. */
  isCertain: boolean;
}

function read(transaction: Transaction): Reading {
  const { type, tx, wrapped } = effective(transaction);
  const flow = transactionType(type)?.valueFlow;
  const call = flow?.runsContract === true ? callOf(transaction.info) : undefined;
  const failed = call?.['return_type'] === 'revert' || call?.['return_type'] === 'error';
  const isKnown = flow !== undefined && (flow.unknown === undefined || flow.unknown.unless?.(tx) === true);
  // If a transaction is wrapped more than once, neither the amounts that it moves nor what its payer pays is known.
  const isReadable = !wrapped || (transaction.type === 'PayingForTx' && wrappedIn(transaction.tx) === tx);
  return {
    outer: transaction.tx,
    tx,
    flow,
    wrapped,
    call,
    failed,
    isCertain: isKnown && isReadable && (flow.runsContract !== true || failed),
  };
}

/** If the wrapped transaction cannot be read, the outer one is used. */
function effective(transaction: Transaction): { type: string; tx: JsonObject; wrapped: boolean } {
  try {
    return effectiveOf(transaction);
  } catch {
    return { ...transaction, wrapped: false };
  }
}

function wrappedIn({ tx: envelope }: JsonObject): Json | undefined {
  return isObject(envelope) ? envelope['tx'] : undefined;
}

/** The call information of the innermost transaction. */
function callOf(info: string | null): JsonObject | undefined {
  if (info === null) return undefined;
  try {
    return innermostCall(parseExact(info));
  } catch {
    return undefined;
  }
}

function innermostCall(info: Json | undefined): JsonObject | undefined {
  if (!isObject(info)) return undefined;
  const { call_info: call, ga_info: authentication } = info;
  if (isObject(authentication)) return innermostCall(authentication['inner_object']);
  // The oldest nodes answered with the call itself.
  return isObject(call) ? call : info;
}

const textOf = (tx: JsonObject, member: string | null): string | null => {
  const value = member === null ? undefined : tx[member];
  return typeof value === 'string' ? value : null;
};

/** The identifiers of an account, its oracle and its contract differ only in the prefix. */
const isSame = (one: string | null, other: string): boolean =>
  one === other || (one !== null && /^(?:ak|ok|ct)_/.test(one) && one.slice(3) === other.slice(3));

/** Whether the account is given by name. */
const isName = (id: string | null): boolean => id?.startsWith('nm_') === true;

function movedAmount({ flow, tx, call, failed }: Reading, { direction, amounts }: Role): bigint | null {
  if (direction === null) return null;
  if (failed) return 0n;
  let sum = 0n;
  for (const name of amounts) {
    const amount = integer(tx[name]);
    if (amount === undefined || amount < 0n) return null;
    sum += amount;
  }
  return sum > 0n && flow?.runsContract === true && call === undefined ? null : sum;
}

/** Fee and gas of the transaction that takes effect. */
function feeAndGas({ flow, tx, call }: Reading): bigint | null {
  const fee = integer(tx['fee']);
  if (fee === undefined || flow?.runsContract !== true) return fee ?? null;
  const [used, price] = [integer(call?.['gas_used']), integer(call?.['gas_price'])];
  return used === undefined || price === undefined ? null : fee + used * price;
}

function paidBy(reading: Reading, account: string): bigint | null {
  const { outer, tx, flow, wrapped } = reading;
  const payer = textOf(outer, wrapped ? 'payer_id' : flow!.roles[0].account);
  if (payer === null || !isSame(payer, account)) return 0n;
  const cost = feeAndGas(reading);
  if (outer === tx || cost === null) return cost;
  const fee = integer(outer['fee']);
  return fee === undefined ? null : fee + cost;
}

/**
 * The effect of a transaction on `account`. `payees`: the ids under which the transaction is listed because its recipient is given by name;
 * null if they are not known.
 */
export function viewOf(transaction: Transaction, account: string, payees: readonly string[] | null): View {
  const reading = read(transaction);
  const { tx, flow, wrapped } = reading;
  const origin = flow === undefined ? null : textOf(tx, flow.roles[0].account);
  const named = (flow?.roles ?? []).filter((role) => isSame(textOf(tx, role.account), account));
  const isOuterParty = transactionType(transaction.type)?.valueFlow?.roles.some((role) =>
    isSame(textOf(transaction.tx, role.account), account),
  );
  // If no member names the account, the transaction is listed under it because a name pointed to it.
  const isByName = named.length === 0 && isOuterParty !== true;
  const parties = isByName ? (flow?.roles ?? []).filter((role) => isName(textOf(tx, role.account))) : named;
  const role = parties[0];
  if (flow === undefined || (role === undefined && !wrapped)) {
    return { direction: null, counterparty: null, amount: null, paid: null, effect: 'unknown' };
  }
  const direction =
    parties.length > 1 && parties.some((one) => one.direction === 'in') ? 'self' : (role?.direction ?? null);
  const amount = role === undefined ? 0n : movedAmount(reading, role);
  const paid = reading.isCertain && !mayPaySelf(reading, payees) ? paidBy(reading, account) : null;
  return {
    // The payer of a PayingForTx pays fee and gas, but no amount.
    direction: role === undefined ? 'out' : direction,
    counterparty: role === undefined ? origin : textOf(tx, role.other),
    amount,
    paid: amount === null ? null : paid,
    effect: amount === null || paid === null ? 'unknown' : 'exact',
  };
}

/** Whether the recipient is given by name and the name may point to the payer itself. */
function mayPaySelf({ tx, flow, wrapped }: Reading, payees: readonly string[] | null): boolean {
  const paid = flow?.roles.filter(({ direction, amounts }) => direction === 'in' && amounts.length > 0) ?? [];
  if (!paid.some((role) => isName(textOf(tx, role.account)))) return false;
  return (
    wrapped || payees === null || payees.every((id) => isName(id) || isSame(textOf(tx, flow!.roles[0].account), id))
  );
}

export function movementOf(transaction: Transaction): Movement {
  const reading = read(transaction);
  const { tx, flow, isCertain } = reading;
  const [role, second] = flow?.roles ?? [];
  if (role === undefined) return { from: null, to: null, amount: null, effect: 'unknown' };
  const [own, other] = [textOf(tx, role.account), textOf(tx, role.other)];
  const [from, to] = role.direction === 'in' ? [other, own] : [own, role.direction === null ? null : other];
  // Both parties of a new channel pay in, so there is no single amount.
  const amount = second?.direction === 'out' ? null : movedAmount(reading, role);
  return { from, to, amount, effect: amount !== null && isCertain ? 'exact' : 'unknown' };
}

/** An amount in whole coins, exact. `digits`: those of the coin after the point. */
export function inCoins(amount: bigint, digits: number): string {
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  const fraction = text.slice(point).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${text.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}
