import type { Queryable } from './connection/database.js';

export interface ServerFacts {
  version: string;
  /** `server_version_num`, 110002 for 11.2. */
  versionNumber: number;
  encoding: string;
  user: string;
  database: string;
  /** Why nothing can be written to the server; null if it can. */
  readOnly: string | null;
  /** Clock of the server, ms. */
  now: number;
  schemaExists: boolean;
  /** Whether the user may create schemas in the database. */
  mayCreateSchema: boolean;
  /** Whether the user may create tables in the schema. */
  mayCreateTables: boolean;
}

/** Settings of the server, and rights of the user; it only reads. */
export async function serverFacts(db: Queryable, schema: string): Promise<ServerFacts> {
  const { rows } = await db.query<{
    version: string;
    version_number: string;
    encoding: string;
    user_name: string;
    database: string;
    read_only: string | null;
    now: string;
    schema_exists: boolean;
    may_create_schema: boolean;
    may_create_tables: boolean;
  }>({
    name: 'doctor.server',
    text: `
      SELECT
        current_setting('server_version') AS version,
        current_setting('server_version_num') AS version_number,
        current_setting('server_encoding') AS encoding,
        current_user AS user_name,
        current_database() AS database,
        CASE
          WHEN pg_is_in_recovery() THEN 'it is a standby'
          WHEN current_setting('default_transaction_read_only') = 'on' THEN 'default_transaction_read_only is on'
        END AS read_only,
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
        n.oid IS NOT NULL AS schema_exists,
        has_database_privilege(current_database(), 'CREATE') AS may_create_schema,
        COALESCE(has_schema_privilege(n.oid, 'CREATE') AND has_schema_privilege(n.oid, 'USAGE'), false) AS may_create_tables
      FROM (SELECT 1) AS one
      LEFT JOIN pg_namespace AS n ON n.nspname = $1`,
    values: [schema],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('doctor.server gave no row');
  return {
    version: row.version,
    versionNumber: Number(row.version_number),
    encoding: row.encoding,
    user: row.user_name,
    database: row.database,
    readOnly: row.read_only,
    now: Number(row.now),
    schemaExists: row.schema_exists,
    mayCreateSchema: row.may_create_schema,
    mayCreateTables: row.may_create_tables,
  };
}
