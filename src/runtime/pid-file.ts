import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { MiddlewareError } from '../observe/errors.js';

/** Refuses when a living process holds the file; a file left by a dead one does not count. */
export function refuseHeldPidFile(file: string): void {
  const holder = holderOf(file);
  if (holder !== undefined) {
    throw new MiddlewareError('already_running', `Process ${holder} is running already (${file})`);
  }
}

/**
 * Writes the id of this process to `file`, whole or not at all: of two processes that claim it at once one wins, the
 * other gets the error of `refuseHeldPidFile`. Returns a function that removes the file again.
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
    // EPERM: it lives, and belongs to somebody else.
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
