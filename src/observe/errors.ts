/** Kinds of faults. The kind decides the HTTP status, and the exit status unless the error code has its own. */
export const FAULTS = {
  /** The request or a setting is wrong. */
  bad_request: { http: 400, exit: 1, retry: false },
  not_found: { http: 404, exit: 1, retry: false },
  /** A condition of the request is not met. */
  condition: { http: 412, exit: 1, retry: false },
  /** The request contradicts what exists already. */
  conflict: { http: 409, exit: 1, retry: false },
  /** A retry may succeed later. */
  unavailable: { http: 503, exit: 75, retry: true },
  /** A bug of this program, or a wrong installation. */
  internal: { http: 500, exit: 1, retry: false },
} as const;

type Fault = keyof typeof FAULTS;

/** The part that causes a fault. */
type Origin = 'request' | 'settings' | 'database' | 'node' | 'compiler' | 'kubernetes' | 'devnode' | 'process';

export interface ErrorRow {
  fault: Fault;
  origin: Origin;
  /** When it occurs. */
  when: string;
  /** One sentence for the person at the terminal. */
  remedy?: string;
  /** The administrator must correct settings, rights or versions before the process can work. The exit status is 78. */
  lasting?: true;
  /** The other side is away and is expected to come back: a process that starts waits for it. */
  outage?: true;
  /** The same request to the same node is not repeated at once. */
  final?: true;
  /** A normal state: clients get its message, and nothing is logged. */
  isExpected?: true;
  /** Exit status, if neither the fault nor `lasting` decides it. */
  exit?: number;
}

const CHECK_DATABASE = 'Check that PostgreSQL runs where DATABASE_URL says; mdw doctor checks it.';
const CHECK_NODE = 'Check that a node of this network answers at NODE_URL; mdw doctor checks it.';
const OTHER_NODE = 'Set NODE_URL to a node of the network of this copy, or DATABASE_SCHEMA to another copy.';

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
const databaseAway = (when: string, remedy = CHECK_DATABASE) => unavailable('database', when, { outage: true, remedy });
const nodeAway = (when: string, more: Partial<ErrorRow> = {}) =>
  unavailable('node', when, { outage: true, remedy: CHECK_NODE, ...more });

/** Every error that is thrown on purpose, by its stable code. docs/errors.md is generated from this table. */
export const ERRORS = {
  // Requests.
  usage: bad('request', 'A command was given wrong arguments', { exit: 2 }),
  invalid_input: bad('request', 'A parameter of a request is malformed or out of range'),
  invalid_body: bad('request', 'The body of a request is malformed, or not what the endpoint accepts'),
  not_found: missing('request', 'The requested object does not exist'),
  head_too_low: condition('request', 'The head is lower than the request demands'),
  overloaded: unavailable('request', 'More requests are running than can be answered'),
  not_loaded: unavailable(
    'request',
    'The chain is loaded for the first time, and the requested data may not be stored yet',
    {
      isExpected: true,
    },
  ),
  not_available: unavailable('request', 'The compatible API does not have this data in this release, or not yet', {
    isExpected: true,
  }),
  list_changed: unavailable('request', 'During an export, a reorg removed rows that were already sent'),

  // Settings.
  invalid_config: lasting(
    'settings',
    'A setting is missing or malformed, or its value cannot be used',
    'Set it in the environment or in .env; mdw --help lists all settings.',
  ),
  invalid_url: bad('settings', 'The address of a node or a compiler is not an HTTP URL'),
  other_database: lasting(
    'settings',
    'The database is not the one that mdw migrate --database-id names',
    'Set DATABASE_URL to the address of the right database.',
  ),
  wrong_chain: lasting('settings', 'The chain of the copy is not the chain of the node', OTHER_NODE),

  // Database.
  database_unreachable: databaseAway('No connection to PostgreSQL'),
  database_lost: databaseAway('A connection ended while a statement was running'),
  database_silent: databaseAway('PostgreSQL does not answer a statement, though its connection looks open'),
  database_unavailable: databaseAway('PostgreSQL is starting, is shutting down, or closed a connection'),
  database_overloaded: databaseAway('PostgreSQL has too few connections, or too little memory or disk space'),
  database_read_only: databaseAway(
    'The server accepts no writes: it is a standby, or default_transaction_read_only is on, with which providers protect a disk that is nearly full',
    'Set DATABASE_URL to the primary; if it is the primary, give it more disk space. mdw doctor shows which of the two it is.',
  ),
  database_not_ready: databaseAway('An object of the database is not in the required state'),
  database_system_error: databaseAway('PostgreSQL reports an error of its operating system'),
  database_internal_error: databaseAway('PostgreSQL reports an internal error, such as a damaged table'),
  database_error: internal('database', 'PostgreSQL refused a statement', { remedy: CHECK_DATABASE }),
  database_misused: internal('database', 'This program used the database driver in a wrong way'),
  database_refused: lasting(
    'database',
    'PostgreSQL refuses the login',
    'Correct user and password in DATABASE_URL; mdw doctor checks them.',
  ),
  database_untrusted: lasting(
    'database',
    'The certificate of PostgreSQL is not accepted',
    'Set DATABASE_CA_FILE to the certificate of the authority that signed it, and use the host name of the certificate in DATABASE_URL.',
  ),
  database_missing: lasting(
    'database',
    'The database does not exist',
    'Create the database that DATABASE_URL names, or name another one.',
  ),
  missing_right: lasting(
    'database',
    'The database role lacks a right',
    'Ask an administrator of the database to grant it; mdw doctor lists the missing rights.',
  ),
  server_too_old: lasting(
    'database',
    'PostgreSQL is older than the oldest supported version',
    'Use a newer PostgreSQL.',
  ),
  wrong_encoding: lasting(
    'database',
    'The database is not in UTF-8',
    'Create a database with the encoding UTF8, and name it in DATABASE_URL.',
  ),
  pooled_by_transaction: lasting(
    'database',
    'A connection pooler shares one session between several clients',
    'Set pool_mode of the pooler to session, or set DATABASE_URL to the address of PostgreSQL itself.',
  ),
  session_not_set: unavailable('database', 'A connection did not accept the settings of its session'),
  statement_timeout: unavailable('database', 'A statement exceeded its time limit'),
  statement_stale: unavailable('database', 'A prepared statement of a connection is no longer valid'),
  serialization_failure: unavailable('database', 'Two database transactions conflicted'),
  lock_timeout: unavailable('database', 'A lock was not available in time'),
  connection_unusable: unavailable('database', 'A connection is in a state in which it cannot be used'),
  idle_in_transaction: unavailable('database', 'A database transaction was idle for too long'),
  conflict: conflict('database', 'A row contradicts a stored one'),
  schema_older: conflict('database', 'The schema lacks a migration', { lasting: true, remedy: 'Run mdw migrate.' }),
  schema_newer: conflict(
    'database',
    'A newer version of mdw changed the schema in a way that this version cannot use',
    {
      lasting: true,
      remedy: 'Run the version of mdw that changed it, or a newer one.',
    },
  ),
  schema_foreign: conflict('database', 'The schema contains something that is not a copy of the chain', {
    lasting: true,
    remedy: 'Set DATABASE_SCHEMA to a schema that is empty or contains a copy.',
  }),
  not_a_copy: conflict('database', 'The schema to be dropped is not a copy of the chain'),
  copy_unmarked: conflict('database', 'The schema to be dropped is not marked as a copy'),
  copy_in_use: conflict('database', 'The copy to be dropped is in use'),
  copy_ahead: conflict('database', 'The copy to be dropped has more proven work than the copy that serves', {
    remedy: 'Wait until the copy that serves has caught up; mdw drop without --serving drops it in any case.',
  }),
  copy_not_empty: conflict('database', 'The copy to be partitioned contains a chain already', {
    lasting: true,
    remedy: 'Load a second copy into a partitioned schema, docs/scale.md.',
  }),
  lease_lost: conflict('database', 'Another process has the lease of this copy now'),
  other_branch: conflict('database', 'The chain of the node does not join the stored blocks'),
  reorg_not_held: conflict('database', 'The reorg to be accepted is not held'),
  gap_not_filled: unavailable('database', 'A gap in the stored heights could not be filled'),

  // Node. The codes that say most about a cause come first, see `mostSpecific`.
  node_closed: unavailable('node', 'The process is shutting down, or no longer uses its nodes', {
    outage: true,
    final: true,
  }),
  node_wrong_network: unavailable('node', 'The node is on another network', { lasting: true, remedy: OTHER_NODE }),
  node_wrong_genesis: unavailable('node', 'The node has another genesis block', { lasting: true, remedy: OTHER_NODE }),
  node_untrusted: nodeAway('The certificate of the node is not accepted', {
    remedy:
      'Set NODE_CA_FILE to the certificate of the authority that signed it, and use the host name of the certificate in NODE_URL.',
  }),
  node_lies: nodeAway('A well-formed answer for another object: wrong height or wrong hash', { final: true }),
  node_unknown_protocol: nodeAway('A block has a protocol version that this release does not know', {
    final: true,
    remedy: 'Update mdw to a release that knows the protocol of the network.',
  }),
  node_no_work: nodeAway('A key block does not have the work that it claims', { final: true }),
  node_breaks_rules: nodeAway('A block breaks the rules of the network', { final: true }),
  node_unproven: nodeAway('The contents of a block do not match its hash', { final: true }),
  node_unsigned: nodeAway(
    'A micro block is not signed by the leader of its generation, or a transaction by its accounts',
    {
      final: true,
    },
  ),
  node_malformed: nodeAway('An answer is cut off, malformed or too long, or lacks required fields'),
  node_busy: nodeAway('The node answers 429 or 503'),
  node_error: nodeAway('An answer that a node does not give: 5xx, a redirect, or a page of a proxy'),
  node_timeout: nodeAway('The node did not answer completely in time', { final: true }),
  node_unreachable: nodeAway('The connection to the node failed or broke'),
  node_inconsistent: nodeAway('Answers of the node do not fit together, because its chain changed between them'),
  chain_moved: nodeAway('The stored chain changed while blocks were read, and they no longer join it'),

  // Compiler.
  compiler_unreachable: unavailable('compiler', 'No compiler is configured, or none can be reached'),
  compiler_timeout: unavailable('compiler', 'A compiler does not answer in time'),
  compiler_error: unavailable('compiler', 'A compiler answers with an error'),

  // Kubernetes.
  kubernetes_unreachable: unavailable('kubernetes', 'The API server does not answer'),
  kubernetes_throttled: unavailable('kubernetes', 'The API server asks for fewer requests (429)'),
  kubernetes_server_error: unavailable('kubernetes', 'The API server answers with a server error'),
  kubernetes_forbidden: bad('kubernetes', 'The API server refuses the user, or the user lacks a right'),
  kubernetes_invalid: bad('kubernetes', 'The API server refuses an object as invalid'),
  kubernetes_gone: bad('kubernetes', 'The API server no longer has the version from which a list or watch starts'),
  kubernetes_other: bad('kubernetes', 'The API server refuses a request for another reason'),
  kubernetes_not_found: missing('kubernetes', 'The object does not exist'),
  kubernetes_conflict: conflict('kubernetes', 'Another client changed the object at the same time'),
  kind_missing: missing('kubernetes', 'The cluster does not have the resource definition of Middleware'),
  wrong_phase: conflict('kubernetes', 'The reload is in a phase that does not allow the request'),
  timed_out: unavailable('kubernetes', 'A Job exceeded its time limit'),

  // The process itself.
  internal: internal('process', 'A bug of this program'),
  interrupted: unavailable('process', 'A signal ended the process before its work was done'),
  draining: unavailable('process', 'The process is shutting down and accepts no new requests'),
  address_unavailable: unavailable('process', 'The process cannot listen on an address', {
    remedy: 'Stop the process that uses the address, or set another address.',
  }),
  already_running: conflict('process', 'Another process has the lock or the PID file', {
    remedy: 'Stop that process first.',
  }),
  key_exists: conflict('process', 'The file for the new key exists already'),
  old_data: conflict('process', 'The folder of the demo was made by another version'),
  no_lock: internal('process', 'The folder of the demo cannot be locked'),
  no_data_folder: internal('process', 'There is no folder for the data of the demo'),
  no_postgres: internal('process', 'The programs of PostgreSQL are not installed, or do not run here'),
  no_server_user: internal('process', 'There is no user to run PostgreSQL as'),
  initdb_failed: internal('process', 'initdb failed'),
  postgres_failed: internal('process', 'The PostgreSQL of the demo did not start'),
  postgres_ended: unavailable('process', 'The PostgreSQL of the demo ended unexpectedly'),
  postgres_left: unavailable('process', 'The PostgreSQL of an earlier run does not stop'),

  // The development node, and the flows that act as its clients.
  impossible: bad('devnode', 'The requested change of the chain is not possible'),
  invalid_misbehaviour: bad('devnode', 'The devnode has no such misbehaviour'),
  invalid_replay: bad('devnode', 'The recording cannot be replayed'),
  no_beneficiary: bad('devnode', 'Mining needs a beneficiary'),
  cross_site: bad('devnode', 'A web page requested an administrative action of the devnode'),
  no_such_action: missing('devnode', 'The devnode has no such administrative action'),
  replayed: conflict('devnode', 'A replayed chain can neither grow nor fork'),
  chain_unusable: conflict('devnode', 'The stored chain of the devnode cannot be used'),
  stopped: unavailable('devnode', 'Mining was stopped before it was done'),
  cannot_listen: unavailable('devnode', 'The devnode cannot listen on its address', {
    remedy:
      'Stop the process that uses the address, or set another one: --external, --internal, --rosetta and --admin of mdw devnode, --node-address, --internal-address and --rosetta-address of mdw demo.',
  }),
  insufficient_balance: conflict('devnode', 'An account has too few coins to pay'),
  name_taken: conflict('devnode', 'The name is taken'),
  no_query: conflict('devnode', 'The oracle does not have the query'),
  dropped: conflict('devnode', 'The node dropped the transaction'),
  refused: conflict('devnode', 'The node refused the request'),
  no_answer: unavailable('devnode', 'The service does not answer'),
  timeout: unavailable('devnode', 'The expected event did not happen in time'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** Error codes of one origin. */
export type CodeFrom<O extends Origin> = {
  [C in ErrorCode]: (typeof ERRORS)[C] extends { origin: O } ? C : never;
}[ErrorCode];

/** Error codes of one origin, in the order of the table. */
export const codesFrom = <O extends Origin>(origin: O): CodeFrom<O>[] =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code): code is CodeFrom<O> => ERRORS[code].origin === origin);

/** The row of a code; undefined if this version does not have the code. */
export const errorRow = (code: string | undefined): ErrorRow | undefined =>
  code !== undefined && Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined;

/** Every error that is thrown on purpose. `ERRORS` says what its code means. */
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

/** Whether a client of the API gets the message of the error. Messages of internal faults go to the log only. */
export const isShownToClients = ({ origin, fault, isExpected }: ErrorRow): boolean =>
  isExpected === true || (origin === 'request' && !FAULTS[fault].retry);

/** HTTP status for a request that failed with the error. 4xx is only for faults of the client itself. */
export function httpStatusOf(row: ErrorRow): number {
  if (isShownToClients(row)) return FAULTS[row.fault].http;
  // The client did not cause a fault of the database or its driver, and may retry.
  return row.origin === 'database' || FAULTS[row.fault].retry ? 503 : 500;
}

/** Whether it is a MiddlewareError of this origin. */
export const isFrom = <O extends Origin>(origin: O, error: unknown): error is MiddlewareError & { code: CodeFrom<O> } =>
  error instanceof MiddlewareError && error.row.origin === origin;

/** Message of a thrown value of any type. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
