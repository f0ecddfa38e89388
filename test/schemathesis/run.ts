/**
 * Runs Schemathesis, with all its checks, against the built server with the recorded chain. Requests are generated from the
 * description of the API. `SCHEMATHESIS_EXAMPLES` is the number of requests per operation, `SCHEMATHESIS_SEED` the seed of the
 * generator. With `SCHEMATHESIS_OF=compat` they are those of the compatible API, whose answers are only checked for status 5xx: its texts allow
 * more than a schema can say.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mochaHooks } from '../support/postgres.js';
import { recording } from '../support/recording.js';
import { startRecorded } from '../support/service.js';

const SCHEMATHESIS = 'schemathesis==4.32.5';
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '380';
const SEED = process.env.SCHEMATHESIS_SEED ?? '1';
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Path of the program, in a Python environment that stays for later runs; undefined without Python or PyPI. */
function installed(): string | undefined {
  const folder = join(tmpdir(), `mdw-${SCHEMATHESIS.replace('==', '-')}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS],
  ] as [string, ...string[]][]) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`${command} ${args.join(' ')} ended with status ${status}\n`);
    return undefined;
  }
  return program;
}

/** Identifiers of the recorded chain by prefix, max 50 of each. */
function knownIdentifiers(): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [path, { body }] of recording()) {
    for (const [id, prefix = ''] of `${path} ${body}`.matchAll(
      /\b(ak|ct|ok|ch|nm|oq|th|kh|mh)_[1-9A-HJ-NP-Za-km-z]{38,60}/g,
    )) {
      const ids = found.get(prefix) ?? new Set();
      if (ids.size < 50) found.set(prefix, ids.add(id));
    }
  }
  return Object.fromEntries([...found].map(([prefix, ids]) => [prefix, [...ids]]));
}

const DESCRIPTION = 'openapi.json';

/** Which description, below which path its paths are, which operations run in one process, and what is checked. */
interface Suite {
  description: string;
  base: string;
  processes: { name: string; args: readonly string[] }[];
}

interface Description {
  paths: Record<string, Record<string, { parameters?: { name: string; schema: Record<string, unknown> }[] }>>;
}

/** Integer parameters for which other text counts as absent. The description says only integer, because generated clients cannot use a union. */
const LENIENT = ['limit', 'page', 'length'];

/** The description, changed so that these parameters may also be text. Otherwise Schemathesis expects that text is refused. */
function withText(description: Description): Description {
  for (const operation of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    for (const { schema } of operation.parameters?.filter(({ name }) => LENIENT.includes(name)) ?? []) {
      const { minimum } = schema;
      Object.assign(schema, { type: ['integer', 'string'] }, minimum !== undefined && { pattern: '^(?!-[0-9])' });
    }
  }
  return description;
}

interface Report {
  /** Operations, plus one for the request sequences of each half. */
  passed: number;
  failed: number;
  /** Requests sent. */
  requests: number;
}

/** Tags of each half of the operations. There are two processes, because a Python process uses one core. */
const HALVES = [
  ['transactions', 'names', 'service'],
  ['blocks', 'contracts', 'tokens', 'oracles', 'channels', 'node'],
];

const OWN: Suite = {
  description: '/openapi.json',
  base: '',
  processes: HALVES.map((tags) => ({
    name: tags[0]!,
    // This stream never ends, so there is no complete answer to check.
    args: [...tags.map((tag) => `--include-tag=${tag}`), '--exclude-operation-id=streamEvents', '--checks=all'],
  })),
};

/** Answers of 503 by what this release does not have, and those of a node that is not there. */
const UNAVAILABLE = 'contracts/calls|/calls$|hyperchain|pending';

const COMPATIBLE: Suite = {
  description: '/mdw/v3/api',
  base: '/mdw/v3',
  processes: ['^/[a-c]', '^/[d-z]'].map((paths, i) => ({
    name: `compat${i}`,
    args: [
      ...[`--include-path-regex=${paths}`, `--exclude-path-regex=${UNAVAILABLE}`, '--checks=not_a_server_error'],
      '--phases=coverage,fuzzing',
    ],
  })),
};

const SUITE = process.env.SCHEMATHESIS_OF === 'compat' ? COMPATIBLE : OWN;

/** Runs Schemathesis on the operations of one process, and prints its report at the end. */
async function check(
  url: string,
  { name, args: own }: Suite['processes'][number],
  program: string,
  folder: string,
): Promise<Report> {
  const report = join(folder, `${name}.xml`);
  const args = [
    'run',
    join(folder, DESCRIPTION),
    `--url=${url}`,
    ...own,
    `--max-examples=${EXAMPLES}`,
    '--continue-on-failure',
    // Every run sends the same requests, so that a fault can be reproduced.
    `--seed=${SEED}`,
    '--generation-database=none',
    '--suppress-health-check=all',
    '--request-timeout=20',
    `--report-junit-path=${report}`,
    '--no-color',
  ];
  const env = {
    ...process.env,
    PYTHONPATH: HERE,
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: 'hooks',
    KNOWN_IDENTIFIERS: join(folder, 'known.json'),
  };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  process.stdout.write(output);

  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const cases = [...text.matchAll(/<testcase\b[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g)];
  const failed = cases.filter(([, inside = '']) => /<(failure|error)\b/.test(inside)).length;
  return {
    passed: cases.length - failed,
    failed: status === 0 ? failed : Math.max(failed, 1),
    requests: Number(/(\d+) generated/.exec(output)?.[1] ?? 0),
  };
}

async function run(program: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-schemathesis-'));
  const { url, close } = await startRecorded();
  try {
    const description = (await (await fetch(url + SUITE.description)).json()) as Description;
    writeFileSync(join(folder, DESCRIPTION), JSON.stringify(withText(description)));
    writeFileSync(join(folder, 'known.json'), JSON.stringify(knownIdentifiers()));
    const reports = await Promise.all(SUITE.processes.map((one) => check(url + SUITE.base, one, program, folder)));
    const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
    return { passed: sum((r) => r.passed), failed: sum((r) => r.failed), requests: sum((r) => r.requests) };
  } finally {
    await close();
    await mochaHooks.afterAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const count = (passed: number, failed: number, skipped: number): void => {
  if (process.env.TEST_COUNTS !== undefined)
    appendFileSync(process.env.TEST_COUNTS, `${passed} ${failed} ${skipped}\n`);
};
const program = installed();
if (program === undefined) {
  process.stdout.write('\n  1 skipped: Schemathesis cannot be installed here\n');
  count(0, 0, 1);
  process.exit();
}
const started = performance.now();
const { passed, failed, requests } = await run(program);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `\n  ${passed} passing (${requests} requests, ${seconds}s)\n${failed > 0 ? `  ${failed} failing\n` : ''}`,
);
count(passed, failed, 0);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
