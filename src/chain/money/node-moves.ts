/** Completes movements with the operations of the node. */
import type { Kind } from './kinds.js';
import type { Movement } from './movement.js';
import type { NodeOperation } from './node-operations.js';

export interface Completed {
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
  const movements = [...ours];
  const known = countOf(ours);
  for (const found of inside(operations)) {
    // Each of ours stands for one operation of the node.
    const key = `${found.account} ${found.kind} ${found.amount}`;
    const count = known.get(key) ?? 0;
    if (count > 0) known.set(key, count - 1);
    else movements.push(found);
  }
  return { movements: withRest(movements, operations), isFromNode: true };
}

/** The movements of a key block: those of the node, whose operations have one kind each. */
export function completeKeyBlock(
  ours: readonly Movement[],
  operations: readonly NodeOperation[],
  treasury: string | null,
): Completed {
  if (differences(ours, operations).size === 0) return { movements: [...ours], isFromNode: false };
  const movements = operations.flatMap(({ type, account, amount }): Movement[] => {
    const kind = KEY_BLOCK_KINDS[type];
    if (kind === undefined || amount === 0n) return [];
    const own = ours.find((one) => one.account === account && one.kind === kind && one.amount === amount);
    return [
      own ?? {
        account,
        kind: kind === 'reward' && account === treasury ? 'treasury' : kind,
        amount,
        counterparty: null,
      },
    ];
  });
  return { movements: withRest(movements, operations), isFromNode: true };
}

const KEY_BLOCK_KINDS: Readonly<Record<string, Kind | undefined>> = {
  'Chain.reward': 'reward',
  'Chain.lock': 'lock',
  'Chain.amount': 'preset',
  'Oracle.refund': 'oracle_refund',
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
    return { account, kind: isGas ? 'gas' : 'unexplained', amount, counterparty: null };
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

function countOf(movements: readonly Movement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { account, kind, amount } of movements) {
    const key = `${account} ${kind} ${amount}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
