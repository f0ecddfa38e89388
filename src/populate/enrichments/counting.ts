import type { Queryable } from '../../store/connection/database.js';

/** Min time between two counts, as a multiple of the time that the count took: it reads all rows, and there may be many. */
const COUNT_FACTOR = 100;

/** Counts what is due, but seldom: undefined until the next count is to be made. `minMs`: min time between two counts, ms. */
export function seldom(
  database: Queryable,
  count: (db: Queryable) => Promise<number>,
  minMs: number,
): (before?: () => Promise<void>) => Promise<number | undefined> {
  let countAt = -Infinity;
  return async (before) => {
    const start = performance.now();
    if (start < countAt) return undefined;
    // Set before the count, so that a failed one is not repeated at once.
    countAt = start + minMs;
    await before?.();
    const found = await count(database);
    countAt = start + Math.max(minMs, COUNT_FACTOR * (performance.now() - start));
    return found;
  };
}
