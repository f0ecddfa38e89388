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

/** Returns what counts, and calls `report` where there are more than at the count before. */
export function onRise(
  counted: () => Promise<number | undefined>,
  report: (count: number) => void,
): () => Promise<void> {
  let known = 0;
  return async () => {
    const count = await counted();
    if (count === undefined) return;
    if (count > known) report(count);
    known = count;
  };
}
