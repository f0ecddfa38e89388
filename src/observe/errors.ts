/** What kind of fault it is; decides the HTTP status, and the exit status unless the code has one of its own. */
export const FAULTS = {
  /** What was asked for or set is wrong. */
  bad_request: { http: 400, exit: 1, retry: false },
  not_found: { http: 404, exit: 1, retry: false },
  /** What the request makes a condition does not hold. */
  condition: { http: 412, exit: 1, retry: false },
  /** It does not go with what is there already. */
  conflict: { http: 409, exit: 1, retry: false },
  /** It may work later. */
  unavailable: { http: 503, exit: 75, retry: true },
  /** A mistake of this program, or of what it is installed with. */
  internal: { http: 500, exit: 1, retry: false },
} as const;

type Fault = keyof typeof FAULTS;

/** Where a fault comes from. */
type Origin = 'request' | 'settings' | 'database' | 'node' | 'compiler' | 'kubernetes' | 'devnode' | 'process';

export interface ErrorRow {
  fault: Fault;
  origin: Origin;
  /** When it occurs. */
  when: string;
  /** One sentence for the person at the terminal. */
  remedy?: string;
  /** Somebody must correct settings, rights or versions before the process can work; the exit status is 78. */
  lasting?: true;
  /** The other side is away and comes back by itself: a process that starts waits for it. */
  outage?: true;
  /** The same question to the same node is not asked again at once. */
  final?: true;
  /** Nothing is amiss: clients read what it is, and nothing is logged. */
  isExpected?: true;
  /** Exit status, where neither the fault nor `lasting` decides it. */
  exit?: number;
}

const CHECK_DATABASE = 'Check that PostgreSQL runs where DATABASE_URL says; mdw doctor checks it.';
const CHECK_NODE = 'Check that a node of this network answers at NODE_URL; mdw doctor checks it.';
const OTHER_NODE = 'Set NODE_URL to a node of the network that the database holds, or DATABASE_SCHEMA to another copy.';

const rowsOf =
  <F extends Fault>(fault: F) =>
  <O extends Origin>(origin: O, when: string, more: Partial<ErrorRow> = {}): ErrorRow & { origin: O } => ({
    ...more,
    fault,
    origin,
    when,
  });

const bad = rowsOf('bad_request');
const missing = rowsOf('not_found');
const condition = rowsOf('condition');
const conflict = rowsOf('conflict');
const unavailable = rowsOf('unavailable');
const internal = rowsOf('internal');
const lasting = <O extends Origin>(origin: O, when: string, remedy: string) =>
  bad(origin, when, { lasting: true, remedy });
const databaseAway = (when: string) => unavailable('database', when, { outage: true, remedy: CHECK_DATABASE });
const nodeAway = (when: string, more: Partial<ErrorRow> = {}) =>
  unavailable('node', when, { outage: true, remedy: CHECK_NODE, ...more });

/** Every error that is raised on purpose, by its stable code. docs/errors.md is made from it. */
export const ERRORS = {
  // What was asked for.
  usage: bad('request', 'A command was given wrong arguments', { exit: 2 }),
  invalid_input: bad('request', 'A parameter of a request is malformed or out of range'),
  invalid_body: bad('request', 'The body of a request is not what the endpoint takes'),
  not_found: missing('request', 'What was asked for does not exist'),
  head_too_low: condition('request', 'The head is lower than a request wants it'),
  overloaded: unavailable('request', 'More requests are under way than can be answered'),
  not_loaded: unavailable(
    'request',
    'The chain is loaded for the first time, and what was asked for may not be there yet',
    {
      isExpected: true,
    },
  ),
  list_changed: unavailable('request', 'A reorg removed rows that an export had sent already'),

  // Settings.
  invalid_config: lasting(
    'settings',
    'A setting is missing or malformed, or names what cannot be used',
    'Set it in the environment or in .env; mdw --help lists all settings.',
  ),
  invalid_url: bad('settings', 'The address of a node or a compiler is not an HTTP URL'),
  other_database: lasting(
    'settings',
    'The database is not the one that mdw migrate --database-id names',
    'Put the address of the right one into DATABASE_URL.',
  ),
  wrong_chain: lasting('settings', 'The database holds another chain than the node', OTHER_NODE),

  // Database.
  database_unreachable: databaseAway('No connection to PostgreSQL'),
  database_lost: databaseAway('A connection ended under a statement'),
  database_unavailable: databaseAway('PostgreSQL starts, stops or ended a connection'),
  database_overloaded: databaseAway('PostgreSQL lacks connections, memory or disk'),
  database_read_only: databaseAway('The server is a standby'),
  database_not_ready: databaseAway('An object of the database is not in the state that is needed'),
  database_system_error: databaseAway('The operating system failed PostgreSQL'),
  database_internal_error: databaseAway('PostgreSQL reports a fault of its own, such as a damaged table'),
  database_error: internal('database', 'PostgreSQL refused a statement', { remedy: CHECK_DATABASE }),
  database_misused: internal('database', 'This program called the database driver wrongly'),
  database_refused: lasting(
    'database',
    'PostgreSQL refuses the login',
    'Correct user and password in DATABASE_URL; mdw doctor checks them.',
  ),
  database_untrusted: lasting(
    'database',
    'The certificate of PostgreSQL is not accepted',
    'Name the authority that it is signed by in DATABASE_CA_FILE, and the host that it is made for in DATABASE_URL.',
  ),
  database_missing: lasting(
    'database',
    'The database does not exist',
    'Create the database that DATABASE_URL names, or name another one.',
  ),
  missing_right: lasting(
    'database',
    'The role lacks a right',
    'Have an administrator of the database grant it; mdw doctor lists what is missing.',
  ),
  server_too_old: lasting(
    'database',
    'PostgreSQL is older than the oldest that is supported',
    'Use a newer PostgreSQL.',
  ),
  wrong_encoding: lasting(
    'database',
    'The database is not in UTF-8',
    'Create a database with the encoding UTF8, and name it in DATABASE_URL.',
  ),
  pooled_by_transaction: lasting(
    'database',
    'A pooler gives the sessions of one connection to others',
    'Set pool_mode of the pooler to session, or give the address of PostgreSQL itself.',
  ),
  session_not_set: unavailable('database', 'A connection did not take the settings of its session'),
  statement_timeout: unavailable('database', 'A statement took longer than it may'),
  statement_stale: unavailable('database', 'What was prepared on a connection no longer holds'),
  serialization_failure: unavailable('database', 'Two database transactions were in each other’s way'),
  lock_timeout: unavailable('database', 'A lock was not given in time'),
  connection_unusable: unavailable('database', 'A connection is in no state to be used'),
  idle_in_transaction: unavailable('database', 'A database transaction was idle for longer than it may'),
  conflict: conflict('database', 'A row contradicts one that is stored'),
  schema_older: conflict('database', 'The schema lacks a migration', { lasting: true, remedy: 'Run mdw migrate.' }),
  schema_newer: conflict(
    'database',
    'The schema was made by a newer version, and is no expansion of the one that this one knows',
    {
      lasting: true,
      remedy: 'Run the version of mdw that made it, or a newer one.',
    },
  ),
  schema_foreign: conflict('database', 'The schema holds something else than a copy of the chain', {
    lasting: true,
    remedy: 'Set DATABASE_SCHEMA to a schema that is empty or holds a copy.',
  }),
  not_a_copy: conflict('database', 'What is to be dropped is not a copy of the chain'),
  copy_unmarked: conflict('database', 'What is to be dropped does not bear the mark of a copy'),
  copy_in_use: conflict('database', 'What is to be dropped is in use'),
  copy_not_empty: conflict('database', 'A copy that is to be partitioned holds a chain', {
    lasting: true,
    remedy: 'Load a second copy into a partitioned schema, docs/scale.md.',
  }),
  lease_lost: conflict('database', 'Another process populates this copy now'),
  other_branch: conflict('database', 'The chain of the node does not join what is stored'),
  reorg_not_held: conflict('database', 'The reorg that is to be accepted is not held back'),
  gap_not_filled: unavailable('database', 'A gap in the stored heights could not be filled'),

  // Node. The codes that say most about a cause come first, see `mostSpecific`.
  node_closed: unavailable('node', 'The process ends, or no longer uses its nodes', { outage: true, final: true }),
  node_wrong_network: unavailable('node', 'The node is on another network', { lasting: true, remedy: OTHER_NODE }),
  node_wrong_genesis: unavailable('node', 'The node has another genesis block', { lasting: true, remedy: OTHER_NODE }),
  node_untrusted: nodeAway('The certificate of the node is not accepted', {
    remedy: 'Name the authority that it is signed by in NODE_CA_FILE, and the host that it is made for in NODE_URL.',
  }),
  node_lies: nodeAway('A well-formed answer to another question: wrong height or wrong hash', { final: true }),
  node_no_work: nodeAway('A key block without the work that it claims', { final: true }),
  node_unproven: nodeAway('A block whose contents do not follow from its hash', { final: true }),
  node_malformed: nodeAway('An answer that is cut off, ill-formed, too long, or without the fields it must have'),
  node_busy: nodeAway('The node answers 429 or 503'),
  node_error: nodeAway('An answer outside the interface of the node: 5xx, a redirect, a page of some proxy'),
  node_timeout: nodeAway('No answer, or not all of it, within the time allowed', { final: true }),
  node_unreachable: nodeAway('No connection to the node, or one that broke'),
  node_inconsistent: nodeAway('Answers of the node do not fit together, because its chain moved between them'),
  chain_moved: nodeAway('What was read from the node does not join what is stored by now'),

  // Compiler.
  compiler_unreachable: unavailable('compiler', 'No compiler is configured, or none can be reached'),
  compiler_timeout: unavailable('compiler', 'A compiler does not answer in time'),
  compiler_error: unavailable('compiler', 'A compiler answers with an error'),

  // Kubernetes.
  kubernetes_unreachable: unavailable('kubernetes', 'The API server does not answer'),
  kubernetes_throttled: unavailable('kubernetes', 'The API server asks to be left alone for a while'),
  kubernetes_server_error: unavailable('kubernetes', 'The API server failed'),
  kubernetes_forbidden: bad('kubernetes', 'The API server refuses the user, or the user lacks a right'),
  kubernetes_invalid: bad('kubernetes', 'The API server refuses an object as invalid'),
  kubernetes_gone: bad('kubernetes', 'What a list or watch starts from is no longer kept'),
  kubernetes_other: bad('kubernetes', 'The API server refuses a request for another reason'),
  kubernetes_not_found: missing('kubernetes', 'The object does not exist'),
  kubernetes_conflict: conflict('kubernetes', 'Somebody else changed the object meanwhile'),
  kind_missing: missing('kubernetes', 'The cluster does not know the kind Middleware'),
  wrong_phase: conflict('kubernetes', 'The reload is not at a step at which that can be asked for'),
  timed_out: unavailable('kubernetes', 'A Job took longer than it may'),

  // The process itself.
  internal: internal('process', 'A mistake of this program'),
  interrupted: unavailable('process', 'A signal ended the process before its work was done'),
  draining: unavailable('process', 'The process shuts down and takes nothing new'),
  address_unavailable: unavailable('process', 'An address cannot be listened on', {
    remedy: 'Stop the process that holds the address, or set another one.',
  }),
  already_running: conflict('process', 'Another process holds the lock or the PID file', {
    remedy: 'Stop that process first.',
  }),
  key_exists: conflict('process', 'The file that is to hold a new key is there already'),
  old_data: conflict('process', 'The folder of the demo was made by another version'),
  no_lock: internal('process', 'The folder of the demo cannot be locked'),
  no_data_folder: internal('process', 'There is no folder in which the demo can keep its data'),
  no_postgres: internal('process', 'The programs of PostgreSQL are not installed, or do not run here'),
  no_server_user: internal('process', 'There is no user as whom PostgreSQL could run'),
  initdb_failed: internal('process', 'initdb failed'),
  postgres_failed: internal('process', 'The PostgreSQL of the demo did not start'),
  postgres_ended: unavailable('process', 'The PostgreSQL of the demo ended unexpectedly'),
  postgres_left: unavailable('process', 'The PostgreSQL of an earlier run does not stop'),

  // The development node, and the flows that act as its clients.
  impossible: bad('devnode', 'The chain cannot be changed as was asked for'),
  invalid_misbehaviour: bad('devnode', 'A misbehaviour that the devnode does not know'),
  invalid_replay: bad('devnode', 'The recording cannot be replayed'),
  no_beneficiary: bad('devnode', 'Mining needs a beneficiary'),
  cross_site: bad('devnode', 'A web page asked for an administrative action of the devnode'),
  no_such_action: missing('devnode', 'The devnode has no such administrative action'),
  replayed: conflict('devnode', 'A recorded chain cannot be changed'),
  chain_unusable: conflict('devnode', 'The stored chain of the devnode cannot be used'),
  stopped: unavailable('devnode', 'Mining was cancelled'),
  cannot_listen: unavailable('devnode', 'The devnode cannot listen on its address', {
    remedy:
      'End what listens there, or name another address: --external, --internal and --admin of mdw devnode, --node-address and --internal-address of mdw demo.',
  }),
  insufficient_balance: conflict('devnode', 'An account cannot pay'),
  name_taken: conflict('devnode', 'The name is taken'),
  no_query: conflict('devnode', 'The oracle does not have the query'),
  dropped: conflict('devnode', 'The node dropped the transaction'),
  refused: conflict('devnode', 'The node refused the request'),
  no_answer: unavailable('devnode', 'The service does not answer'),
  timeout: unavailable('devnode', 'What was waited for did not happen in time'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes of faults that come from there. */
export type CodeFrom<O extends Origin> = {
  [C in ErrorCode]: (typeof ERRORS)[C] extends { origin: O } ? C : never;
}[ErrorCode];

/** The row of a code, which may be of another version of this program. */
export const errorRow = (code: string | undefined): ErrorRow | undefined =>
  code !== undefined && Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined;

/** Every error raised on purpose; what its code means stands in `ERRORS`. */
export class MiddlewareError extends Error {
  override readonly name = 'MiddlewareError';
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    extra: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: extra.cause });
    this.details = extra.details ?? {};
  }

  get row(): ErrorRow {
    return ERRORS[this.code];
  }

  get fault(): Fault {
    return this.row.fault;
  }
}

/** Whether the answer to a client of the API says what is wrong; what is wrong inside goes to the log only. */
export const isOfClient = ({ origin, fault, isExpected }: ErrorRow): boolean =>
  isExpected === true || (origin === 'request' && !FAULTS[fault].retry);

/** Status of an answer to a client whose request met the error. Nobody but a client itself is at fault for a 4xx. */
export function httpStatusOf(row: ErrorRow): number {
  if (isOfClient(row)) return FAULTS[row.fault].http;
  // The client cannot have caused a fault of the database or its driver, and may try again.
  return row.origin === 'database' || FAULTS[row.fault].retry ? 503 : 500;
}

/** Whether it is a fault that comes from there. */
export const isFrom = <O extends Origin>(origin: O, error: unknown): error is MiddlewareError & { code: CodeFrom<O> } =>
  error instanceof MiddlewareError && error.row.origin === origin;

/** What a thrown value says, whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
