import type { z } from 'zod';
import { address, integer, oneOf, path, postgresUrl, postgresUrls, schemaName, text, url, urls } from './checks.js';
import { PORT } from './ports.js';

/** What a process does; each needs some of the settings. */
export type Role = 'populate' | 'heights' | 'verify' | 'serve' | 'migrate' | 'doctor';

export interface Setting {
  /** The variable; the next ones are read when the first is absent. */
  variables: readonly [string, ...string[]];
  /** Text taken when no variable is set. */
  fallback?: string;
  optional?: true;
  /** Value of a required setting that is absent, where no wanted role needs it. */
  empty?: '' | readonly [];
  /** Masked in logs and messages; may also come from the file that `<variable>_FILE` names. */
  secret?: true;
  /** Path of a file that must hold certificates when the process starts. */
  certificates?: true;
  roles: readonly Role[];
  check: z.ZodType<unknown, string>;
  help: string;
}

const loading = ['populate', 'heights', 'verify'] as const;
const all = ['populate', 'heights', 'verify', 'serve', 'migrate', 'doctor'] as const;

/** Every setting there is. Help, README and docs/configuration.md are made from this table. */
export const settings = {
  nodeUrls: {
    variables: ['NODE_URL'],
    empty: [],
    roles: [...loading, 'serve', 'doctor'],
    check: urls,
    help: 'External interface of the node, without /v2; several nodes separated by commas: reads fail over',
  },
  nodeApi: {
    variables: ['NODE_API'],
    fallback: 'auto',
    roles: [...loading, 'serve', 'doctor'],
    check: oneOf('auto', 'v2', 'v3'),
    help: 'Paths the node answers under: auto finds out',
  },
  nodeTimeoutMs: {
    variables: ['NODE_TIMEOUT_MS'],
    fallback: '10000',
    roles: [...loading, 'doctor'],
    check: integer(100, 600_000),
    help: 'Time a node has for one answer, in milliseconds',
  },
  nodeConcurrency: {
    variables: ['NODE_CONCURRENCY'],
    fallback: '16',
    roles: loading,
    check: integer(1, 256),
    help: 'Max requests open to one node at a time while loading',
  },
  proof: {
    variables: ['PROOF'],
    fallback: 'full',
    roles: loading,
    check: oneOf('full', 'hashes', 'headers', 'off'),
    help: 'What of a block must follow from its hash before it is stored: headers, hashes of transactions too, or every member too (full)',
  },
  nodeInternalUrl: {
    variables: ['NODE_INTERNAL_URL'],
    optional: true,
    roles: ['serve'],
    check: url,
    help: 'Internal interface of the node: when set, /v2/debug is forwarded there',
  },
  nodeCaFile: {
    variables: ['NODE_CA_FILE'],
    optional: true,
    certificates: true,
    roles: [...loading, 'serve', 'doctor'],
    check: path,
    help: 'File with the certificates (PEM) of the authorities that nodes under https are signed by, in place of the public ones',
  },
  databaseUrl: {
    variables: ['DATABASE_URL'],
    empty: '',
    secret: true,
    roles: all,
    check: postgresUrl,
    help: 'PostgreSQL 11.2 or newer: postgres://user:password@host/database',
  },
  databaseCaFile: {
    variables: ['DATABASE_CA_FILE'],
    optional: true,
    certificates: true,
    roles: all,
    check: path,
    help: 'File with the certificates (PEM) of the authorities that PostgreSQL is signed by: sslrootcert, and sslmode=verify-full unless DATABASE_URL has another one',
  },
  databaseReplicaUrls: {
    variables: ['DATABASE_REPLICA_URLS'],
    optional: true,
    secret: true,
    roles: ['serve'],
    check: postgresUrls,
    help: 'Standbys of the database that clients’ reads are spread over, separated by commas: postgres://host:port; what a URL lacks of user, password, database and parameters is that of DATABASE_URL',
  },
  databaseSchema: {
    variables: ['DATABASE_SCHEMA'],
    fallback: 'mdw',
    roles: all,
    check: schemaName,
    help: 'Schema that holds this copy of the chain and nothing else; it is made when missing',
  },
  databasePoolSize: {
    variables: ['DATABASE_POOL_SIZE'],
    fallback: '10',
    roles: all,
    check: integer(2, 1000),
    help: 'Max connections to the database',
  },
  statementTimeoutMs: {
    variables: ['STATEMENT_TIMEOUT_MS'],
    fallback: '15000',
    roles: ['serve'],
    check: integer(100, 3_600_000),
    help: 'Time the database has for one query of a client, in milliseconds',
  },
  compilerUrls: {
    variables: ['COMPILER_URL', 'AESOPHIA_URL'],
    optional: true,
    roles: ['populate', 'heights', 'serve'],
    check: urls,
    help: 'Compiler service, several separated by commas: decodes contract calls that cannot be decoded from the bytecode alone',
  },
  compilerCaFile: {
    variables: ['COMPILER_CA_FILE'],
    optional: true,
    certificates: true,
    roles: ['populate', 'heights', 'serve'],
    check: path,
    help: 'The same as NODE_CA_FILE for the compiler service',
  },
  pollIntervalMs: {
    variables: ['POLL_INTERVAL_MS'],
    fallback: '1000',
    roles: ['populate'],
    check: integer(50, 600_000),
    help: 'Pause between two comparisons with the node, in milliseconds; eight times in it, at least 50 ms apart, the followed node is asked for the hash of its head: another one ends the pause, the same one puts its end off, up to three times as long or 3 s',
  },
  powEdgeBits: {
    variables: ['POW_EDGE_BITS'],
    optional: true,
    roles: ['populate', 'heights'],
    check: integer(0, 31),
    help: 'Size of the graphs that the proof of work of key blocks is a cycle in: known of ae_mainnet and ae_uat (29); 0 where blocks have none',
  },
  maxUnprovenReorg: {
    variables: ['MAX_UNPROVEN_REORG'],
    fallback: '100',
    roles: ['populate'],
    check: integer(0, 1_000_000_000),
    help: 'Max key blocks that a reorg may take back where the proof of work is not known; a deeper one waits for a second node or mdw accept-reorg',
  },
  verifyShare: {
    variables: ['VERIFY_SHARE'],
    fallback: '1',
    roles: ['populate'],
    check: integer(0, 50),
    help: 'Share of its time, in percent, that a populator at the head spends on verifying the copy again and mending it; 0 for none',
  },
  leaseSeconds: {
    variables: ['LEASE_SECONDS'],
    fallback: '10',
    roles: ['populate'],
    check: integer(2, 600),
    help: 'Time after which a silent populator loses the right to write, in seconds',
  },
  httpAddress: {
    variables: ['HTTP_ADDRESS'],
    fallback: `0.0.0.0:${PORT.http}`,
    roles: ['serve'],
    check: address,
    help: 'Where clients are served',
  },
  metricsAddress: {
    variables: ['METRICS_ADDRESS'],
    fallback: `0.0.0.0:${PORT.metrics}`,
    roles: ['populate', 'serve'],
    check: address,
    help: 'Where /metrics, /healthz and /readyz are served',
  },
  progressAddress: {
    variables: ['PROGRESS_ADDRESS'],
    optional: true,
    roles: ['heights', 'verify', 'migrate'],
    check: address,
    help: 'Where /readyz reports how far work with an end is, or what it waits for; nowhere unless given',
  },
  websocketAddress: {
    variables: ['WEBSOCKET_ADDRESS'],
    fallback: `0.0.0.0:${PORT.websocket}`,
    roles: ['serve'],
    check: address,
    help: 'Where chain events are pushed',
  },
  websocketGreeting: {
    variables: ['WEBSOCKET_GREETING'],
    optional: true,
    roles: ['serve'],
    check: text,
    help: 'First frame of each websocket, for clients that wait for the word connected',
  },
  websocketMaxConnections: {
    variables: ['WEBSOCKET_MAX_CONNECTIONS'],
    fallback: '10000',
    roles: ['serve'],
    check: integer(0, 1_000_000),
    help: 'Max connections for events, websockets and event streams; 0 for no limit',
  },
  websocketMaxPerAddress: {
    variables: ['WEBSOCKET_MAX_PER_ADDRESS'],
    fallback: '1000',
    roles: ['serve'],
    check: integer(0, 1_000_000),
    help: 'Max of them from one address; 0 for no limit, as behind a proxy, whose address all clients have',
  },
  websocketMaxTargets: {
    variables: ['WEBSOCKET_MAX_TARGETS'],
    fallback: '10000',
    roles: ['serve'],
    check: integer(1, 1_000_000),
    help: 'Max object subscriptions of one connection',
  },
  websocketMaxFrame: {
    variables: ['WEBSOCKET_MAX_FRAME'],
    fallback: '65536',
    roles: ['serve'],
    check: integer(1_024, 16_777_216),
    help: 'Max size of a message of a client, in bytes',
  },
  websocketMaxBacklog: {
    variables: ['WEBSOCKET_MAX_BACKLOG'],
    fallback: '4194304',
    roles: ['serve'],
    check: integer(65_536, 1_073_741_824),
    help: 'Bytes that may wait for a client that reads too slowly, before it is sent away',
  },
  websocketDrainMs: {
    variables: ['WEBSOCKET_DRAIN_MS'],
    fallback: '5000',
    roles: ['serve'],
    check: integer(0, 600_000),
    help: 'Time over which the connections for events are closed when the process ends, in milliseconds',
  },
  streamDrainMs: {
    variables: ['STREAM_DRAIN_MS'],
    fallback: '120000',
    roles: ['serve'],
    check: integer(0, 600_000),
    help: 'Time that exports (CSV, NDJSON) and downloads from the node under way have when the process ends, in milliseconds',
  },
  limitCap: {
    variables: ['LIMIT_CAP'],
    fallback: '10000',
    roles: ['serve'],
    check: integer(1, 1_000_000),
    help: 'Max entries of one answer, also where a client asks for more',
  },
  rateLimitPerSecond: {
    variables: ['RATE_LIMIT_PER_SECOND'],
    fallback: '0',
    roles: ['serve'],
    check: integer(0, 1_000_000),
    help: 'Max requests of one address per second; 0 for no limit, as behind a proxy, whose address all clients have',
  },
  cacheDepth: {
    variables: ['CACHE_DEPTH'],
    fallback: '480',
    roles: ['serve'],
    check: integer(1, 1_000_000_000),
    help: 'Key blocks above a block from which caches may keep its answers forever; 480 are about a day',
  },
  explorer: {
    variables: ['EXPLORER'],
    fallback: 'on',
    roles: ['serve'],
    check: oneOf('on', 'off'),
    help: 'Whether / is a page to look at the chain and /guide the guide; off leaves both to the node',
  },
  forwardTimeoutMs: {
    variables: ['FORWARD_TIMEOUT_MS'],
    fallback: '20000',
    roles: ['serve'],
    check: integer(100, 600_000),
    help: 'Time the node has for a forwarded request, in milliseconds',
  },
  statusMaxBlockAge: {
    variables: ['STATUS_MAX_BLOCK_AGE'],
    fallback: '900',
    roles: ['serve'],
    check: integer(1, 1_000_000_000),
    help: 'Age of the newest key block from which the status is no longer OK, in seconds',
  },
  statusMaxQueueLength: {
    variables: ['STATUS_MAX_QUEUE_LENGTH'],
    fallback: '2',
    roles: ['serve'],
    check: integer(0, 1_000_000_000),
    help: 'Heights waiting to be loaded above which the status is no longer OK',
  },
  pidFile: {
    variables: ['PID_FILE'],
    optional: true,
    roles: ['populate', 'heights', 'verify', 'serve'],
    check: path,
    help: 'With -d: holds the process id from when mdw -d returns until the process ends',
  },
  logDir: {
    variables: ['LOG_DIR'],
    optional: true,
    roles: all,
    check: path,
    help: 'Folder for logs, made when missing; otherwise they go to standard output',
  },
  logLevel: {
    variables: ['LOG_LEVEL'],
    fallback: 'info',
    roles: all,
    check: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    help: 'Min level of the log lines to write; debug also shows where a fault comes from',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type Value<S extends Setting> = S extends { optional: true } ? z.output<S['check']> | undefined : z.output<S['check']>;

/** The checked settings. */
export type Config = { readonly [Name in SettingName]: Value<(typeof settings)[Name]> };
