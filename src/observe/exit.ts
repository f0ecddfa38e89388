import { ERRORS, FAULTS, MiddlewareError, errorRow } from './errors.js';
import type { ErrorCode, ErrorRow } from './errors.js';

/** Exit statuses, as in sysexits.h where it has one. docs/commands.md lists them. */
export const EXIT = { done: 0, failed: 1, usage: 2, temporary: 75, config: 78 } as const;

const SYSTEM_STATUS: Record<string, number> = {
  EADDRINUSE: EXIT.temporary,
  ECONNREFUSED: EXIT.temporary,
  ECONNRESET: EXIT.temporary,
  EAI_AGAIN: EXIT.temporary,
  ENOTFOUND: EXIT.temporary,
  ETIMEDOUT: EXIT.temporary,
  EACCES: EXIT.config,
  EADDRNOTAVAIL: EXIT.config,
};

/** Exit status and message of a process that ends by `error`. */
export function describeFault(error: unknown): { status: number; message: string } {
  if (error instanceof MiddlewareError) return { status: statusOf(error.code), message: error.message };
  if (!(error instanceof Error)) return { status: EXIT.failed, message: String(error) };
  const { code, oclif, address, port } = error as NodeJS.ErrnoException & {
    oclif?: { exit?: number };
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') {
    return { status: EXIT.temporary, message: `The address ${address}:${port} is in use by another process` };
  }
  const status = oclif?.exit ?? SYSTEM_STATUS[code ?? ''] ?? EXIT.failed;
  return { status, message: firstParagraph(error.message) || (code ?? error.name) };
}

const DEFAULT_REMEDY = 'Run it again with LOG_LEVEL=debug to see where the error comes from.';

/** One sentence that says what the user of the terminal can do. */
export function remedyOf(error: unknown): string {
  if (!(error instanceof Error)) return DEFAULT_REMEDY;
  const { code } = error as NodeJS.ErrnoException;
  return errorRow(code === 'EADDRINUSE' ? 'address_unavailable' : code)?.remedy ?? DEFAULT_REMEDY;
}

/** Exit status of a process that ends by a fault with this code. */
export function statusOf(code: ErrorCode): number {
  const { exit, lasting, fault }: ErrorRow = ERRORS[code];
  return exit ?? (lasting ? EXIT.config : FAULTS[fault].exit);
}

/** Removes the advice that the command library appends. */
function firstParagraph(message: string): string {
  return (message.split('\n\n')[0] ?? '').replace('See more help with --help', '').trim();
}

/** Whether stacks are shown at this `LOG_LEVEL`. */
export const isDebugging = (level: string | undefined): boolean => level === 'debug' || level === 'trace';
