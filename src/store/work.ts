import { work } from '../chain/work/target.js';

/** Targets that are read at a time: a branch may be as long as the chain. */
export const TARGETS_READ = 10_000;

/** Sums up the work of key blocks above a height. `read` returns the next ones after a height; none ends the sum. */
export async function workOf(
  read: (after: number) => Promise<{ height: string; target: string }[]>,
  above: number,
): Promise<bigint> {
  let sum = 0n;
  for (let after = above; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return sum;
    sum += work(rows.map(({ target }) => BigInt(target)));
    after = Number(last.height);
  }
}
