/** Gives the copy of a chain that is no more another name, so that the chain which began anew gets a copy of its own. */
import { MiddlewareError } from '../../observe/errors.js';
import type { Identity } from '../chain-state.js';
import type { Database, DbTransaction } from '../connection/database.js';
import { migrate } from './migrate.js';

/** Names of PostgreSQL have at most 63 characters, and those of copies 41. */
const MAX_PREFIX = 30;
/** Characters of the genesis hash in the new name. */
const SHOWN = 8;

/**
 * Renames the schema of this copy and makes an empty copy under the old name. Numbers of commits and events continue above those of the old copy,
 * so that servers know that what they read before is no more. `fence`: refuses if another process populates. Returns the new name of the old copy.
 * Throws `wrong_chain` if this user may not rename the schema, and does nothing then.
 */
export async function setAside(
  database: Database,
  { genesisHash }: Identity,
  fence: (tx: DbTransaction) => Promise<void>,
): Promise<string> {
  const { schema } = database;
  const old = await database.transaction(async (tx) => {
    await fence(tx);
    await refuseWithoutRights(tx, schema);
    const { rows: numbers } = await tx.query<{ epoch: string; seq: string }>({
      name: 'set-aside.numbers',
      text: 'SELECT epoch, event_seq AS seq FROM writer, chain',
    });
    const name = await freeName(tx, `${schema.slice(0, MAX_PREFIX)}_${genesisHash.slice(3, 3 + SHOWN).toLowerCase()}`);
    await tx.query({ name: '', text: `ALTER SCHEMA "${schema}" RENAME TO "${name}"` });
    return { name, ...numbers[0]! };
  });
  await migrate(database);
  await database.transaction(async (tx) => {
    await tx.query({ name: 'set-aside.epoch', text: 'UPDATE writer SET epoch = $1::bigint + 1', values: [old.epoch] });
    // With one number left out, readers of the log notice that it does not continue.
    await tx.query({ name: 'set-aside.seq', text: 'UPDATE chain SET event_seq = $1::bigint + 1', values: [old.seq] });
  });
  return old.name;
}

async function refuseWithoutRights(tx: DbTransaction, schema: string): Promise<void> {
  const { rows } = await tx.query<{ may: boolean }>({
    name: 'set-aside.rights',
    text: `
      SELECT pg_has_role(nspowner, 'USAGE') AND has_database_privilege(current_database(), 'CREATE') AS may
      FROM pg_namespace WHERE nspname = $1`,
    values: [schema],
  });
  if (rows[0]?.may === true) return;
  throw new MiddlewareError(
    'wrong_chain',
    `The chain began anew, and NEW_GENESIS=new_copy cannot rename the schema ${schema}: that needs its owner, with the right to create schemas. Or drop the copy: mdw drop ${schema}`,
  );
}

/** The name, or with a number at its end if there is such a schema. */
async function freeName(tx: DbTransaction, name: string): Promise<string> {
  const { rows } = await tx.query<{ nspname: string }>({
    name: 'set-aside.names',
    text: 'SELECT nspname FROM pg_namespace WHERE starts_with(nspname::text, $1)',
    values: [name],
  });
  const taken = new Set(rows.map(({ nspname }) => nspname));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}
