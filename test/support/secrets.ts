/** No program under test may print a password that it was given; nor may anything that the suites print have one. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

const IN_URL = /:\/\/[^\s:/@]*:([^\s/@]+)@/g;
/** A shorter one may stand in the output for another reason. */
const SHORTEST = 8;

/** That of the databases of the suites: stands in no output for another reason. */
export const PASSWORD = 'known-to-tests-alone';

/** Text without that password and without those of URLs, as it may be shown. */
export const masked = (text: string): string =>
  text.replaceAll(PASSWORD, '***').replace(IN_URL, (url, password: string) => url.replace(`:${password}@`, ':***@'));

/** The lines of an output with a password, as they may be shown. */
export const linesWithPasswords = (output: string): string[] =>
  output.split('\n').flatMap((line) => (masked(line) === line ? [] : [masked(line)]));

/** The passwords of URLs in variables, and in the files that variables name, as they are written and as they are meant. */
function passwordsOf(env: Environment): string[] {
  const texts = Object.entries(env).flatMap(([name, value = '']) =>
    name.endsWith('_FILE') && existsSync(value) ? readFileSync(value, 'utf8') : value,
  );
  const written = texts.flatMap((text) => [...text.matchAll(IN_URL)].map(([, password]) => password!));
  return [...new Set(written.flatMap((one) => [one, decodeURIComponent(one)]))].filter((one) => one.length >= SHORTEST);
}

const raise = (error: Error): void => {
  throw error;
};

/** Fails the test that runs when the program has ended and had printed a password. */
export function watchForSecrets(child: ChildProcess, env: Environment, fail = raise): void {
  const passwords = passwordsOf(env);
  if (passwords.length === 0) return;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  child.once('close', () => {
    for (const line of output.split('\n'))
      if (passwords.some((password) => line.includes(password))) fail(new Error(`a password was printed: ${line}`));
  });
}
