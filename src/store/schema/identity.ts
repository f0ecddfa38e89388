import { otherSchema } from '../../config/copy-schemas.js';
import type { Database } from '../connection/database.js';
import { enterSchema } from './serving.js';

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

/**
 * Ids of the copy of this schema and of the other copy of a reload, if they exist. Only who can open the database knows them.
 */
export const copyIds = (database: Database): Promise<string[]> =>
  database.transaction(async (tx) => {
    const ids: string[] = [];
    for (const schema of [database.schema, otherSchema(database.schema)]) {
      await enterSchema(tx, schema);
      const { rows: tables } = await tx.query<{ allowed: boolean | null }>({
        name: 'identity.copy-right',
        text: `SELECT has_table_privilege(to_regclass('marker'), 'SELECT') AS allowed`,
      });
      if (tables[0]?.allowed !== true) continue;
      const { rows } = await tx.query<{ id: string }>({
        name: 'identity.copy',
        text: `SELECT id::text FROM marker WHERE product = 'chain-middleware'`,
      });
      ids.push(...rows.map(({ id }) => id));
    }
    return ids;
  });
