/** The program of the next version: the built one with one derived table more, that of `logs-by-topic.ts`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describeSchema } from '../../src/store/schema/describe.js';
import type { SchemaFile } from '../../src/store/schema/expected.js';
import { DOWN, MIGRATION, NAME } from './logs-by-topic.js';
import { newerProgram, startMdw } from './mdw.js';
import { administer, asRole, openAs } from './roles.js';

/** The program adds the table to its list before anything else. */
const START = `#!/usr/bin/env node
import { addLogsByTopic } from '../dist/test/support/logs-by-topic.js';
addLogsByTopic(() => undefined);
await import('./mdw.js');
`;

/** Makes the program in a new folder. `url` is that of a database in which its migrations may be tried. Returns the path to start it. */
export async function trialProgram(folder: string, url: string): Promise<string> {
  const bin = join(dirname(newerProgram(folder, { [NAME]: MIGRATION })), 'trial.js');
  writeFileSync(bin, START);
  writeFileSync(join(folder, 'migrations', `${NAME}.down.sql`), DOWN);
  const compiled = join(folder, 'dist', 'test', 'support');
  mkdirSync(compiled, { recursive: true });
  const source = readFileSync(new URL('logs-by-topic.ts', import.meta.url), 'utf8');
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  writeFileSync(
    join(compiled, 'logs-by-topic.js'),
    ts.transpileModule(source, { compilerOptions: options }).outputText,
  );
  await expectItsSchema(folder, bin, url);
  return bin;
}

/** As `npm run schema` does: writes down what the migrations make. */
async function expectItsSchema(folder: string, bin: string, url: string): Promise<void> {
  const schema = 'trial_schema';
  const { status, stderr } = await startMdw(['migrate'], { DATABASE_URL: url, DATABASE_SCHEMA: schema }, folder, bin)
    .ended;
  if (status !== 0) throw new Error(`could not migrate: ${stderr}`);
  const made = openAs(url, schema);
  try {
    const path = join(folder, 'migrations', 'schema.json');
    const file = JSON.parse(readFileSync(path, 'utf8')) as SchemaFile;
    for (const { label, definition } of await describeSchema(made))
      if (!Object.hasOwn(file.plain.objects, label)) file.common.objects[label] ??= definition;
    writeFileSync(path, JSON.stringify(file));
  } finally {
    await made.close();
  }
  await administer(url, `DROP SCHEMA ${schema} CASCADE`);
}

/** Takes the migration back, as its down script says. */
export const migrateDown = (url: string): Promise<void> =>
  administer(asRole(url, 'migrate'), ['BEGIN', DOWN, `DELETE FROM migrations WHERE name = '${NAME}'`, 'COMMIT'], 'mdw');
