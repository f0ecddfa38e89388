import type { DbTransaction } from './database.js';

/**
 * The number of the last commit that a statement sees; see docs/decisions/0018. A later state of a copy has a greater number, even if
 * its head is lower. After a failover that lost commits, the numbers continue in the next epoch of the lease, so that they are greater
 * than those of the lost commits.
 */
const NUMBER = '(epoch << 32) + commits';

/** The number as a column of a SELECT. */
export const COMMIT_NUMBER = `(SELECT ${NUMBER} FROM writer) AS commit_number`;

/** Gives the commit of this database transaction the next number. Every transaction that changes answers must call it. */
export async function numberCommit(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'commit.number', text: 'UPDATE writer SET commits = commits + 1' });
}

/** Does the same, and notifies the servers of the number when the transaction is committed. */
export async function numberAndWake(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'commit.wake',
    text: `
      WITH numbered AS (UPDATE writer SET commits = commits + 1 RETURNING ${NUMBER} AS number)
      SELECT pg_notify('mdw_' || current_schema(), number::text) FROM numbered`,
  });
}

/** The number in a notification; undefined in one of an earlier release. */
export const publishedNumber = (payload: string | undefined): bigint | undefined =>
  payload !== undefined && /^\d{1,19}$/.test(payload) ? BigInt(payload) : undefined;
