import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { MiddlewareError } from '../observe/errors.js';

/** Throws `already_running` if the file contains the id of a running process, `invalid_config` if it is no PID file of this user. */
export function refuseHeldPidFile(file: string): void {
  const found = look(file);
  if (found === undefined) return;
  if (found.id !== undefined && found.id !== process.pid && isAlive(found.id)) {
    throw new MiddlewareError('already_running', `Process ${found.id} is running already (${file})`);
  }
  if (found.strange !== undefined) throw unusable(`${file} ${found.strange}; remove it, or choose another name`);
}

/**
 * Writes the id of this process to `file`, atomically: if two processes do this at the same time, one of them gets the error of
 * `refuseHeldPidFile`. It never writes through a link, and never replaces what a program of this user has not written as a PID file: the
 * folder may belong to others. Returns a function that removes the file.
 */
export function claimPidFile(file: string): () => void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    // `wx` creates the file, or fails if anything has this name, also a link.
    writeFileSync(draft, `${process.pid}\n`, { flag: 'wx', mode: 0o644 });
  } catch (cause) {
    throw unusable((cause as Error).message, cause);
  }
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        refuseHeldPidFile(file);
        rmSync(file, { force: true });
      }
    }
  } catch (cause) {
    if (cause instanceof MiddlewareError) throw cause;
    throw unusable((cause as Error).message, cause);
  } finally {
    unlinkSync(draft);
  }
  return () => {
    if (look(file)?.id === process.pid) rmSync(file, { force: true });
  };
}

/** What has the name of a PID file: the id in it, and why it must not be replaced. */
interface Found {
  id?: number;
  strange?: string;
}

/** Longest content of a PID file, in bytes: an id and the end of the line. */
const MAX_BYTES = 12;

/** Reads a regular file. Links are not followed, and nothing else is opened for long: a pipe would never end. */
function look(file: string): Found | undefined {
  let open: number;
  try {
    open = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return { strange: code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${message})` };
  }
  try {
    const stat = fstatSync(open);
    if (!stat.isFile()) return { strange: 'is no regular file' };
    const text = Buffer.alloc(MAX_BYTES + 1);
    const content = text.toString('utf8', 0, readSync(open, text)).trim();
    const isId = stat.size <= MAX_BYTES && /^[1-9]\d{0,9}$/.test(content);
    if (!isId && stat.size > 0) return { strange: 'contains no process id' };
    const id = isId ? { id: Number(content) } : {};
    return stat.uid === process.geteuid?.() ? id : { ...id, strange: 'belongs to another user' };
  } finally {
    closeSync(open);
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const unusable = (reason: string, cause?: unknown): MiddlewareError =>
  new MiddlewareError('invalid_config', `Cannot use PID_FILE: ${reason}`, { cause });
