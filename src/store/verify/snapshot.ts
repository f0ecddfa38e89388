import type { Database, Queryable, DbTransaction } from '../connection/database.js';

/**
 * Runs `work` on some connections at the same time. All see the same snapshot of the copy and can only read. Writers are not blocked, but
 * PostgreSQL cannot remove rows that they replace until this ends.
 */
export async function inSnapshot(
  database: Database,
  connections: number,
  work: (db: Queryable) => Promise<void>,
): Promise<void> {
  await database.transaction(async (leader) => {
    await begin(leader);
    const { rows } = await leader.query<{ snapshot: string }>({
      name: 'verify.export-snapshot',
      text: 'SELECT pg_export_snapshot() AS snapshot',
    });
    const followers = Array.from({ length: connections - 1 }, () =>
      database.transaction(async (tx) => {
        await begin(tx, rows[0]!.snapshot);
        await work(tx);
      }),
    );
    const outcomes = await Promise.allSettled([work(leader), ...followers]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
}

/** Without timeouts: a connection that waits for the others is idle, and must keep its snapshot. */
async function begin(tx: DbTransaction, snapshot?: string): Promise<void> {
  const imported = snapshot === undefined ? '' : `SET TRANSACTION SNAPSHOT '${snapshot}';`;
  await tx.run(
    `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; ${imported} SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL statement_timeout = 0; SET LOCAL jit = off`,
  );
}
