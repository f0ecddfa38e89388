import type { z } from 'zod';
import {
  address,
  depth,
  integer,
  oneOf,
  path,
  positiveDepth,
  postgresUrl,
  postgresUrls,
  schemaName,
  share,
  text,
  url,
  urls,
} from './checks.js';
import { PORT } from './ports.js';

/** What a process does; each needs some of the settings. */
export type Role = 'populate' | 'heights' | 'verify' | 'serve' | 'migrate' | 'doctor';

export interface Setting {
  /** The environment variable. The others are read if the first is not set. */
  variables: readonly [string, ...string[]];
  /** Default, as text. */
  fallback?: string;
  optional?: true;
  /** Value of a required setting that is not set and that no role of the process needs. */
  empty?: '' | readonly [];
  /** Masked in logs and messages; may also come from the file that `<variable>_FILE` names. */
  secret?: true;
  /** Path of a file that must hold certificates when the process starts. */
  certificates?: true;
  roles: readonly Role[];
  /** The field of the resource that sets it, within its spec. Its default, bounds and text are those of the setting. */
  field?: string;
  /** The default of that field, if it is another one. */
  fieldFallback?: string;
  /** Only the field sets it: `spec.settings` must not have it. */
  fieldOnly?: true;
  check: z.ZodType<unknown, string>;
  help: string;
}

const loading = ['populate', 'heights', 'verify'] as const;
const all = ['populate', 'heights', 'verify', 'serve', 'migrate', 'doctor'] as const;

/** All settings. Help, README and docs/configuration.md are generated from this table. */
export const settings = {
  nodeUrls: {
    variables: ['NODE_URL'],
    empty: [],
    roles: [...loading, 'serve', 'doctor'],
    check: urls,
    help: 'URL of the external interface of the node, without /v2; several nodes, separated by commas, for failover',
  },
  nodeApi: {
    variables: ['NODE_API'],
    fallback: 'auto',
    roles: [...loading, 'serve', 'doctor'],
    field: 'node.api',
    check: oneOf('auto', 'v2', 'v3'),
    help: 'Version of the node’s paths; auto detects it',
  },
  nodeTimeoutMs: {
    variables: ['NODE_TIMEOUT_MS'],
    fallback: '10000',
    roles: [...loading, 'doctor'],
    field: 'node.timeoutMs',
    check: integer(100, 600_000),
    help: 'Max time without data from a node, in milliseconds; a whole answer may take four times as long',
  },
  networkId: {
    variables: ['NETWORK_ID'],
    optional: true,
    roles: [...loading, 'doctor'],
    field: 'network.id',
    fieldOnly: true,
    check: text,
    help: 'Network that nodes and database must be of, for example ae_mainnet; nothing of another one is written. Without it, an empty database takes the network of its first node',
  },
  genesisAccountsFile: {
    variables: ['GENESIS_ACCOUNTS_FILE'],
    optional: true,
    roles: ['populate', 'doctor'],
    check: path,
    help: 'File with the coins of the genesis block, as the nodes of a network that is not built in have it: {"ak_…": 1000}, in the smallest unit. Those of a hard fork are below its protocol version: {"5": {"ak_…": 1000}}. They are compared with a node, and become part of the copy. Without it these coins are missing until the balances of a node tell them',
  },
  newGenesis: {
    variables: ['NEW_GENESIS'],
    fallback: 'off',
    roles: ['populate'],
    check: oneOf('off', 'new_copy'),
    help: 'What a populator does if the chain of a network that is not built in began anew: it waits (off), or renames the schema of the copy and loads a new copy (new_copy); the former copy stays until mdw drop',
  },
  nodeConcurrency: {
    variables: ['NODE_CONCURRENCY'],
    fallback: '16',
    roles: loading,
    field: 'populator.nodeConcurrency',
    check: integer(1, 256),
    help: 'Max concurrent requests to one node while loading',
  },
  proof: {
    variables: ['PROOF'],
    fallback: 'full',
    roles: loading,
    field: 'populator.proof',
    fieldOnly: true,
    check: oneOf('signatures', 'full', 'hashes', 'headers', 'off'),
    help: 'Which parts of a block are checked against its hash before it is stored. headers: its header; hashes: also the hashes of its transactions; full: also every field of them; off (in YAML in quotes): nothing. The leader must have signed a micro block, and accounts their transactions of the last day; signatures is full, with the signatures of all transactions',
  },
  acceptUnknownProtocol: {
    variables: ['ACCEPT_UNKNOWN_PROTOCOL'],
    fallback: 'off',
    roles: loading,
    check: oneOf('on', 'off'),
    help: 'Whether blocks of a protocol version that this release does not know are stored without a proof (on), or the head waits until mdw is updated (off)',
  },
  nodeInternalUrl: {
    variables: ['NODE_INTERNAL_URL'],
    optional: true,
    roles: ['serve', 'verify'],
    field: 'node.internalUrl',
    check: url,
    help: 'URL of the internal interface of the node; if set, requests for /v2/debug are forwarded there, and -v --ledger compares the supply',
  },
  rosettaUrls: {
    variables: ['ROSETTA_URL'],
    optional: true,
    secret: true,
    roles: ['populate'],
    field: 'node.rosettaUrl',
    fieldOnly: true,
    check: urls,
    help: 'URL of the Rosetta interface of a node, which is on port 3213: it is asked what contracts paid, and what else does not follow from transactions; without it such changes of balances are missing. Of several, separated by commas, the next one is asked where one is away, and another one must confirm a tenth of the answers, or the part that SECOND_OPINION_SHARE says if that is more',
  },
  nodeCaFile: {
    variables: ['NODE_CA_FILE'],
    optional: true,
    certificates: true,
    roles: [...loading, 'serve', 'doctor'],
    check: path,
    help: 'File with the certificates (PEM) of the authorities that sign the certificates of nodes under https; replaces the public authorities',
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
    help: 'File with the certificates (PEM) of the authorities that sign the certificate of PostgreSQL; sets sslrootcert, and sslmode=verify-full unless DATABASE_URL has another sslmode',
  },
  databaseReplicaUrls: {
    variables: ['DATABASE_REPLICA_URLS'],
    optional: true,
    secret: true,
    roles: ['serve'],
    check: postgresUrls,
    help: 'Standbys of the database that answer reads of clients, separated by commas: postgres://host:port; user, password, database and parameters default to those of DATABASE_URL',
  },
  databaseSchema: {
    variables: ['DATABASE_SCHEMA'],
    fallback: 'mdw',
    roles: all,
    check: schemaName,
    help: 'Schema for this copy of the chain and nothing else; created if missing',
  },
  databasePoolSize: {
    variables: ['DATABASE_POOL_SIZE'],
    fallback: '10',
    roles: all,
    field: 'database.poolSize',
    check: integer(2, 1000),
    help: 'Max connections of one process to the database',
  },
  statementTimeoutMs: {
    variables: ['STATEMENT_TIMEOUT_MS'],
    fallback: '15000',
    roles: ['serve'],
    check: integer(100, 3_600_000),
    help: 'Max time of one query of a client, in milliseconds',
  },
  compilerUrls: {
    variables: ['COMPILER_URL', 'AESOPHIA_URL'],
    optional: true,
    roles: ['populate', 'heights', 'serve'],
    check: urls,
    help: 'URL of the compiler service, several separated by commas; it decodes contract calls that cannot be decoded from the bytecode alone',
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
    field: 'populator.pollIntervalMs',
    check: integer(50, 600_000),
    help: 'Pause between two comparisons with the node, in milliseconds. In the pause the node is asked for the hash of its head up to eight times, at least 50 ms apart. Another hash ends the pause; the same hash extends it, up to three times its length or 3 s',
  },
  powEdgeBits: {
    variables: ['POW_EDGE_BITS'],
    optional: true,
    roles: ['populate', 'heights'],
    field: 'populator.powEdgeBits',
    fieldOnly: true,
    check: integer(0, 31),
    help: 'Size of the graphs of the proof of work (Cuckoo Cycle), as a power of two; known for ae_mainnet and ae_uat (29); 0 for a network without proof of work',
  },
  powIntervalMs: {
    variables: ['POW_INTERVAL_MS'],
    optional: true,
    roles: ['populate', 'heights'],
    field: 'populator.powIntervalMs',
    fieldOnly: true,
    check: integer(1, 86_400_000),
    help: 'Intended time between key blocks, in milliseconds, from which their targets follow; known for ae_mainnet and ae_uat (180000). Without it, targets of other networks are not checked',
  },
  maxUnprovenReorg: {
    variables: ['MAX_UNPROVEN_REORG'],
    fallback: '100',
    roles: ['populate'],
    field: 'populator.maxUnprovenReorg',
    fieldOnly: true,
    check: depth,
    help: 'Max key blocks that a reorg may replace if its proof of work cannot be checked, or the time that they span, such as 30m. A deeper reorg waits until a second node shows it, or somebody accepts it (mdw accept-reorg, spec.acceptReorg)',
  },
  verifyShare: {
    variables: ['VERIFY_SHARE'],
    fallback: '1',
    roles: ['populate'],
    check: integer(0, 50),
    help: 'Share of its time, in percent, that a populator at the head spends on verifying and mending the copy; 0 for none',
  },
  tokenDryRuns: {
    variables: ['TOKEN_DRY_RUNS'],
    fallback: 'on',
    roles: ['populate'],
    field: 'populator.tokenDryRuns',
    fieldOnly: true,
    check: oneOf('on', 'off'),
    help: 'Whether (on or off, in YAML in quotes) nodes are asked by dry runs what tokens say of themselves: name, symbol, decimals, balances that no event tells, and metadata of single tokens. Nodes must allow dry runs (http.endpoints.dry-run). With off, tokens have no names and no metadata',
  },
  internalCalls: {
    variables: ['INTERNAL_CALLS'],
    fallback: 'off',
    roles: ['populate'],
    check: oneOf('on', 'off'),
    help: 'Whether (on or off, in YAML in quotes) nodes are asked to replay contract calls, which shows the payments, names and oracles inside them (/mdw/v3/contracts/calls). One dry run for each call: nodes must allow dry runs (http.endpoints.dry-run) and keep old states',
  },
  secondOpinionShare: {
    variables: ['SECOND_OPINION_SHARE'],
    fallback: '0',
    roles: ['populate'],
    check: share,
    help: 'Part of what no proof covers (call information, the newest blocks, balances) that another node is asked for as well, from 0 to 1; 0 for none. It needs a second node in NODE_URL',
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
    help: 'Address for HTTP clients',
  },
  compatAddress: {
    variables: ['COMPAT_ADDRESS'],
    optional: true,
    roles: ['serve'],
    check: address,
    help: 'Address whose root is the compatible API, for clients that are set up with a bare host; on HTTP_ADDRESS it is below /mdw in any case',
  },
  metricsAddress: {
    variables: ['METRICS_ADDRESS'],
    fallback: `127.0.0.1:${PORT.metrics}`,
    roles: ['populate', 'serve'],
    check: address,
    help: 'Address for /metrics, /healthz and /readyz; 0.0.0.0:9090 in container images and pods',
  },
  progressAddress: {
    variables: ['PROGRESS_ADDRESS'],
    optional: true,
    roles: ['heights', 'verify', 'migrate'],
    check: address,
    help: 'Address where /readyz reports the progress of -H, -v or migrate, or what it waits for; none unless set',
  },
  websocketAddress: {
    variables: ['WEBSOCKET_ADDRESS'],
    fallback: `0.0.0.0:${PORT.websocket}`,
    roles: ['serve'],
    check: address,
    help: 'Address for websocket clients of the chain events',
  },
  websocketGreeting: {
    variables: ['WEBSOCKET_GREETING'],
    optional: true,
    roles: ['serve'],
    field: 'websocket.greeting',
    check: text,
    help: 'First frame of each websocket, for clients that wait for the word connected',
  },
  websocketMaxConnections: {
    variables: ['WEBSOCKET_MAX_CONNECTIONS'],
    fallback: '10000',
    roles: ['serve'],
    field: 'websocket.maxConnections',
    check: integer(0, 1_000_000),
    help: 'Max connections of one server for events, websockets and event streams; 0 for no limit',
  },
  websocketMaxPerAddress: {
    variables: ['WEBSOCKET_MAX_PER_ADDRESS'],
    fallback: '1000',
    roles: ['serve'],
    field: 'websocket.maxPerAddress',
    fieldFallback: '0',
    check: integer(0, 1_000_000),
    help: 'Max connections for events from one address; 0 for no limit, for example behind a proxy, whose address all clients have',
  },
  websocketMaxTargets: {
    variables: ['WEBSOCKET_MAX_TARGETS'],
    fallback: '10000',
    roles: ['serve'],
    field: 'websocket.maxTargets',
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
    help: 'Max bytes that wait for a client that reads too slowly, before its connection is closed',
  },
  websocketDrainMs: {
    variables: ['WEBSOCKET_DRAIN_MS'],
    fallback: '5000',
    roles: ['serve'],
    field: 'websocket.drainMs',
    check: integer(0, 600_000),
    help: 'Time over which the connections for events are closed at shutdown, in milliseconds',
  },
  streamDrainMs: {
    variables: ['STREAM_DRAIN_MS'],
    fallback: '120000',
    roles: ['serve'],
    field: 'server.streamDrainMs',
    check: integer(0, 600_000),
    help: 'Max time for running exports (CSV, NDJSON) and downloads from the node at shutdown, in milliseconds',
  },
  limitCap: {
    variables: ['LIMIT_CAP'],
    fallback: '10000',
    roles: ['serve'],
    check: integer(1, 1_000_000),
    help: 'Max entries of one answer, even if a client asks for more',
  },
  rateLimitPerSecond: {
    variables: ['RATE_LIMIT_PER_SECOND'],
    fallback: '0',
    roles: ['serve'],
    check: integer(0, 1_000_000),
    help: 'Max requests, websocket handshakes and messages from one address per second; 0 for no limit, for example behind a proxy, whose address all clients have',
  },
  cacheDepth: {
    variables: ['CACHE_DEPTH'],
    fallback: '480',
    roles: ['serve'],
    check: positiveDepth,
    help: 'Key blocks that must follow a block before HTTP caches may keep its answers forever, or the time that they span, such as 1d; 480 are about a day on the main network',
  },
  strictParameters: {
    variables: ['STRICT_PARAMETERS'],
    fallback: 'off',
    roles: ['serve'],
    check: oneOf('on', 'off'),
    help: 'Whether query parameters of unknown names or with values that are not valid are refused (on), or ignored and named in the header x-ignored-parameters (off); paths of the node take any',
  },
  explorer: {
    variables: ['EXPLORER'],
    fallback: 'on',
    roles: ['serve'],
    check: oneOf('on', 'off'),
    help: 'Whether the explorer is served at / and the guide at /guide; with off, requests for both go to the node',
  },
  forwardTimeoutMs: {
    variables: ['FORWARD_TIMEOUT_MS'],
    fallback: '20000',
    roles: ['serve'],
    check: integer(100, 600_000),
    help: 'Max time for a forwarded request, in milliseconds',
  },
  keepAliveTimeoutMs: {
    variables: ['KEEP_ALIVE_TIMEOUT_MS'],
    fallback: '65000',
    roles: ['serve'],
    check: integer(1_000, 3_600_000),
    help: 'Time after which an idle connection of a client is closed, in milliseconds; longer than that of a load balancer in front',
  },
  statusMaxBlockAge: {
    variables: ['STATUS_MAX_BLOCK_AGE'],
    fallback: '900',
    roles: ['serve'],
    check: integer(1, 1_000_000_000),
    help: 'Age of the newest key block at which the status is no longer OK, in seconds',
  },
  statusMaxQueueLength: {
    variables: ['STATUS_MAX_QUEUE_LENGTH'],
    fallback: '2',
    roles: ['serve'],
    check: integer(0, 1_000_000_000),
    help: 'Max heights waiting to be loaded for the status OK',
  },
  pidFile: {
    variables: ['PID_FILE'],
    optional: true,
    roles: ['populate', 'heights', 'verify', 'serve'],
    check: path,
    help: 'With -d: file with the process id, from when mdw -d returns until the process ends',
  },
  logDir: {
    variables: ['LOG_DIR'],
    optional: true,
    roles: all,
    check: path,
    help: 'Folder for logs, created if missing; without it, logs go to standard output',
  },
  logLevel: {
    variables: ['LOG_LEVEL'],
    fallback: 'info',
    roles: all,
    field: 'logLevel',
    check: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    help: 'Min level of the log lines to write; debug also shows stacks of errors',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type Value<S extends Setting> = S extends { optional: true } ? z.output<S['check']> | undefined : z.output<S['check']>;

/** The checked settings. */
export type Config = { readonly [Name in SettingName]: Value<(typeof settings)[Name]> };
