import { expect } from 'chai';
import pg from 'pg';
import { MiddlewareError } from '../../src/observe/errors.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { dropCopy } from '../../src/store/schema/drop.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { migrationNames, migrationText, namesOf } from '../../src/store/schema/migrations.js';
import { objectsIn } from '../../src/store/schema/ownership.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('a copy of the chain in a schema', () => {
  let server: TestDatabase;
  let client: pg.Client;
  let number = 0;
  let schema: string;
  let copy: Database;

  before(async () => {
    server = await testDatabase();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await server.drop();
  });
  beforeEach(() => {
    schema = `copy_${++number}`;
    copy = createDatabase({ url: server.url, schema, poolSize: 2, statementTimeoutMs: 0, logger: silent });
  });
  afterEach(() => copy.close());

  /** All objects in the schema, to compare them before and after. */
  const contents = async (): Promise<string[]> =>
    (
      await client.query<{ name: string }>(
        `SELECT pg_describe_object(d.classid, d.objid, 0) AS name FROM pg_depend AS d
         WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = to_regnamespace($1) ORDER BY 1`,
        [schema],
      )
    ).rows.map(({ name }) => name);
  const exists = async (): Promise<boolean> =>
    (await client.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [schema])).rows[0]!
      .found;
  const refusal = async (work: Promise<unknown>): Promise<MiddlewareError> => {
    const error = await rejection(work);
    if (!(error instanceof MiddlewareError)) throw error;
    return error;
  };

  it('consists of exactly the objects that the down scripts of the migrations drop', async () => {
    await migrate(copy);
    const scripts = await Promise.all((await migrationNames()).map((name) => migrationText(name, 'down')));
    // Objects of a partitioned copy are dropped with IF EXISTS; test/store/partitioned.test.ts checks these.
    const always = scripts.map((script) => script.replaceAll(/^DROP \w+ IF EXISTS .*$/gm, ''));
    const objects = (await objectsIn(copy)).map(({ kind, name }) => `${kind} ${name}`);
    expect([...new Set(objects)].sort()).to.deep.equal(
      ['table migrations', ...new Set(always.flatMap(namesOf))].sort(),
    );
  });

  it('has a row in marker with product, its own id and the time of its first migration', async () => {
    await migrate(copy);
    const other = createDatabase({
      url: server.url,
      schema: `${schema}_too`,
      poolSize: 2,
      statementTimeoutMs: 0,
      logger: silent,
    });
    await migrate(other);
    await other.close();
    const markerOf = async (of: string): Promise<Record<string, unknown>> =>
      (
        await client.query<Record<string, unknown>>(
          `SELECT product, id, created_at = (SELECT min(applied_at) FROM ${of}.migrations) AS made_then FROM ${of}.marker`,
        )
      ).rows[0]!;
    const [one, two] = [await markerOf(schema), await markerOf(`${schema}_too`)];
    expect([one['product'], one['made_then']]).to.deep.equal(['chain-middleware', true]);
    expect(one['id']).to.match(/^[0-9a-f]{8}-/);
    expect(two['id']).to.not.equal(one['id']);
  });

  it('is dropped with its schema', async () => {
    await migrate(copy);
    expect(await dropCopy(copy)).to.equal('dropped');
    expect(await exists()).to.equal(false);
    expect(await dropCopy(copy)).to.equal('absent');
  });

  const OTHER_OBJECTS: [what: string, made: string, listed: string][] = [
    ['table', 'CREATE TABLE @.customers (a int)', 'table customers'],
    ['table with a serial column', 'CREATE TABLE @.customers (a serial)', 'table customers'],
    ['view', 'CREATE VIEW @.tall AS SELECT 1 AS one', 'view tall'],
    ['view of the tables of the copy', 'CREATE VIEW @.tall AS SELECT height FROM @.key_blocks', 'view tall'],
    ['materialized view', 'CREATE MATERIALIZED VIEW @.tall AS SELECT 1 AS one', 'materialized view tall'],
    ['function', `CREATE FUNCTION @.one() RETURNS int LANGUAGE sql AS 'SELECT 1'`, 'function one()'],
    [
      'function with the name of one of the copy',
      `CREATE FUNCTION @.settle(int) RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      '"settle"',
    ],
    ['sequence', 'CREATE SEQUENCE @.numbers', 'sequence numbers'],
    ['type', `CREATE TYPE @.mood AS ENUM ('fine')`, 'type mood'],
  ];
  for (const [what, made, listed] of OTHER_OBJECTS) {
    it(`is not dropped while its schema has another ${what}: the message lists it, and nothing is changed`, async () => {
      await migrate(copy);
      await client.query(made.replaceAll('@', schema));
      const before = await contents();

      const { code, message } = await refusal(dropCopy(copy));

      expect(code).to.equal('not_a_copy');
      expect(message).to.contain(listed);
      expect(await contents()).to.deep.equal(before);
    });
  }

  it('is not dropped while a view in another schema reads it', async () => {
    await migrate(copy);
    await client.query(`CREATE SCHEMA ${schema}_reports CREATE VIEW tall AS SELECT height FROM ${schema}.key_blocks`);
    const before = await contents();

    const { code, message } = await refusal(dropCopy(copy));

    expect(code).to.equal('not_a_copy');
    expect(message).to.contain(`${schema}_reports.tall`);
    expect(await contents()).to.deep.equal(before);
    expect((await client.query(`SELECT * FROM ${schema}_reports.tall`)).rows).to.deep.equal([]);
  });

  it('is not dropped if there are many other objects, and the message lists the first 20', async () => {
    await migrate(copy);
    for (let i = 10; i < 50; i++) await client.query(`CREATE TABLE ${schema}.other_${i} (a int)`);
    const { message } = await refusal(dropCopy(copy));
    expect(message)
      .to.contain('table other_10')
      .and.to.match(/ and 20 more\b/);
    expect(message.match(/other_/g)).to.have.length(20);
  });

  it('is not dropped without a row in marker, which migrating a copy of an earlier version adds', async () => {
    await migrate(copy);
    await client.query(
      `DROP TABLE ${schema}.marker; DELETE FROM ${schema}.migrations WHERE name = '0002_marker';
       UPDATE ${schema}.migrations SET applied_at = '2020-02-02T02:02:02Z'`,
    );
    const before = await contents();
    const { code, message } = await refusal(dropCopy(copy));
    expect([code, message]).to.deep.equal([
      'copy_unmarked',
      `The schema ${schema} is not marked as a copy of the chain: run mdw migrate on it first, which marks it`,
    ]);
    expect(await contents()).to.deep.equal(before);

    expect(await migrate(copy)).to.deep.equal(['0002_marker']);
    const { rows } = await client.query<{ at: Date }>(`SELECT created_at AS at FROM ${schema}.marker`);
    expect(rows[0]?.at.toISOString()).to.equal('2020-02-02T02:02:02.000Z');
    expect(await dropCopy(copy)).to.equal('dropped');
  });

  it('is not dropped if marker has the row of another product', async () => {
    await migrate(copy);
    await client.query(`UPDATE ${schema}.marker SET product = 'something-else'`);
    expect(await refusal(dropCopy(copy))).to.include({ code: 'copy_unmarked' });
    expect(await exists()).to.equal(true);
  });

  it('is not dropped by a version older than the one that migrated it', async () => {
    await migrate(copy);
    await client.query(`INSERT INTO ${schema}.migrations (name) VALUES ('9999_later')`);
    const before = await contents();
    expect(await refusal(dropCopy(copy))).to.include({ code: 'schema_newer' });
    expect(await contents()).to.deep.equal(before);
  });

  it('is not in an empty schema, which is kept', async () => {
    await client.query(`CREATE SCHEMA ${schema}`);
    expect(await dropCopy(copy)).to.equal('empty');
    expect(await exists()).to.equal(true);
  });

  const OTHER_SCHEMAS: [what: string, made: string, listed: RegExp][] = [
    ['other tables', 'CREATE TABLE @.customers (a int)', /table customers/],
    ['another function', `CREATE FUNCTION @.one() RETURNS int LANGUAGE sql AS 'SELECT 1'`, /function one\(\)/],
    [
      'a table migrations of knex',
      'CREATE TABLE @.migrations (id serial PRIMARY KEY, name text, batch int, migration_time timestamptz)',
      /table migrations/,
    ],
    ['a table migrations of umzug', 'CREATE TABLE @.migrations (name varchar(255) PRIMARY KEY)', /table migrations/],
    [
      'a table migrations with the same columns and other migrations',
      `CREATE TABLE @.migrations (name text PRIMARY KEY, applied_at timestamptz); INSERT INTO @.migrations VALUES ('1_customers', now())`,
      /table migrations/,
    ],
    [
      'an empty table migrations with the same columns, and another table',
      'CREATE TABLE @.migrations (name text PRIMARY KEY, applied_at timestamptz); CREATE TABLE @.customers (a int)',
      /table customers/,
    ],
  ];
  for (const [what, made, listed] of OTHER_SCHEMAS) {
    it(`is not created in a schema with ${what}, and that is not dropped`, async () => {
      await client.query(`CREATE SCHEMA ${schema}`);
      await client.query(made.replaceAll('@', schema));
      const before = await contents();

      const first = await refusal(migrate(copy));
      const second = await refusal(dropCopy(copy));

      expect([first.code, second.code]).to.deep.equal(['schema_foreign', 'not_a_copy']);
      expect(first.message).to.match(listed);
      expect(second.message).to.match(listed);
      expect(await contents()).to.deep.equal(before);
    });
  }
});
