import type { Database } from '../connection/database.js';

/**
 * Identifies a database, whatever its host name: the identifier of the PostgreSQL cluster, and the number of the database in it.
 * Undefined if the user has no right to read them.
 */
export async function databaseIdentity(database: Database): Promise<string | undefined> {
  const { rows: rights } = await database.query<{ allowed: boolean }>({
    name: 'identity.right',
    text: `SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS allowed`,
  });
  if (rights[0]?.allowed !== true) return undefined;
  const { rows } = await database.query<{ system: string; database: string }>({
    name: 'identity.read',
    text: `
      SELECT s.system_identifier::text AS system, d.oid::text AS database
      FROM pg_control_system() AS s, pg_database AS d
      WHERE d.datname = current_database()`,
  });
  return rows[0] && `${rows[0].system}/${rows[0].database}`;
}
