/** Each of some faults in a copy of the source is found by the suites that compare the compatible API with models. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { recordedService } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { FAULTS } from '../../support/compat-faults.js';
import type { Fault } from '../../support/compat-faults.js';
import { choices } from '../../support/histories.js';
import { RECORDINGS } from '../../support/recording.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { SEED = '40', FAULTS: COUNT = '3' } = process.env;
const SUITE_MS = 600_000;

/** Faults in an order that the seed decides. */
function drawn(count: number): Fault[] {
  const random = choices(Number(SEED));
  const left = [...FAULTS];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.int(0, left.length - 1), 1)[0]!);
}

interface Outcome {
  passes: number;
  /** Titles and messages of tests that failed. */
  failures: string[];
}

interface Report {
  stats: { passes: number };
  failures: { fullTitle: string; err: { message?: string } }[];
}

describe('faults in the compatible API', function () {
  this.timeout(2 * SUITE_MS);
  let folder: string;
  const loaded = new Map<string, RecordedService>();

  before(async () => {
    for (const of of RECORDINGS) loaded.set(of, await recordedService(of));
    folder = mkdtempSync(join(tmpdir(), 'mdw-test-faults-'));
    for (const part of [
      'src',
      'test',
      'devtools',
      'migrations',
      'presets',
      'package.json',
      'tsconfig.json',
      '.mocharc.cjs',
    ])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  after(async () => {
    for (const service of loaded.values()) await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a suite in the copy. Fails if it does not get as far as its tests. */
  function run(suite: Fault['suite']): Promise<Outcome> {
    const copies = Object.fromEntries([...loaded].map(([of, { urls }]) => [of, urls.database]));
    const mocha = join(folder, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const args = [mocha, '--bail', '--reporter', 'json', `test/api/compat/${suite}.test.ts`];
    // A change of a statement alone is no finding.
    const env = { ...process.env, RECORDED_COPIES: JSON.stringify(copies), STATEMENTS: '/dev/null', TEST_COUNTS: '' };
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        args,
        { cwd: folder, env, timeout: SUITE_MS, maxBuffer: 2 ** 28 },
        (_error, stdout, stderr) => {
          try {
            const report = JSON.parse(stdout.slice(stdout.indexOf('{\n'))) as Report;
            resolve({
              passes: report.stats.passes,
              failures: report.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message ?? ''}`),
            });
          } catch {
            reject(new Error(`no report of ${suite}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`));
          }
        },
      );
    });
  }

  for (const suite of new Set(FAULTS.map((fault) => fault.suite)))
    it(`are none in the source: ${suite} passes`, async () => {
      const { failures, passes } = await run(suite);
      expect(failures).to.deep.equal([]);
      expect(passes).to.be.above(0);
    });

  for (const { file, from, to, suite } of drawn(Number(COUNT)))
    it(`are found: in ${file}, ${JSON.stringify(to)} instead of ${JSON.stringify(from)}`, async () => {
      const path = join(folder, 'src', file);
      const source = readFileSync(path, 'utf8');
      expect(source.split(from), `${from} is in ${file} once`).to.have.length(2);
      writeFileSync(
        path,
        source.replace(from, () => to),
      );
      try {
        const { failures } = await run(suite);
        expect(failures, 'failed tests').to.have.length(1);
        expect(failures[0]).not.to.match(/hook/);
      } finally {
        writeFileSync(path, source);
      }
    });
});
