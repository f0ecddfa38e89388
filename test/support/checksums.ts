/** What tables hold, in one number for each: copies that are too large for a dump are compared by it. */
import pg from 'pg';
import { dumpStatements } from './dump.js';

/** Number of rows and sum of their hashes, by table. */
export type Checksums = Record<string, string>;

/** Reads as the administrator, who may take as long as it takes. */
export async function readSlowly<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=mdw' });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

async function checksums(
  url: string,
  statements: readonly (readonly [table: string, text: string])[],
): Promise<Checksums> {
  const found: Checksums = {};
  for (const [table, text] of statements) {
    const [row] = await readSlowly<{ sum: string }>(
      url,
      `SELECT concat(count(*), ' rows ', sum(hashtextextended(r::text, 0)::numeric)) AS sum FROM (${text}) AS r`,
    );
    found[table] = row!.sum;
  }
  return found;
}

/** Of the rows of all tables as they are stored, without those that are named. */
export async function storedChecksums(url: string, without: readonly string[]): Promise<Checksums> {
  const rows = await readSlowly<{ name: string }>(
    url,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'mdw' ORDER BY tablename`,
  );
  return checksums(
    url,
    rows.flatMap(({ name }) => (without.includes(name) ? [] : [[name, `SELECT * FROM ${name}`] as const])),
  );
}

/** Of what a dump has: two copies of the same chain have the same. */
export const chainChecksums = (url: string): Promise<Checksums> => checksums(url, dumpStatements());
