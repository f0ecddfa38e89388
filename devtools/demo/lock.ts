import { spawnSync } from 'node:child_process';
import { constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MiddlewareError } from '../../src/observe/errors.js';

/** Content of the lock file: the demo that has locked the folder. */
interface Holder {
  pid: number;
  /** Its addresses by name; absent until it is ready. */
  addresses?: Record<string, string>;
}

interface FolderLock {
  /** Writes the addresses to the lock file, for other demos that try to lock the folder. */
  announce(addresses: Record<string, string>): void;
}

/** With this flag, `open` of macOS locks the file. Node.js has no constant for it. */
const O_EXLOCK = 0x20;
const LOCKED_STATUS = 1;

/**
 * Locks a data folder until this process ends, for any reason. The kernel holds the lock on an open file. So no process id has to be checked, and
 * only one of two processes gets the lock, even if both try at the same time.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  const file = openLocked(path);
  if (file === undefined) throw alreadyRunning(folder, await holderOf(path));
  const write = (holder: Holder): void => {
    const length = writeSync(file, `${JSON.stringify(holder)}\n`, 0);
    ftruncateSync(file, length);
  };
  write({ pid: process.pid });
  return { announce: (addresses) => write({ pid: process.pid, addresses }) };
}

/** Opens and locks the file; undefined if another process has the lock. The file stays open until this process ends. */
function openLocked(path: string): number | undefined {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
  if (process.platform === 'darwin') {
    try {
      return openSync(path, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
      throw error;
    }
  }
  const file = openSync(path, O_RDWR | O_CREAT);
  // The lock belongs to the open file, which `flock` shares with this process. So it remains after `flock` ends.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', file] });
  if (status === 0) return file;
  if (status === LOCKED_STATUS) return undefined;
  const reason = error === undefined ? String(stderr).trim() : 'the program flock (package util-linux) is missing';
  throw new MiddlewareError('no_lock', `Cannot lock ${path}: ${reason}`, { cause: error });
}

function alreadyRunning(folder: string, holder: Holder | undefined): MiddlewareError {
  const { pid, addresses } = holder ?? {};
  const named = pid === undefined ? '' : `: process ${pid}`;
  const where = Object.entries(addresses ?? {}).map(([name, url]) => `${name} ${url}`);
  const state = where.length === 0 ? 'is already starting' : 'is already running';
  const sentence = `A demo ${state} in this folder${[named, ...where].join(', ')} (data in ${folder})`;
  const end = pid === undefined ? '' : `, end it with Ctrl-C or kill ${pid}`;
  return new MiddlewareError('already_running', `${sentence}. Use that one${end}, or start one in another folder`);
}

const MAX_ATTEMPTS = 20;
const RETRY_MS = 50;

/** Reads the lock file. The process with the lock writes it a moment after it gets the lock; until then it describes a process that has ended. */
async function holderOf(path: string): Promise<Holder | undefined> {
  for (let look = 0; look < MAX_ATTEMPTS; look++) {
    const holder = parsed(readFileSync(path, 'utf8'));
    if (holder !== undefined && isRunning(holder.pid)) return holder;
    await delay(RETRY_MS);
  }
  return undefined;
}

function parsed(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is running, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
