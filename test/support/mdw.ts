import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchForSecrets } from './secrets.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'bin', 'mdw.js');

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningMdw {
  process: ChildProcess;
  /** Resolves with the part of the output that matches; rejects when the program ends first. */
  saw(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Outcome>;
}

/** Environment of programs under test. Node.js 22 and newer start faster with the compile cache that `parallel.ts` sets. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
export const OF_SYSTEM = { PATH, NODE_COMPILE_CACHE };

/** Runs the built program to its end, with these variables and those of the system only. */
export const mdw = (args: string[], env: Record<string, string> = {}): Promise<Outcome> => startMdw(args, env).ended;

export function startMdw(args: string[], env: Record<string, string> = {}, folder = tmpdir(), bin = BIN): RunningMdw {
  buildOnce();
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { ...OF_SYSTEM, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watchForSecrets(child, env);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, ...output }));
  return {
    process: child,
    ended,
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output.stdout + output.stderr);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        look();
        void ended.then(() => reject(new Error(`mdw ended: ${output.stdout}${output.stderr}`)));
      }),
  };
}

/** Makes a folder one in which the program is installed, so that `npx mdw` finds it there. */
export function installIn(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '.bin'), { recursive: true });
  symlinkSync(ROOT, join(packages, 'chain-middleware'));
  symlinkSync('../chain-middleware/bin/mdw.js', join(packages, '.bin', 'mdw'));
}

/** Copies the built program and adds migrations to it, by name. Returns the path to start it. */
export function newerProgram(folder: string, migrations: Record<string, string>): string {
  buildOnce();
  for (const part of ['bin', 'dist', 'migrations', 'presets', 'package.json', 'oclif.manifest.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, up] of Object.entries(migrations)) {
    writeFileSync(join(folder, 'migrations', `${name}.up.sql`), up);
    writeFileSync(join(folder, 'migrations', `${name}.down.sql`), 'SELECT;');
  }
  return join(folder, 'bin', 'mdw.js');
}

let built = false;

/** Compiles if a source is newer than the last build, so that a single suite can be run at any time. */
export function buildOnce(): void {
  if (built) return;
  built = true;
  const mark = join(ROOT, 'dist', 'src', 'main.js');
  const stamp = join(ROOT, 'dist', '.tsbuildinfo');
  if (existsSync(mark) && existsSync(stamp) && statSync(stamp).mtimeMs > newest('src', 'devtools')) return;
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  spawnSync(process.execPath, [tsc, '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'], { cwd: ROOT });
  // The compiler does not touch the file if only modification times have changed. Without this, each process would compile again.
  const now = new Date();
  if (existsSync(stamp)) utimesSync(stamp, now, now);
}

function newest(...folders: string[]): number {
  const times = folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(...times);
}
