import { MiddlewareError } from '../observe/errors.js';
import type { Database } from './database.js';
import { asFault } from './faults.js';

/** Longest wait for others to let go of the tables. */
const LOCK_TIMEOUT = '30s';

/**
 * Drops the schema of a copy of the chain with all that is in it; returns whether there was one. Refused while a
 * populator works on it, and where the schema holds something else: a name given by mistake costs nothing.
 */
export async function dropCopy(database: Database): Promise<boolean> {
  const { schema } = database;
  const client = await database.connect();
  const one = async <T extends object>(text: string, values: unknown[] = []): Promise<T | undefined> =>
    (await client.query<T>(text, values)).rows[0];
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('mdw migrate ' || $1, 0))`, [schema]);
    const found = await one<{ tables: string; own: boolean; written: boolean }>(
      `SELECT
        (SELECT count(*) FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) AS tables,
        to_regclass($2) IS NOT NULL AS own,
        to_regclass($3) IS NOT NULL AS written
      FROM pg_namespace AS n WHERE n.nspname = $1`,
      [schema, `"${schema}".migrations`, `"${schema}".writer`],
    );
    if (found === undefined) return false;
    if (!found.own && found.tables !== '0') {
      throw refused(
        'not_a_copy',
        `The schema ${schema} holds something else than a copy of the chain: it is left alone`,
      );
    }
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const writer = found.written
      ? await one<{ holder: string }>('SELECT holder FROM writer WHERE ends_at > clock_timestamp() FOR UPDATE')
      : undefined;
    if (writer !== undefined) {
      throw refused('copy_in_use', `The populator ${writer.holder} works on the schema ${schema}: stop it first`);
    }
    await client.query(`DROP SCHEMA "${schema}" CASCADE`);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    throw asFault(error, 'drop');
  } finally {
    await client.end();
  }
}

const refused = (code: string, message: string): MiddlewareError => new MiddlewareError('conflict', code, message);
