/** Balances of our rows compared with those of a node, and the block in which they begin to differ. */
import { nodeBalance } from '../node/balances.js';
import type { ChainNode } from '../node/client.js';
import type { Queryable } from '../store/connection/database.js';
import { balanceAfter, balancesWithin } from '../store/projections/ledger-checks.js';
import type { CheckedAccount } from '../store/projections/ledger-checks.js';
import type { Mismatch } from '../store/projections/ledger-rewrite.js';

type Account = Pick<CheckedAccount, 'key' | 'id'>;

interface Compared {
  hash: string;
  /** What the node says more. */
  difference: bigint;
}

/** After the key block of a height. Undefined if the block is not there, or the node does not know the balance at it. */
export async function comparedAt(
  db: Queryable,
  node: Pick<ChainNode, 'get'>,
  { key, id }: Account,
  height: number,
): Promise<Compared | undefined> {
  const ours = await balanceAfter(db, key, height);
  if (ours === undefined) return undefined;
  const theirs = await nodeBalance(node, id, ours.hash);
  return theirs === undefined ? undefined : { hash: ours.hash, difference: theirs - ours.balance };
}

/** The first height after whose key block the balances differ, between the last one that was the same (-1 if none was) and one that differs. */
export async function firstWrong(
  db: Queryable,
  node: Pick<ChainNode, 'get'>,
  account: Account,
  right: number,
  wrong: number,
): Promise<number | undefined> {
  let [same, differs] = [right < wrong ? right : -1, wrong];
  while (differs - same > 1) {
    const middle = Math.floor((same + differs) / 2);
    const compared = await comparedAt(db, node, account, middle);
    if (compared === undefined) return undefined;
    if (compared.difference === 0n) same = middle;
    else differs = middle;
  }
  return differs;
}

/** The first block in which the balance changed otherwise: a micro block of the generation below, or the key block. */
export async function mismatchIn(
  db: Queryable,
  node: Pick<ChainNode, 'get'>,
  { key, id }: Account,
  wrongAt: number,
): Promise<Mismatch | undefined> {
  for (const { hash, position, end, balance } of await balancesWithin(db, key, wrongAt - 1)) {
    const theirs = await nodeBalance(node, id, hash);
    if (theirs === undefined) return undefined;
    if (theirs !== balance) return { account: id, hash, position, end, amount: theirs - balance };
  }
  return undefined;
}
