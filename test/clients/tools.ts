/** Generators of clients and linters of descriptions, in folders of their own that are kept between runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program to its end. Throws with all that it printed if that is not 0. */
export async function run(command: string, args: readonly string[], cwd: string, env = {}): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${output}`);
  return output;
}

/** A folder that `install` has filled; what a broken installation leaves is taken away. */
async function installed(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(tmpdir(), `mdw-clients-${name}`);
  const mark = join(folder, '.whole');
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(mark, '');
  return folder;
}

/** The folder with the `node_modules` of some packages, `name@version` each; no script of a package is run. */
export const npmPackages = (name: string, packages: readonly string[]): Promise<string> =>
  installed(name, async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
    await run('npm', ['install', '--save-exact', ...quiet, ...packages], folder);
  });

/** A Python environment with some packages, `name==version` each. */
export const pythonPackages = (name: string, packages: readonly string[]): Promise<string> =>
  installed(name, async (folder) => {
    await run('python3', ['-m', 'venv', folder], tmpdir());
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], folder);
  });

/** Path of a program in one file, `group:name:version`, in the repository that Maven keeps. */
export async function mavenJar(artifact: string): Promise<string> {
  const [, name = '', version = ''] = artifact.split(':');
  const folder = await installed(name, async (target) => {
    await run(
      'mvn',
      ['--batch-mode', '--quiet', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${target}`],
      target,
    );
  });
  return join(folder, `${name}-${version}.jar`);
}
