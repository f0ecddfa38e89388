/** Completes movements with the operations of the node. */
import type { Kind } from './kinds.js';
import type { Movement } from './movement.js';
import type { NodeOperation } from './node-operations.js';
import { PRESET_KINDS } from './presets.js';

interface Completed {
  movements: Movement[];
  /** The node's operations are needed; otherwise the movements are ours, and the operations say the same. */
  isFromNode: boolean;
}

/**
 * The movements of a transaction. The sums by account are those of the node. Its operations mix fee, gas, amount and deposit, so these kinds are ours; what
 * our rules do not see is taken from the operations.
 */
export function completeTransaction(ours: readonly Movement[], operations: readonly NodeOperation[]): Completed {
  const missing = differences(ours, operations);
  if (missing.size === 0) return { movements: [...ours], isFromNode: false };
  const listed = inside(operations);
  const found = countOf(listed);
  // The node has an operation of its own for each of these. Without it, our rules knew too little, such as of a name that a contract changed.
  const movements = ours.filter((one) => !HAS_OWN_OPERATION.includes(one.kind) || takeFrom(found, one));
  const known = countOf(ours);
  for (const one of listed) if (!takeFrom(known, one)) movements.push({ ...one, isFromNode: true });
  return { movements: withRest(movements, operations), isFromNode: true };
}

const HAS_OWN_OPERATION: readonly Kind[] = ['spend', 'bid_refund', 'oracle_reward', 'lock'];

/** The movements of a key block: those of the node, whose operations have one kind each. */
export function completeKeyBlock(
  ours: readonly Movement[],
  operations: readonly NodeOperation[],
  treasury: string | null,
): Completed {
  if (differences(ours, operations).size === 0) return { movements: [...ours], isFromNode: false };
  const movements = operations.flatMap(({ type, account, amount }): Movement[] => {
    const kinds = KEY_BLOCK_KINDS[type];
    const kind = kinds?.[0];
    if (kinds === undefined || kind === undefined || amount === 0n) return [];
    const own = ours.find((one) => one.account === account && kinds.includes(one.kind) && one.amount === amount);
    return [
      own ?? {
        account,
        kind: kind === 'reward' && account === treasury ? 'treasury' : kind,
        amount,
        counterparty: null,
        isFromNode: true,
      },
    ];
  });
  return { movements: withRest(movements, operations), isFromNode: true };
}

/** What operations may be for our rules; the first one is that of an operation that only the node knows. */
const KEY_BLOCK_KINDS: Readonly<Record<string, readonly Kind[] | undefined>> = {
  'Chain.reward': ['reward', 'treasury'],
  'Chain.lock': ['lock'],
  'Chain.amount': PRESET_KINDS,
  'Oracle.refund': ['oracle_refund'],
};

/** What operations say that our rules may not see, in their order. */
function inside(operations: readonly NodeOperation[]): Movement[] {
  const found: Movement[] = [];
  const add = (account: string, kind: Kind, amount: bigint, counterparty: string | null = null): void => {
    if (amount !== 0n) found.push({ account, kind, amount, counterparty });
  };
  // A contract has run once its amount has moved.
  let isInContract = false;
  for (let at = 0; at < operations.length; at += 1) {
    const { type, account, amount } = operations[at]!;
    const next = operations[at + 1];
    if (type === 'Contract.amount') isInContract = true;
    else if (type === 'Spend.amount' && next?.type === 'Spend.amount') {
      const kind = isInContract ? 'payment' : 'spend';
      add(account, kind, amount, next.account);
      add(next.account, kind, next.amount, account);
      at += 1;
    } else if (type === 'Name.lock') add(account, next?.type === 'Chain.lock' ? 'name_fee' : 'bid', amount);
    else if (type === 'Name.refund') add(account, 'bid_refund', amount);
    else if (type === 'Chain.lock') add(account, 'lock', amount);
    else if (type === 'Oracle.queryfee') add(account, 'oracle_reward', amount);
    else if (type === 'Chain.fee' && isInContract) add(account, 'oracle_fee', amount);
  }
  return found;
}

/** Adds what is still missing, one row for an account: gas, if the account only pays, and otherwise it is unexplained. */
function withRest(movements: readonly Movement[], operations: readonly NodeOperation[]): Movement[] {
  const refunded = new Set(operations.flatMap(({ type, account }) => (type === 'Chain.refund' ? [account] : [])));
  const rest = [...differences(movements, operations)].map(([account, amount]): Movement => {
    // Only what the contract did not use of the gas tells that it ran, where nothing tells how much it used.
    const isGas =
      refunded.has(account) && amount < 0n && !movements.some((one) => one.account === account && one.kind === 'gas');
    return { account, kind: isGas ? 'gas' : 'unexplained', amount, counterparty: null, isFromNode: true };
  });
  return [...movements, ...rest];
}

/** What the operations of an account say more than its movements. */
function differences(movements: readonly Movement[], operations: readonly NodeOperation[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void => void sums.set(account, (sums.get(account) ?? 0n) + amount);
  for (const { account, amount } of operations) add(account, amount);
  for (const { account, amount } of movements) add(account, -amount);
  return new Map([...sums].filter(([, amount]) => amount !== 0n));
}

const keyOf = ({ account, kind, amount }: Movement): string => `${account} ${kind} ${amount}`;

function countOf(movements: readonly Movement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of movements) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

/** Whether there is one like this, which is taken away. */
function takeFrom(counts: Map<string, number>, one: Movement): boolean {
  const count = counts.get(keyOf(one)) ?? 0;
  if (count > 0) counts.set(keyOf(one), count - 1);
  return count > 0;
}

/** Whether each payment leaves one account and arrives at another. */
export function hasPairs(operations: readonly NodeOperation[]): boolean {
  for (let at = 0; at < operations.length; at += 1) {
    const { type, amount } = operations[at]!;
    const next = operations[at + 1];
    if (type === 'Spend.amount') {
      if (next?.type !== type || next.amount !== -amount || amount > 0n) return false;
      at += 1;
    } else if (type === 'Name.lock' && next?.type === 'Chain.lock' && next.amount !== -amount) return false;
  }
  return true;
}
