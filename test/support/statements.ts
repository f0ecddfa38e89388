/**
 * Root hooks that compare each named statement that a run sends to PostgreSQL with `test/store/statements.sql`, so that changes of SQL are visible
 * in review. With STATEMENTS=<file> they append the statements to that file instead. `make statements` does this for all suites and writes the
 * golden file again.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import pg from 'pg';

export const GOLDEN = new URL('../store/statements.sql', import.meta.url);

/** Names of statements that tests send themselves. */
const OF_TESTS = /^$|^test\.|^bench\./;

const seen = new Map<string, string>();

/** Formats a statement in a fixed way, however the source is written: each line is indented by its parentheses. */
export function laidOut(text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const code = line.replaceAll(/'[^']*'/g, '');
    const closing = /^\)*/.exec(code)![0].length;
    lines.push('  '.repeat(Math.max(0, depth - closing)) + line);
    for (const sign of code) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
  }
  return lines.join('\n');
}

/** Statements by name. */
export function readGolden(): Map<string, string> {
  const parts = readFileSync(GOLDEN, 'utf8')
    .split(/^-- name: /m)
    .slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]));
}

type Send = (this: pg.Client, statement: unknown, ...rest: unknown[]) => unknown;

const send = Reflect.get(pg.Client.prototype, 'query') as Send;

/** Also records statements of the pool, which sends them by its clients. */
function record(this: pg.Client, statement: unknown, ...rest: unknown[]): unknown {
  if (typeof statement === 'object' && statement !== null && 'name' in statement && 'text' in statement) {
    const { name, text } = statement;
    if (typeof name === 'string' && typeof text === 'string' && !OF_TESTS.test(name)) seen.set(name, text);
  }
  return send.call(this, statement, ...rest);
}
Reflect.set(pg.Client.prototype, 'query', record);

function compare(): void {
  if (process.env['STATEMENTS'] !== undefined) {
    const lines = [...seen].map(([name, text]) => `${JSON.stringify([name, laidOut(text)])}\n`);
    appendFileSync(process.env['STATEMENTS'], lines.join(''));
    return;
  }
  const golden = readGolden();
  // Which requests meet in one turn of the event loop is chance; the text of their statement follows from that of one of them, which is compared.
  const isChance = (name: string): boolean =>
    name.endsWith('.joined') && !golden.has(name) && golden.has(name.slice(0, -'.joined'.length));
  const changed = [...seen].flatMap(([name, text]) =>
    isChance(name) || golden.get(name) === laidOut(text) ? [] : [name],
  );
  expect(changed, 'statements that differ from test/store/statements.sql: run `make statements`').to.deep.equal([]);
}

export const mochaHooks = { afterAll: compare };
