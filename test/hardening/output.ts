/** Fails if an output contains a password: `tsx test/hardening/output.ts FILE`. `.ci/run` checks the output of all its suites. */
import { readFileSync } from 'node:fs';
import { linesWithPasswords } from '../support/secrets.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: output.ts FILE');
const lines = linesWithPasswords(readFileSync(file, 'utf8'));
for (const line of lines) process.stderr.write(`a password was printed: ${line}\n`);
process.exitCode = lines.length === 0 ? 0 : 1;
