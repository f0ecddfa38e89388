import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { destination } from 'pino';
import type { DestinationStream } from 'pino';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
/** Max characters of lines that wait because they cannot be written, for example to a full disk. Newer lines are dropped then. */
const MAX_WAITING = 1_000_000;

/**
 * Opens a file to append lines to, and makes it and its folder if they are missing, for this user alone: a log may tell about clients. A
 * file of an earlier release, which all users could read, is closed to others; its group keeps its rights. Throws if the name is a link.
 */
export function openLogFile(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const open = openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  const { mode, uid } = fstatSync(open);
  const own = uid === process.geteuid?.();
  if (own && (mode & 0o007) !== 0) fchmodSync(open, mode & 0o770);
  return open;
}

/**
 * Writes lines at once, so that the last one before an exit is not lost. If they cannot be written (a full disk, a terminal or a reader that
 * is gone), they are dropped: a service goes on without its log.
 */
export function outputTo(open: number): DestinationStream {
  return destination({ dest: open, sync: true, maxLength: MAX_WAITING }).on('error', () => undefined);
}

/** Writes lines to a file. If it was moved away or removed since the last line, as programs that rotate logs do, it begins a new one. */
export function logFile(file: string): DestinationStream {
  let open = openLogFile(file);
  let output = outputTo(open);
  const isThere = (): boolean => {
    const [there, ours] = [statSync(file, { throwIfNoEntry: false }), fstatSync(open)];
    return there?.ino === ours.ino && there.dev === ours.dev;
  };
  return {
    write(line) {
      if (!isThere()) {
        try {
          const next = openLogFile(file);
          closeSync(open);
          [open, output] = [next, outputTo(next)];
        } catch {
          // The old file is used until a new one can be made.
        }
      }
      output.write(line);
    },
  };
}
