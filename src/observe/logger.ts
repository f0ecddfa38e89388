import { join } from 'node:path';
import { pino, stdSerializers } from 'pino';
import type { Logger as PinoLogger } from 'pino';
import { MiddlewareError } from './errors.js';
import { isDebugging } from './exit.js';
import { logFile, outputTo } from './log-file.js';
import { plainLine } from './plain-line.js';
import { printable } from './printable.js';
import type { Screen, StreamName } from './screen.js';

export type Logger = PinoLogger;

interface LoggerOptions {
  level: string;
  /** Folder for `mdw.log`, created if missing. Without it, lines go to `stream`. */
  dir?: string | undefined;
  /** `stderr` for commands that print their result to standard output. */
  stream?: StreamName;
  /** Gets plain lines instead of JSON if it is a terminal. */
  screen?: Screen;
}

/**
 * An error as `pino` serializes it. The stack only helps to find bugs of the program. `input` is a whole URL that could not be parsed, perhaps
 * with a password.
 */
function serialize(serialized: unknown, withStack: boolean): unknown {
  if (typeof serialized !== 'object' || serialized === null) return serialized;
  const { stack, aggregateErrors, input: _, ...rest } = serialized as Record<string, unknown>;
  return {
    ...rest,
    ...(withStack && { stack }),
    ...(Array.isArray(aggregateErrors) && { aggregateErrors: aggregateErrors.map((one) => serialize(one, withStack)) }),
  };
}

/** Logs JSON lines, or plain lines on a terminal. Writes are synchronous, so that the last line before an exit is not lost. */
export function createLogger(options: LoggerOptions): Logger {
  const base = {
    level: options.level,
    base: undefined,
    // JSON escapes only some of the control characters of terminals.
    hooks: { streamWrite: (line: string) => `${printable(line.slice(0, -1))}\n` },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: Error) => serialize(stdSerializers.err(error), isDebugging(options.level)) },
  };
  if (options.dir === undefined) {
    const { stream = 'stdout', screen } = options;
    if (screen?.isTerminal(stream) !== true) return pino(base, outputTo(stream === 'stderr' ? 2 : 1));
    const style = { colors: screen.hasColors(stream), all: isDebugging(options.level) };
    return pino(base, { write: (json: string) => screen.print(stream, plainLine(json, style)) });
  }
  try {
    return pino(base, logFile(join(options.dir, 'mdw.log')));
  } catch (cause) {
    const { message } = cause as Error;
    throw new MiddlewareError('invalid_config', `LOG_DIR=${options.dir} cannot be written: ${message}`, {
      cause,
    });
  }
}
