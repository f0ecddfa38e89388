/** Writes `migrations/schema.json`: what the migrations make, to which `mdw -v` and the background verification compare a copy. */
import { writeFileSync } from 'node:fs';
import { createDatabase } from '../src/store/connection/database.js';
import type { Queryable } from '../src/store/connection/database.js';
import { describeSchema } from '../src/store/schema/describe.js';
import type { ExpectedSchema, SchemaFile } from '../src/store/schema/expected.js';
import { migrate } from '../src/store/schema/migrate.js';
import { partition } from '../src/store/schema/partition.js';
import { silent } from '../test/support/copy.js';
import { testDatabase } from '../test/support/postgres.js';

const server = await testDatabase();
try {
  const of = async (schema: string, isPartitioned: boolean): Promise<ExpectedSchema> => {
    const database = createDatabase({ url: server.url, schema, poolSize: 2, statementTimeoutMs: 0, logger: silent });
    await migrate(database);
    if (isPartitioned) await partition(database, { generations: 10, ranges: 4, lists: 2 });
    const objects = await describeSchema(database);
    const views = await viewTexts(database);
    await database.close();
    return { objects: Object.fromEntries(objects.map(({ label, definition }) => [label, definition])), views };
  };
  const plain = await of('plain_layout', false);
  const partitioned = await of('partitioned_layout', true);
  const split = (
    isWanted: (text: string, label: string, among: keyof ExpectedSchema) => boolean,
    from: ExpectedSchema,
  ): ExpectedSchema => {
    const part = (among: keyof ExpectedSchema): Record<string, string> =>
      Object.fromEntries(Object.entries(from[among]).filter(([label, text]) => isWanted(text, label, among)));
    return { objects: part('objects'), views: part('views') };
  };
  const file: SchemaFile = {
    common: split((text, label, among) => partitioned[among][label] === text, plain),
    plain: split((text, label, among) => partitioned[among][label] !== text, plain),
    partitioned: split((text, label, among) => plain[among][label] !== text, partitioned),
  };
  writeFileSync(new URL('../migrations/schema.json', import.meta.url), `${JSON.stringify(file, null, 2)}\n`);
} finally {
  await server.drop();
}

/** The SELECT of each view, as this version of PostgreSQL writes it. */
async function viewTexts(db: Queryable): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; text: string }>({
    name: 'script.views',
    text: `
      SELECT relname AS name, pg_get_viewdef(oid) AS text FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v' ORDER BY relname`,
  });
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}
