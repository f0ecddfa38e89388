import { MiddlewareError } from './errors.js';

/** Exit statuses, as in sysexits.h where it has one. docs/commands.md lists them. */
export const EXIT = { done: 0, failed: 1, usage: 2, temporary: 75, config: 78 } as const;

/** Faults that somebody must mend in the settings or the database's rights; trying again helps nobody. */
const CONFIG_CODES = new Set([
  'invalid_config',
  'database_refused',
  'database_missing',
  'missing_right',
  'server_too_old',
  'wrong_encoding',
  'schema_newer',
  'schema_older',
  'schema_foreign',
  'node_wrong_network',
  'node_wrong_genesis',
]);

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

/** What a process that ends by `error` says, in one line for one fault, and its exit status. */
export function describeFault(error: unknown): { status: number; message: string } {
  if (error instanceof MiddlewareError) return { status: statusOf(error), message: error.message };
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

function statusOf(error: MiddlewareError): number {
  if (error.code === 'usage') return EXIT.usage;
  if (CONFIG_CODES.has(error.code)) return EXIT.config;
  return error.fault === 'unavailable' ? EXIT.temporary : EXIT.failed;
}

/** Without the advice that the command library appends. */
function firstParagraph(message: string): string {
  return (message.split('\n\n')[0] ?? '').replace('See more help with --help', '').trim();
}
