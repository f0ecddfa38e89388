import type { DbTransaction } from './database.js';

/**
 * The number of the last commit that a statement sees; see docs/decisions/0018. A later state of a copy has a greater one, also
 * where it has a lower head. After a failover that lost commits the numbers go on in the next epoch of the lease, so that
 * the lost ones are less than what took their place.
 */
const NUMBER = '(epoch << 32) + commits';

/** The number as a column beside others. */
export const COMMIT_NUMBER = `(SELECT ${NUMBER} FROM writer) AS commit_number`;

/** Numbers the transaction, which changes what is answered. */
export async function numberCommit(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'commit.number', text: 'UPDATE writer SET commits = commits + 1' });
}

/** The same, and publishes the number to the servers when the transaction is committed. */
export async function numberAndWake(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'commit.wake',
    text: `
      WITH numbered AS (UPDATE writer SET commits = commits + 1 RETURNING ${NUMBER} AS number)
      SELECT pg_notify('mdw_' || current_schema(), number::text) FROM numbered`,
  });
}

/** The number as it was published; undefined for the wake-up of an earlier release. */
export const publishedNumber = (payload: string | undefined): bigint | undefined =>
  payload !== undefined && /^\d{1,19}$/.test(payload) ? BigInt(payload) : undefined;
