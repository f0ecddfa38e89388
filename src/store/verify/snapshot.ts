import type { Database, Queryable, DbTransaction } from '../connection/database.js';

/**
 * Runs `work` on so many connections at once, all of which see the copy as of one moment and can change nothing. Whoever writes is not
 * held up, but nothing that was replaced meanwhile can be cleaned up before the end.
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

/** While one connection waits for the others it is idle, and its snapshot must last. */
async function begin(tx: DbTransaction, snapshot?: string): Promise<void> {
  const imported = snapshot === undefined ? '' : `SET TRANSACTION SNAPSHOT '${snapshot}';`;
  await tx.run(
    `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; ${imported} SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL statement_timeout = 0; SET LOCAL jit = off`,
  );
}
