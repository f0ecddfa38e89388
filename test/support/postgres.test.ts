import { expect } from 'chai';
import pg from 'pg';
import type { Database } from '../../src/store/connection/database.js';
import { testDatabase } from './postgres.js';
import { emptyCopy } from './roles.js';

/** Relations and functions of a copy with owner and rights, columns, triggers, constraints, and the rights of what is made later. */
async function shapeOf({ query, schema }: Database): Promise<string[]> {
  const { rows } = await query<{ line: string }>({
    name: 'test.shape',
    text: `
      SELECT concat_ws(' ', relkind, relname, relowner::regrole, relacl, reloptions, pg_get_indexdef(c.oid)) AS line
      FROM pg_class AS c WHERE relnamespace = current_schema()::regnamespace
      UNION ALL
      SELECT concat_ws(' ', 'column', c.relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        pg_get_expr(adbin, adrelid))
      FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
      WHERE relnamespace = current_schema()::regnamespace AND attnum > 0
      UNION ALL
      SELECT concat_ws(' ', proname, proowner::regrole, proacl, pg_get_functiondef(oid))
      FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind <> 'a'
      UNION ALL
      SELECT pg_get_triggerdef(t.oid) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = tgrelid
      WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
      UNION ALL
      SELECT concat_ws(' ', conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace
      UNION ALL
      SELECT concat_ws(' ', 'default', defaclrole::regrole, defaclobjtype, defaclacl) FROM pg_default_acl
      WHERE defaclnamespace = current_schema()::regnamespace
      UNION ALL
      SELECT concat_ws(' ', 'schema', nspowner::regrole, nspacl) FROM pg_namespace WHERE nspname = current_schema()
      UNION ALL
      SELECT concat_ws(' ', 'migration', name) FROM migrations`,
  });
  return rows.map(({ line }) => line.replaceAll(schema, 'copy')).sort();
}

async function idOf(database: Database): Promise<string> {
  const { rows } = await database.query<{ id: string }>({ name: 'test.id', text: 'SELECT id FROM marker' });
  return rows[0]!.id;
}

describe('the shared PostgreSQL of the suites', () => {
  it('gives each suite an empty database of its own and takes it back while it is in use', async () => {
    const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE mark (one int)');

    const other = new pg.Client({ connectionString: second.url });
    await other.connect();
    const { rows } = await other.query<{ found: string | null }>(`SELECT to_regclass('mark') AS found`);
    await other.end();
    expect(rows[0]?.found).to.equal(null);

    await first.drop();
    await second.drop();
    expect(first.url).not.to.equal(second.url);
  });

  it('gives a prepared copy once, like one that was migrated in its place', async () => {
    const server = await testDatabase();
    const [prepared, migrated] = [await emptyCopy(server.url, 'copy_1'), await emptyCopy(server.url, 'copy_2')];
    const shapes = [await shapeOf(prepared), await shapeOf(migrated)];
    const ids = [await idOf(prepared), await idOf(migrated)];
    await prepared.close();
    await migrated.close();
    await server.drop();

    expect(shapes[0]).to.have.lengthOf.above(200);
    expect(shapes[0]).to.deep.equal(shapes[1]);
    expect(new Set(ids)).to.have.lengthOf(2);
  });

  it('runs the version asked for', async () => {
    const database = await testDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    await client.end();
    await database.drop();

    expect(Number.parseInt(rows[0]?.server_version ?? '', 10)).to.equal(process.env.POSTGRES === '11' ? 11 : 18);
  });
});
