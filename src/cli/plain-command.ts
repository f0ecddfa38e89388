import { Command } from '@oclif/core/command';
import type { Environment } from '../config.js';
import { MiddlewareError } from '../observe/errors.js';
import { EXIT, describeFault, isDebugging, remedyOf } from '../observe/exit.js';
import { print } from '../observe/print.js';
import { statusAfterMessage, writeTerminationMessage } from './termination-message.js';
import { unknownFlag } from './mistyped.js';

/** Base of all commands: an error is printed in one line and decides the exit status. */
export abstract class PlainCommand extends Command {
  /** Replaces that of the library: the lines may contain text of others. */
  override log(lines = ''): void {
    print('stdout', lines);
  }

  /** Replaces the handler of the library, which ignores the exit status of an error and prints to standard output with `--json`. */
  protected override catch(error: Error): Promise<void> {
    const isService = this.id === undefined || this.id === 'run';
    const command = isService ? undefined : this.id?.replaceAll(':', ' ');
    const fault = unknownFlag(error, command, Object.keys(this.ctor.flags ?? {}));
    process.exitCode = reportFault(fault, process.env, command);
    return Promise.resolve();
  }
}

/**
 * Prints to standard error why the process ends; on a terminal also what to do, and when debugging also the stack.
 * Returns the exit status. `command`: the command whose help is suggested; `mdw` itself if it is undefined.
 */
export function reportFault(error: unknown, env: Environment, command?: string): number {
  const { status, message } = describeFault(error);
  if (isExit(error)) return status;
  print('stderr', `mdw: ${message}`);
  const known = error instanceof MiddlewareError && { ...error.details, code: error.code };
  const isWritten = writeTerminationMessage(env, { ok: false, ...known, status, message });
  if (status === EXIT.usage) print('stderr', `Try mdw ${command === undefined ? '' : `${command} `}--help.`);
  else if (process.stderr.isTTY) print('stderr', remedyOf(error));
  if (isDebugging(env['LOG_LEVEL']) && error instanceof Error) print('stderr', error.stack ?? '');
  return isWritten ? statusAfterMessage(env, { ...known, status }) : status;
}

/** Whether the error is that of `this.exit(n)` of the library, which has no message to print. */
function isExit(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EEXIT';
}
