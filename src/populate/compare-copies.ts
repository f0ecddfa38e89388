import { readHead } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';
import { totalsUpTo } from '../store/totals.js';
import type { Totals } from '../store/totals.js';

interface Comparison {
  /** Height up to which both were compared; -1 when one of them is empty or too low. */
  height: number;
  /** Lowest height at which this copy lacks something or is of another branch; absent when there is none. */
  differs?: { height: number; reason: string };
}

/** Heights below the lower head that are not compared, because a reorg may still change them. */
const DEPTH = 10;

/**
 * Compares the totals of two copies of one chain. A reloaded copy may have more than the other one, which may have gaps. It must not have
 * less, nor be of another branch.
 */
export async function compareCopies(copy: Queryable, other: Queryable): Promise<Comparison> {
  const [head, otherHead] = [await readHead(copy), await readHead(other)];
  const height = Math.min(head?.height ?? -1, otherHead?.height ?? -1) - DEPTH;
  if (height < 0) return { height: -1 };
  const at = async (end: number) => differenceOf(await totalsUpTo(copy, end), await totalsUpTo(other, end));
  let reason = await at(height);
  if (reason === undefined) return { height };
  // Bisection: the totals up to `low` agree, those up to `high` differ.
  let [low, high] = [-1, height];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await at(middle);
    if (found === undefined) low = middle;
    else [high, reason] = [middle, found];
  }
  return { height, differs: { height: high, reason } };
}

function differenceOf(copy: Totals, other: Totals): string | undefined {
  if (copy.hash !== other.hash && other.hash !== null) {
    return `key block is ${copy.hash ?? 'missing'}, in the other copy ${other.hash}`;
  }
  const names = { keyBlocks: 'key blocks', microBlocks: 'micro blocks', transactions: 'transactions' } as const;
  for (const [field, name] of Object.entries(names) as [keyof typeof names, string][]) {
    if (copy[field] < other[field]) return `${copy[field]} ${name} up to here, in the other copy ${other[field]}`;
  }
  return undefined;
}
