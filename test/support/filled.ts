/** Derived tables that an earlier version did not have: filled as the populator does it beside following, and verified. */
import { createMetrics } from '../../src/observe/metrics.js';
import { fillNewTables } from '../../src/populate/backfill.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
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

/** What `-v` finds to differ. */
export async function differencesIn(database: Database): Promise<ReportedDifference[]> {
  const found: ReportedDifference[] = [];
  await verifyProjections({ database, onDifference: (one) => found.push(one) });
  return found;
}
