import pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import { queryable } from '../connection/database.js';
import type { Database, Queryable } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { MIGRATIONS, refuseNewer, schemaState } from './migrate.js';
import type { SchemaState } from './migrate.js';
import { migrationText, namesOf } from './migrations.js';
import { listed, objectsIn } from './ownership.js';
import { NO_PROOF, readProof } from './proof.js';
import type { Proof } from './proof.js';
import { addServing, enterSchema, readServing } from './serving.js';
import type { Entry } from './serving.js';

/** Max wait for the locks of the tables. */
const LOCK_TIMEOUT = '30s';

/** `emptied`: the schema itself stays, because the user could not create it again; `empty`: there was nothing in it. */
export type Dropped = 'dropped' | 'emptied' | 'empty' | 'absent';

/** What a drop for an operator does besides. */
interface ForOperator {
  /** Schema of the copy that serves. */
  serving: string;
  /** Whether the dropped copy may have more proven work than the copy that serves, because a person named it. */
  anyWork: boolean;
  /** Recorded in the copy that serves. Without it, and if nothing was ever recorded, it is recorded that the copy serves. */
  entry?: Entry | undefined;
}

/** The first row: the copy that serves before any reload is recorded, also one that a reload of an older version made. */
const FIRST: Entry = { step: 'switched', reload: '', result: null };

/**
 * Drops a copy of the chain: the objects that its migrations created, by their down scripts, and then the schema. Throws and changes
 * nothing while a populator works on it (`copy_in_use`), without a row of the product in `marker` (`copy_unmarked`), and if the schema
 * contains other objects (`not_a_copy`). For an operator also if it has more proven work than the copy that serves (`copy_ahead`), which is
 * compared in the database transaction of the drop.
 */
export async function dropCopy(database: Database, operator?: ForOperator): Promise<Dropped> {
  const { schema } = database;
  const client = await database.connect();
  const db = queryable(client);
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('mdw migrate ' || $1, 0))`, [schema]);
    const { rows: schemas } = await client.query<{ removable: boolean }>(
      `SELECT pg_has_role(nspowner, 'USAGE') AND has_database_privilege(current_database(), 'CREATE') AS removable
      FROM pg_namespace WHERE nspname = $1`,
      [schema],
    );
    const objects = await objectsIn(db);
    const isEmpty = objects.length === 0;
    const scripts = isEmpty ? [] : await downScripts(db, schema, objects);
    if (scripts.length > 0) await refuseUnmarked(db, schema);

    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    if (scripts.length > 0) await refuseWorkedOn(db, schema);
    const proof = scripts.length > 0 && operator !== undefined ? await readProof(db) : NO_PROOF;
    // Without CASCADE: if an object was added meanwhile, or an object in another schema depends on the tables, the server refuses.
    for (const script of isEmpty ? [] : [...scripts, 'DROP TABLE migrations']) await client.query(script);
    if (!isEmpty && schemas[0]?.removable === true) await client.query(`DROP SCHEMA "${schema}"`);
    if (operator !== undefined) await conclude(db, schema, proof, operator);
    await client.query('COMMIT');
    if (schemas[0] === undefined) return 'absent';
    if (isEmpty) return 'empty';
    return schemas[0].removable ? 'dropped' : 'emptied';
  } catch (error) {
    throw isForeignUse(error) ? notACopy(schema, error.detail ?? error.message) : asFault(error, 'drop');
  } finally {
    await client.end();
  }
}

/** The scripts that drop the objects of the schema. Throws if others made some of them, or a newer version. */
async function downScripts(
  db: Queryable,
  schema: string,
  objects: Awaited<ReturnType<typeof objectsIn>>,
): Promise<string[]> {
  const state = await ownState(db, schema);
  refuseNewer(state.unknown);
  const scripts = await Promise.all(state.applied.reverse().map((name) => migrationText(name, 'down')));
  const created = new Set([MIGRATIONS, ...scripts.flatMap(namesOf)]);
  const others = objects.filter(({ kind, name }) => !created.has(`${kind} ${name}`));
  if (others.length > 0) throw notACopy(schema, listed(others.map(({ label }) => label)));
  return scripts;
}

/**
 * Ends a drop for an operator. The proof of the copy that serves is read last, because its populator cannot commit from then until the end
 * of the database transaction.
 */
async function conclude(tx: Queryable, schema: string, dropped: Proof, operator: ForOperator): Promise<void> {
  const { serving, anyWork, entry } = operator;
  await enterSchema(tx, serving);
  if (!anyWork) {
    const remaining = await lockedProof(tx);
    if (dropped.work > remaining.work) {
      const message =
        `The copy in schema ${schema} is proven up to height ${dropped.provenHeight} and has more proven work than that in schema ` +
        `${serving}, which serves and is proven up to height ${remaining.provenHeight}: nothing was dropped`;
      throw new MiddlewareError('copy_ahead', message);
    }
  }
  const isFirst = (await readServing(tx))?.length === 0;
  const added = entry ?? (isFirst ? FIRST : undefined);
  if (added !== undefined) await addServing(tx, { schema: serving, other: schema }, added);
}

async function lockedProof(tx: Queryable): Promise<Proof> {
  const { rows: tables } = await tx.query<{ found: boolean }>({
    name: 'drop.chain',
    text: `SELECT to_regclass('chain') IS NOT NULL AS found`,
  });
  if (tables[0]?.found !== true) return NO_PROOF;
  await tx.query({ name: 'drop.share', text: 'SELECT FROM chain FOR SHARE' });
  return readProof(tx);
}

/** The state of the schema; throws `not_a_copy` in place of `schema_foreign`. */
async function ownState(db: Queryable, schema: string): Promise<SchemaState> {
  try {
    return await schemaState(db);
  } catch (error) {
    if (!(error instanceof MiddlewareError) || error.code !== 'schema_foreign') throw error;
    throw notACopy(schema, String(error.details['objects']));
  }
}

/** SQLSTATEs of a drop without CASCADE: other objects depend on a dropped one, or have the same name. */
const isForeignUse = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && ['2BP01', '42725'].includes(error.code ?? '');

async function refuseUnmarked(db: Queryable, schema: string): Promise<void> {
  const { rows: tables } = await db.query<{ found: boolean }>({
    name: 'drop.marker',
    text: `SELECT to_regclass('marker') IS NOT NULL AS found`,
  });
  if (tables[0]?.found === true) {
    const { rows } = await db.query({
      name: 'drop.marked',
      text: `SELECT FROM marker WHERE product = 'chain-middleware'`,
    });
    if (rows.length > 0) return;
  }
  const message = `The schema ${schema} is not marked as a copy of the chain: run mdw migrate on it first, which marks it`;
  throw new MiddlewareError('copy_unmarked', message);
}

async function refuseWorkedOn(db: Queryable, schema: string): Promise<void> {
  const { rows } = await db.query<{ holder: string }>({
    name: 'drop.holder',
    text: 'SELECT holder FROM writer WHERE ends_at > clock_timestamp() FOR UPDATE',
  });
  if (rows[0] === undefined) return;
  const message = `The populator ${rows[0].holder} works on the schema ${schema}: stop it first`;
  throw new MiddlewareError('copy_in_use', message);
}

const notACopy = (schema: string, what: string): MiddlewareError =>
  new MiddlewareError(
    'not_a_copy',
    `The schema ${schema} contains other objects than a copy of the chain, so nothing was dropped: ${what}`,
  );
