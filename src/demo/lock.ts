import { spawnSync } from 'node:child_process';
import { constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MiddlewareError } from '../observe/errors.js';

/** What the demo that holds a folder writes about itself. */
interface Holder {
  pid: number;
  /** Where it serves, by name; absent until it does. */
  addresses?: Record<string, string>;
}

interface FolderLock {
  /** Read by other demos that want the folder. */
  announce(addresses: Record<string, string>): void;
}

/** `open` of macOS takes the lock itself; Node.js has no name for the flag. */
const O_EXLOCK = 0x20;
const HELD = 1;

/**
 * Locks a data folder for this process until it ends, in any way. The lock is the kernel's, on an open file: it
 * needs no process id to be judged, and of two processes that ask at once one gets it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  const file = openLocked(path);
  if (file === undefined) throw refusal(folder, await holderOf(path));
  const write = (holder: Holder): void => {
    const length = writeSync(file, `${JSON.stringify(holder)}\n`, 0);
    ftruncateSync(file, length);
  };
  write({ pid: process.pid });
  return { announce: (addresses) => write({ pid: process.pid, addresses }) };
}

/** Undefined when another process holds the lock. The file stays open to the end of this process. */
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
  // The lock belongs to the open file, which this process shares with the program and keeps.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', file] });
  if (status === 0) return file;
  if (status === HELD) return undefined;
  const reason = error === undefined ? String(stderr).trim() : 'the program flock (package util-linux) is missing';
  throw new MiddlewareError('no_lock', `Cannot lock ${path}: ${reason}`, { cause: error });
}

function refusal(folder: string, holder: Holder | undefined): MiddlewareError {
  const { pid, addresses } = holder ?? {};
  const named = pid === undefined ? '' : `: process ${pid}`;
  const where = Object.entries(addresses ?? {}).map(([name, url]) => `${name} ${url}`);
  const state = where.length === 0 ? 'is starting already' : 'runs already';
  const sentence = `A demo ${state} in this folder${[named, ...where].join(', ')} (data in ${folder})`;
  const end = pid === undefined ? '' : `, end it with Ctrl-C or kill ${pid}`;
  return new MiddlewareError('already_running', `${sentence}. Use that one${end}, or start one in another folder`);
}

const LOOKS = 20;
const LOOK_MS = 50;

/** A holder writes the file a moment after it has the lock; until then the file describes a dead predecessor. */
async function holderOf(path: string): Promise<Holder | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    const holder = parsed(readFileSync(path, 'utf8'));
    if (holder !== undefined && lives(holder.pid)) return holder;
    await delay(LOOK_MS);
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

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
