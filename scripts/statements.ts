import { readFileSync, writeFileSync } from 'node:fs';
import { GOLDEN } from '../test/support/statements.js';

/** Writes `test/store/statements.sql` from the statements that a run of the suites with STATEMENTS=<file> recorded. */
const [seen] = process.argv.slice(2);
if (seen === undefined) throw new Error('usage: statements.ts FILE');
const statements = new Map<string, string>();
for (const line of readFileSync(seen, 'utf8').split('\n').filter(Boolean)) {
  const [name, text] = JSON.parse(line) as [string, string];
  const other = statements.get(name);
  if (other !== undefined && other !== text) throw new Error(`two different statements have the name ${name}`);
  statements.set(name, text);
}
const sorted = [...statements].sort(([a], [b]) => (a < b ? -1 : 1));
const head =
  '-- Every statement of the product that the suites run, by name. Made by `make statements`: do not edit.\n';
writeFileSync(GOLDEN, `${head}\n${sorted.map(([name, text]) => `-- name: ${name}\n${text}\n`).join('\n')}`);
process.stdout.write(`${sorted.length} statements\n`);
