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
  'pooled_by_transaction',
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

const CHECK_DATABASE = 'Check that PostgreSQL runs where DATABASE_URL says; mdw doctor checks it.';
const CHECK_NODE = 'Check that a node of this network answers at NODE_URL; mdw doctor checks it.';

/** What to do about a fault, by the beginning of its code; the first one counts. */
const WAYS: readonly (readonly [code: string, way: string])[] = [
  ['invalid_config', 'Set it in the environment or in .env; mdw --help lists all settings.'],
  ['database_refused', 'Correct user and password in DATABASE_URL; mdw doctor checks them.'],
  ['database_missing', 'Create the database that DATABASE_URL names, or name another one.'],
  ['missing_right', 'Have an administrator of the database grant it; mdw doctor lists what is missing.'],
  ['schema_newer', 'Run the version of mdw that made it, or a newer one.'],
  ['schema_older', 'Run mdw migrate.'],
  ['server_too_old', 'Use a newer PostgreSQL.'],
  ['wrong_encoding', 'Create a database with the encoding UTF8, and name it in DATABASE_URL.'],
  ['database_', CHECK_DATABASE],
  ['node_wrong_', 'Set NODE_URL to a node of the network that the database holds, or DATABASE_SCHEMA to another copy.'],
  ['node_', CHECK_NODE],
  ['address_unavailable', 'Stop the process that holds the address, or set another one.'],
  ['already_running', 'Stop that process first.'],
];

const DEFAULT_WAY = 'Run it again with LOG_LEVEL=debug to see where it comes from.';

/** One sentence for whoever sits before the terminal. */
export function wayOut(error: unknown): string {
  if (!(error instanceof Error)) return DEFAULT_WAY;
  const { code = '' } = error as NodeJS.ErrnoException;
  const known = code === 'EADDRINUSE' ? 'address_unavailable' : code;
  return WAYS.find(([start]) => known.startsWith(start))?.[1] ?? DEFAULT_WAY;
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

/** Whether stacks are wanted at this `LOG_LEVEL`. */
export const isDebugging = (level: string | undefined): boolean => level === 'debug' || level === 'trace';
