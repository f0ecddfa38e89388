/** Derived tables that an earlier version did not have: filled as the populator does it beside following, and verified. */
import { createMetrics } from '../../src/observe/metrics.js';
import { fillNewTables } from '../../src/populate/backfill.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { countNextPart } from '../../src/store/projections/active-accounts.js';
import { beginMending } from '../../src/store/write/mend.js';
import { silent } from './copy.js';

/** Resolves when all of them are filled. */
export const fillAll = (database: Database): Promise<void> =>
  fillNewTables({
    database,
    logger: silent,
    metrics: createMetrics(),
    mayWork: () => true,
    fence: () => Promise.resolve(),
    signal: new AbortController().signal,
  });

/** Counts the accounts of parts of `size` transactions, as the populator does it beside following; of all that are over, or of the next `parts`. */
export async function countAccounts(database: Database, size?: number, parts = Infinity): Promise<void> {
  for (let i = 0; i < parts; i++) {
    const reached = await database.transaction(async (tx) => {
      await beginMending(tx);
      return countNextPart(tx, size);
    });
    if (reached === null) return;
  }
}

/** What `-v` finds to differ. */
export async function differencesIn(database: Database): Promise<ReportedDifference[]> {
  const found: ReportedDifference[] = [];
  await verifyProjections({ database, onDifference: (one) => found.push(one) });
  return found;
}
