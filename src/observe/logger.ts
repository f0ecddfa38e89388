import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destination, pino, stdSerializers } from 'pino';
import type { Logger as PinoLogger } from 'pino';
import { MiddlewareError } from './errors.js';
import { isDebugging } from './exit.js';
import { plainLine } from './plain-line.js';
import { printable } from './printable.js';
import type { Screen, StreamName } from './screen.js';

export type Logger = PinoLogger;

interface LoggerOptions {
  level: string;
  /** Folder for `mdw.log`, made when missing; otherwise lines go to `stream`. */
  dir?: string | undefined;
  /** Commands whose answer goes to standard output log to standard error. */
  stream?: StreamName;
  /** Has plain lines where it is a terminal. */
  screen?: Screen;
}

/** An error as `pino` has it, without the stack: that is only of use to find a fault in the program. */
const withoutStack = (error: Error): unknown => strip(stdSerializers.err(error));

function strip(serialized: unknown): unknown {
  if (typeof serialized !== 'object' || serialized === null) return serialized;
  const { stack: _, aggregateErrors, ...rest } = serialized as Record<string, unknown>;
  return { ...rest, ...(Array.isArray(aggregateErrors) && { aggregateErrors: aggregateErrors.map(strip) }) };
}

/** JSON lines, plain ones on a screen that is a terminal. Synchronous, so that the last line before an exit is never lost. */
export function createLogger(options: LoggerOptions): Logger {
  const base = {
    level: options.level,
    base: undefined,
    // JSON itself escapes only some of the characters that a terminal obeys.
    hooks: { streamWrite: (line: string) => `${printable(line.slice(0, -1))}\n` },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    ...(!isDebugging(options.level) && { serializers: { err: withoutStack } }),
  };
  if (options.dir === undefined) {
    const { stream = 'stdout', screen } = options;
    if (screen?.isTerminal(stream) !== true)
      return pino(base, destination({ dest: stream === 'stderr' ? 2 : 1, sync: true }));
    const style = { colors: screen.hasColors(stream), all: isDebugging(options.level) };
    return pino(base, { write: (json: string) => screen.print(stream, plainLine(json, style)) });
  }
  try {
    mkdirSync(options.dir, { recursive: true });
    return pino(base, destination({ dest: join(options.dir, 'mdw.log'), sync: true }));
  } catch (cause) {
    const { message } = cause as Error;
    throw new MiddlewareError('invalid_config', `LOG_DIR=${options.dir} cannot be written: ${message}`, {
      cause,
    });
  }
}
