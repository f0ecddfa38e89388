/** Holds the commits of a populator at their first table, as a lock of somebody else does. */
import pg from 'pg';

export interface HeldCommits {
  /** Whether a commit waits. */
  isReached(): Promise<boolean>;
  /** Ends the connections of the commits that wait. Resolves with their number. */
  terminate(): Promise<number>;
  /** Lets them go on. */
  release(): Promise<void>;
}

/** From now on no commit into the schema gets further than its key blocks. `url` is for the administrator. */
export async function holdCommits(url: string, schema: string): Promise<HeldCommits> {
  const blocker = new pg.Client({ connectionString: url });
  // Apart from the transaction that blocks: within one, PostgreSQL shows the same activity again and again.
  const observer = new pg.Client({ connectionString: url });
  // A test that fails drops its database.
  for (const client of [blocker, observer]) await client.on('error', () => undefined).connect();
  await blocker.query(`BEGIN; LOCK TABLE ${pg.escapeIdentifier(schema)}.key_blocks IN SHARE ROW EXCLUSIVE MODE`);
  const waiting = async (what: string): Promise<number> => {
    const { rowCount } = await observer.query(
      `SELECT ${what} FROM pg_stat_activity
      WHERE application_name = $1 AND datname = current_database() AND (wait_event_type, wait_event) = ('Lock', 'relation')`,
      [`mdw ${schema}`],
    );
    return rowCount ?? 0;
  };
  return {
    isReached: async () => (await waiting('pid')) > 0,
    terminate: () => waiting('pg_terminate_backend(pid)'),
    async release() {
      await blocker.query('COMMIT');
      await Promise.all([blocker.end(), observer.end()]);
    },
  };
}
