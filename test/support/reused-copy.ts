/** A copy that is emptied between the rounds of a test: that takes much less time than the migrations of a new one. */
import pg from 'pg';
import type { Database } from '../../src/store/connection/database.js';
import { asRole, emptyCopy, openAs, tamper } from './roles.js';

export interface ReusedCopy {
  /** The empty copy, opened as the populator. */
  open(): Promise<Database>;
  /** The same with what is stored. */
  reopen(): Promise<Database>;
  /** Hash and text of each block and transaction that was committed since it was opened, also if it was removed again. */
  committed(): Promise<{ hash: string; body: string }[]>;
  close(): Promise<void>;
}

export async function reusedCopy(url: string, schema: string): Promise<ReusedCopy> {
  const kept = `${schema}_kept`;
  const first = await emptyCopy(url, schema);
  const triggers = ['key_blocks', 'micro_blocks', 'transactions'].map(
    (table) => `
      CREATE TRIGGER keep AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION ${kept}.keep()`,
  );
  await tamper(first, [
    `CREATE SCHEMA ${kept}`,
    `GRANT USAGE ON SCHEMA ${kept} TO PUBLIC`,
    `CREATE TABLE ${kept}.contents (hash text NOT NULL, body text NOT NULL)`,
    `CREATE FUNCTION ${kept}.keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO ${kept}.contents SELECT hash, body FROM added; RETURN NULL; END'`,
    ...triggers,
  ]);
  await first.close();
  const hand = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await hand.connect();
  const { rows } = await hand.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' AND tablename NOT IN ('migrations', 'marker')`,
  );
  const tables = rows.map(({ name }) => name);
  const filled: string[] = [];
  for (const table of tables) {
    const { rowCount } = await hand.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount === 0) continue;
    filled.push(table);
    await hand.query(`CREATE TABLE ${kept}.${table} AS SELECT * FROM ${table}`);
  }
  const empty = [
    `TRUNCATE ${kept}.contents, ${tables.join(', ')} RESTART IDENTITY`,
    ...filled.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${kept}.${table}`),
  ].join('; ');
  const reopen = (): Promise<Database> => Promise.resolve(openAs(asRole(url, 'populate'), schema));
  return {
    async open() {
      await hand.query(empty);
      return reopen();
    },
    reopen,
    async committed() {
      const { rows: contents } = await hand.query<{ hash: string; body: string }>(
        `SELECT DISTINCT hash, body FROM ${kept}.contents`,
      );
      return contents;
    },
    close: () => hand.end(),
  };
}
