/** Reads which copies of the chain there are, and which one served last. Writes nothing. */
import { MiddlewareError } from '../../observe/errors.js';
import { queryable } from '../connection/database.js';
import type { Database, Queryable } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { schemaState } from './migrate.js';
import { readProof } from './proof.js';
import type { Proof } from './proof.js';
import { enterSchema, joinedRows, readServing } from './serving.js';
import type { ServingRow } from './serving.js';

interface Survey {
  /** Schemas without a copy are left out. */
  copies: ({ schema: string } & Proof)[];
  /** Rows of all copies, oldest first. */
  serving: ServingRow[];
}

/**
 * Reads the copies in these schemas, of any version, as of one moment. Throws `missing_right` if the role may not use one of the
 * schemas: a copy that cannot be read must not count as absent.
 */
export async function surveyCopies(database: Database, schemas: readonly string[]): Promise<Survey> {
  const client = await database.connect();
  const tx = queryable(client);
  const copies: Survey['copies'] = [];
  const rows: ServingRow[][] = [];
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const schema of schemas) {
      await enterSchema(tx, schema);
      if (!(await isUsable(tx, schema)) || !(await isCopy(tx))) continue;
      copies.push({ schema, ...(await readProof(tx)) });
      rows.push((await readServing(tx)) ?? []);
    }
    await client.query('COMMIT');
    return { copies, serving: joinedRows(...rows) };
  } catch (error) {
    throw asFault(error, 'survey');
  } finally {
    await client.end();
  }
}

async function isUsable(db: Queryable, schema: string): Promise<boolean> {
  const { rows } = await db.query<{ usable: boolean }>({
    name: 'survey.schema',
    text: `SELECT has_schema_privilege(oid, 'USAGE') AS usable FROM pg_namespace WHERE nspname = $1`,
    values: [schema],
  });
  if (rows[0]?.usable === false) {
    throw new MiddlewareError('missing_right', `The role has no right to use the schema ${schema}`);
  }
  return rows.length > 0;
}

/** Whether the current schema has a copy. Objects of others are no copy: the migration reports them. */
async function isCopy(db: Queryable): Promise<boolean> {
  try {
    return (await schemaState(db)).applied.length > 0;
  } catch (error) {
    if (error instanceof MiddlewareError && error.code === 'schema_foreign') return false;
    throw error;
  }
}
