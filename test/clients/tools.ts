/** Installs client generators and linters, each in a folder of its own that stays for later runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program and returns its output. Throws with the output if the exit status is not 0. */
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

/** Returns a folder that `install` has filled. The remains of an incomplete installation are removed first. */
async function installed(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(tmpdir(), `mdw-clients-${name}`);
  const complete = join(folder, '.whole');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(complete, '');
  return folder;
}

/** Returns a folder with the `node_modules` of some packages, `name@version` each. No install script of a package is run. */
export const npmPackages = (name: string, packages: readonly string[]): Promise<string> =>
  installed(name, async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
    await run('npm', ['install', '--save-exact', ...quiet, ...packages], folder);
  });

/** Returns the folder of a Python environment with some packages, `name==version` each. */
export const pythonPackages = (name: string, packages: readonly string[]): Promise<string> =>
  installed(name, async (folder) => {
    await run('python3', ['-m', 'venv', folder], tmpdir());
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], folder);
  });

/** Returns the path of the jar of an artifact, `group:name:version`, downloaded by Maven. */
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
