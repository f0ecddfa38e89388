/** The partitioned layout has the same objects as the plain one, and only an empty copy gets it. */
import { expect } from 'chai';
import pg from 'pg';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { transactionHashes } from '../../src/store/projections/transaction-hashes.js';
import { dropCopy } from '../../src/store/schema/drop.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { migrationNames, migrationText, namesOf } from '../../src/store/schema/migrations.js';
import { objectsIn } from '../../src/store/schema/ownership.js';
import { partition, refuseUnpartitionable } from '../../src/store/schema/partition.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

/** Columns, indexes, constraints, triggers and views of all tables and views except partitions, one a line, without their schema. */
async function shapeOf({ query, schema }: Database): Promise<string[]> {
  const { rows } = await query<{ line: string }>({
    name: 'test.shape',
    text: `
      WITH whole AS (
        SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
      )
      SELECT concat_ws(' ', 'column', c.relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        pg_get_expr(adbin, adrelid)) AS line
      FROM whole AS c JOIN pg_attribute AS a ON attrelid = c.oid LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
      WHERE attnum > 0
      UNION ALL
      SELECT concat_ws(' ', 'index', replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '))
      FROM whole AS c JOIN pg_index AS i ON i.indrelid = c.oid
      UNION ALL
      SELECT concat_ws(' ', 'constraint', c.relname, conname, pg_get_constraintdef(k.oid))
      FROM whole AS c JOIN pg_constraint AS k ON k.conrelid = c.oid
      UNION ALL
      SELECT pg_get_triggerdef(t.oid) FROM whole AS c JOIN pg_trigger AS t ON t.tgrelid = c.oid WHERE NOT tgisinternal
      UNION ALL
      SELECT concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) FROM whole WHERE relkind = 'v'`,
  });
  return rows.map(({ line }) => line.replaceAll(schema, 'copy')).sort();
}

describe('the partitioned layout', () => {
  let server: TestDatabase;
  let client: pg.Client;
  let copy: Database;
  let number = 0;

  const open = (schema: string): Database =>
    createDatabase({ url: server.url, schema, poolSize: 2, statementTimeoutMs: 0, logger: silent });
  /** Makes the copy with small partitions. Later statements of the client use it. */
  const makeSmall = async (): Promise<void> => {
    await migrate(copy);
    await partition(copy, { generations: 10, ranges: 4, lists: 2 });
    await client.query(`SET search_path TO ${copy.schema}`);
  };
  const row = (position: number | bigint, hash: string): string =>
    `INSERT INTO transactions VALUES (${position}, '${hash}', 1, true, 1, 1, 1, 2, '');`;

  before(async () => {
    server = await testDatabase();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await server.drop();
  });
  beforeEach(() => (copy = open(`layout_${++number}`)));
  afterEach(() => copy.close());

  it('has all columns, indexes, constraints, triggers and views of the plain one, and hashes in a table of their own', async () => {
    const plain = open(`layout_${++number}`);
    await migrate(plain);
    await migrate(copy);
    expect(await partition(copy)).to.equal(true);
    const [of, as] = [await shapeOf(copy), await shapeOf(plain)];
    await plain.close();

    const only = (one: string[], other: string[]): string[] =>
      one.filter((line) => !other.includes(line)).map((line) => line.replaceAll(/\s+/g, ' ').trim());
    expect(only(as, of).map((line) => line.replace(/ (\(hash\)|ON copy|SELECT).*/, ''))).to.deep.equal([
      'constraint transactions transactions_hash_key UNIQUE',
      'index CREATE UNIQUE INDEX transactions_hash_key',
      'view transactions_by_hash',
    ]);
    expect(
      only(of, as)
        .filter((line) => !line.includes('not_null'))
        .map((line) => line.replace(/ (ON copy|AFTER|SELECT).*/, '')),
    ).to.deep.equal([
      'CREATE TRIGGER transactions_hashes_change',
      'CREATE TRIGGER transactions_hashes_come',
      'CREATE TRIGGER transactions_hashes_go',
      'column transaction_hashes 1 hash text t',
      'column transaction_hashes 2 position bigint t',
      'constraint transaction_hashes transactions_hash_key PRIMARY KEY (hash) DEFERRABLE',
      'index CREATE INDEX transactions_hash_idx',
      'index CREATE UNIQUE INDEX transactions_hash_key',
      'view transactions_by_hash',
    ]);
  });

  it('is kept by later calls, which change nothing', async () => {
    await migrate(copy);
    expect(await partition(copy)).to.equal(true);
    const before = await shapeOf(copy);
    await refuseUnpartitionable(copy);
    expect([await migrate(copy), await partition(copy)]).to.deep.equal([[], false]);
    expect(await shapeOf(copy)).to.deep.equal(before);
  });

  it('is dropped whole by the scripts of the migrations', async () => {
    await migrate(copy);
    await partition(copy);
    const scripts = await Promise.all((await migrationNames()).map((name) => migrationText(name, 'down')));
    const objects = (await objectsIn(copy)).map(({ kind, name }) => `${kind} ${name}`);
    expect([...new Set(objects)].sort()).to.deep.equal(
      ['table migrations', ...new Set(scripts.flatMap(namesOf))].sort(),
    );
    expect(await dropCopy(copy)).to.equal('dropped');
    expect((await client.query(`SELECT to_regnamespace('${copy.schema}') AS found`)).rows).to.deep.equal([
      { found: null },
    ]);
  });

  it('is refused where a chain is stored, before and after the migrations, and changes nothing', async () => {
    await migrate(copy);
    await client.query(`INSERT INTO ${copy.schema}.infos VALUES (1, '{}')`);
    const before = await shapeOf(copy);
    for (const work of [refuseUnpartitionable, (of: Database) => partition(of)]) {
      const error = await rejection(work(copy));
      expect(error).to.include({ code: 'copy_not_empty' });
      expect(String(error)).to.contain('infos has rows');
    }
    expect(await shapeOf(copy)).to.deep.equal(before);
  });

  it('stores each height in a partition, up to the largest', async () => {
    await migrate(copy);
    await partition(copy);
    await client.query(`
      INSERT INTO ${copy.schema}.infos
      SELECT h << 33, '{}' FROM unnest(ARRAY[0, 199999, 200000, 3199999, 3200000, 1000000000]::bigint[]) AS h`);
    const { rows } = await client.query<{ of: string }>(
      `SELECT string_agg(tableoid::regclass::text, ' ' ORDER BY position) AS of FROM ${copy.schema}.infos`,
    );
    expect(rows[0]!.of.replaceAll(`${copy.schema}.infos_`, '')).to.equal('0 0 1 15 16 16');
  });

  it('holds each hash once, under the name that the populator knows, and looks it up in one partition', async () => {
    await makeSmall();
    await client.query(`INSERT INTO transactions
      SELECT (h << 33) + i, h || '/' || i, 1, true, 1, 1, 1, 2, repeat(' ', 300)
      FROM generate_series(0, 49::bigint) AS h, generate_series(0, 99::bigint) AS i`);
    await client.query('ANALYZE');
    const second = await rejection(
      client.query(`INSERT INTO transactions SELECT 500::bigint << 33, '7/7', 1, true, 1, 1, 1, 2, ''`),
    );
    expect(second).to.include({ code: '23505', constraint: 'transactions_hash_key' });

    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT body FROM transactions_by_hash WHERE hash = '17/3'`,
    );
    const ran = rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /Scan/.test(line) && !line.includes('never executed'));
    expect(ran).to.have.length(2);
    expect(ran.join()).to.match(/on transaction_hashes.*on transactions_1 /);
  });

  it('never returns another transaction for a hash, whatever position is stored with it', async () => {
    await makeSmall();
    await client.query(`${row(1, 'a')} ${row(2, 'b')}`);
    await client.query(`UPDATE transaction_hashes SET position = 2 WHERE hash = 'a'`);
    const { rows } = await client.query<{ hash: string }>('SELECT hash FROM transactions_by_hash ORDER BY hash');
    expect(rows).to.deep.equal([{ hash: 'b' }]);
  });

  it('keeps its hashes while a transaction has two rows, is changed and is removed', async () => {
    await makeSmall();
    const hashes = async (): Promise<unknown> =>
      (
        await client.query(
          `SELECT string_agg(hash || ' ' || position, ',' ORDER BY hash) AS all FROM transaction_hashes`,
        )
      ).rows[0];
    await client.query(`${row(1, 'a')} ${row(2, 'b')}`);
    await client.query(`BEGIN; SET CONSTRAINTS ALL DEFERRED; ${row(30n << 33n, 'a')}
      DELETE FROM transactions WHERE position = 1; COMMIT`);
    expect(await hashes()).to.deep.equal({ all: `a ${30n << 33n},b 2` });
    await client.query(
      `UPDATE transactions SET hash = 'c' WHERE hash = 'b'; DELETE FROM transactions WHERE hash = 'a'`,
    );
    expect(await hashes()).to.deep.equal({ all: 'c 2' });
  });

  it('stores a transaction again whose hash was stored with a wrong position', async () => {
    await makeSmall();
    await client.query(`${row(1, 'a')} ${row(2, 'b')} ${row(3, 'c')}`);
    // To another transaction, and to none.
    await client.query(
      `UPDATE transaction_hashes SET position = CASE hash WHEN 'a' THEN 2 ELSE 9 END WHERE hash <> 'b'`,
    );
    await client.query(`DELETE FROM transactions WHERE hash <> 'b'; ${row(5, 'a')} ${row(6, 'c')}`);
    const { rows } = await client.query('SELECT hash, position FROM transaction_hashes ORDER BY hash');
    expect(rows).to.deep.equal([
      { hash: 'a', position: '5' },
      { hash: 'b', position: '2' },
      { hash: 'c', position: '6' },
    ]);
  });

  it('finds and deletes hashes that no transaction has, and no others', async () => {
    await makeSmall();
    await client.query(`${row(1, 'a')} ${row(2, 'b')}`);
    const { wholeChecks, mend } = transactionHashes;
    const [verify] = wholeChecks!;
    const stray = async (): Promise<string[]> => (await verify!(copy)).map(({ key }) => key.join()).sort();
    expect(await stray()).to.deep.equal([]);
    await client.query(`INSERT INTO transaction_hashes VALUES ('second of b', 2), ('of none', 3)`);
    const found = await stray();
    expect(found).to.deep.equal(['of none', 'second of b']);
    await mend!(
      (work) => copy.transaction(work),
      () => [...found, 'a', 'b'].map((hash) => [hash]),
    );
    expect(await stray()).to.deep.equal([]);
    const { rows } = await client.query('SELECT hash FROM transaction_hashes ORDER BY hash');
    expect(rows).to.deep.equal([{ hash: 'a' }, { hash: 'b' }]);
  });
});
