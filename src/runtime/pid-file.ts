import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { MiddlewareError } from '../observe/errors.js';

/** Throws `already_running` if the file contains the id of a running process. The file of a process that has ended is ignored. */
export function refuseHeldPidFile(file: string): void {
  const holder = holderOf(file);
  if (holder !== undefined) {
    throw new MiddlewareError('already_running', `Process ${holder} is running already (${file})`);
  }
}

/**
 * Writes the id of this process to `file`, atomically: if two processes do this at the same time, one of them gets the error of
 * `refuseHeldPidFile`. Returns a function that removes the file.
 */
export function claimPidFile(file: string): () => void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${process.pid}\n`);
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
    throw new MiddlewareError('invalid_config', `Cannot write PID_FILE: ${(cause as Error).message}`, {
      cause,
    });
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readId(file) === process.pid) rmSync(file, { force: true });
  };
}

function holderOf(file: string): number | undefined {
  const id = readId(file);
  if (id === undefined || id === process.pid) return undefined;
  try {
    process.kill(id, 0);
    return id;
  } catch (error) {
    // EPERM: the process runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? id : undefined;
  }
}

function readId(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}
