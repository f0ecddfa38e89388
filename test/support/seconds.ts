/** Root hooks for `make test SLOWEST=30`: the time of each file, from loading it to its last hook. */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Names the file to which each worker adds a line for each file of tests. */
export const SECONDS_FILE = 'TEST_SECONDS_FILE';

/** Of `/proc/self/stat`, a second. */
const TICKS = 100;

interface Spent {
  file: string;
  /** By the clock; CPU time of the worker; CPU time of the programs that it started, which have ended. */
  seconds: [wall: number, worker: number, programs: number];
}

let before: Spent['seconds'] = [0, 0, 0];

/** Since the worker began. */
function now(): Spent['seconds'] {
  const { user, system } = process.cpuUsage();
  // The name of the program, in parentheses, may have spaces in it.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return [performance.now() / 1000, (user + system) / 1e6, (Number(fields[13]) + Number(fields[14])) / TICKS];
}

export const mochaHooks = {
  afterAll(this: Mocha.Context): void {
    const into = process.env[SECONDS_FILE];
    if (into === undefined) return;
    const after = now();
    const seconds = after.map((value, i) => value - before[i]!) as Spent['seconds'];
    before = after;
    const file = relative(process.cwd(), this.test?.parent?.suites[0]?.file ?? '');
    appendFileSync(into, `${JSON.stringify({ file, seconds })}\n`);
  },
};

/** A table of the slowest files, and the total. The time of PostgreSQL, which all files share, is not included. */
export function slowest(path: string, count: number): string {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Spent).sort((a, b) => b.seconds[0] - a.seconds[0]);
  const sum = all.reduce<number[]>((sums, { seconds }) => sums.map((value, i) => value + seconds[i]!), [0, 0, 0]);
  const row = (seconds: readonly number[], file: string): string =>
    `${seconds.map((value) => value.toFixed(1).padStart(8)).join('')}  ${file}\n`;
  return [
    '    wall  worker programs  file (seconds; CPU time but for the first)\n',
    ...all.slice(0, count).map(({ file, seconds }) => row(seconds, file)),
    row(sum, `all ${all.length} files`),
  ].join('');
}
