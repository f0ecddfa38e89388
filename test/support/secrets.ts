/** Programs under test must not print a password that they got, and neither may the suites. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

const IN_URL = /:\/\/[^\s:/@]*:([^\s/@]+)@/g;
/** Min length of a checked password. A shorter one may occur in an output by chance. */
const SHORTEST = 8;

/** Password of the databases of the suites. It does not occur in any output by chance. */
export const PASSWORD = 'known-to-tests-alone';

/** Text with this password and the passwords of URLs masked, so that it can be shown. */
export const masked = (text: string): string =>
  text.replaceAll(PASSWORD, '***').replace(IN_URL, (url, password: string) => url.replace(`:${password}@`, ':***@'));

/** The lines of an output that contain a password, masked so that they can be shown. */
export const linesWithPasswords = (output: string): string[] =>
  output.split('\n').flatMap((line) => (masked(line) === line ? [] : [masked(line)]));

/** The passwords of URLs in variables, and in files that variables name, encoded and decoded. */
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

/** Fails the running test if the program printed a password. The check is made when the program ends. */
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
