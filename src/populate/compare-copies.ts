import { readHead } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';
import { totalsUpTo } from '../store/totals.js';
import type { Totals } from '../store/totals.js';

interface Comparison {
  /** Up to which both were compared; -1 when one of them is empty. */
  height: number;
  /** Lowest height found at which this copy lacks something, or is of another branch; absent when there is none. */
  differs?: { height: number; reason: string };
}

/** Heights below the lower top that forks may still change: they are not compared. */
const DEPTH = 10;

/**
 * Compares what two copies of one chain hold in all. A copy that is loaded again may well have more than one with holes,
 * but never less, and never another branch.
 */
export async function compareCopies(copy: Queryable, other: Queryable): Promise<Comparison> {
  const [top, otherTop] = [await readHead(copy), await readHead(other)];
  const height = Math.min(top?.height ?? -1, otherTop?.height ?? -1) - DEPTH;
  if (height < 0) return { height: -1 };
  const at = async (where: number) => differenceOf(await totalsUpTo(copy, where), await totalsUpTo(other, where));
  let reason = await at(height);
  if (reason === undefined) return { height };
  // Below `low` they agree, at `high` they do not.
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
