import type { AddressInfo } from 'node:net';
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { describeConfig } from '../config.js';
import type { Config, HeightRange } from '../config.js';
import { createMetricsServer, createServer } from '../api/server.js';
import { createStreams } from '../api/streams.js';
import type { Streams } from '../api/streams.js';
import { createPayloads } from '../api/compat/payloads.js';
import { createEvents } from '../events/server.js';
import { boundHeapGrowth } from '../runtime/heap.js';
import { createLifecycle } from '../runtime/lifecycle.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Logger } from '../observe/logger.js';
import { createMetrics, showPool } from '../observe/metrics.js';
import type { Metrics } from '../observe/metrics.js';
import { createRequestCounter } from '../runtime/request-counter.js';
import type { RequestCounter } from '../runtime/request-counter.js';
import type { Link } from '../runtime/link.js';
import { claimPidFile } from '../runtime/pid-file.js';
import { linkOfWorker } from '../runtime/workers.js';
import { serveProgress } from '../observe/progress-server.js';
import type { ProgressServer } from '../observe/progress-server.js';
import type { Screen } from '../observe/screen.js';
import { createStartup } from '../observe/startup.js';
import type { Pending, Startup } from '../observe/startup.js';
import { version } from '../observe/version.js';
import { EXIT, describeFault } from '../observe/exit.js';
import type { NodePool } from '../node/pool.js';
import { readIdentity } from '../store/chain-state.js';
import { createDatabase } from '../store/connection/database.js';
import type { Database } from '../store/connection/database.js';
import { migrate } from '../store/schema/migrate.js';
import { report } from './daemon.js';
import { readGenesisFile } from './genesis-file.js';
import { surviveWithoutReader } from './output.js';
import { ANSWER_MS, openReads } from './replicas.js';
import { mustHaveSchema, openNode } from './start.js';
import { statusAfterMessage, writeTerminationMessage } from './termination-message.js';
import type { TerminationMessage } from './termination-message.js';
import { serveByWorkers, sharedConnectionCounter, sharedRequestCounter } from './workers.js';
import type { Addresses, ServingWorkers } from './workers.js';
import { sayWaiting, untilReached } from './waiting.js';

export interface Verification {
  heights: HeightRange[] | undefined;
  /** Whether only differing heights are printed. */
  quiet: boolean;
  /** Schema of another copy that is also compared. */
  against: string | undefined;
  /** Whether no node is used. */
  offline: boolean;
  /** Number of connections to the database that work at a time. */
  jobs: number;
  /** File of the journal, with which a later run can continue this one. */
  resume: string | undefined;
  /** Share of the accounts whose balances are compared, in percent, instead of all other verification. */
  ledgerShare: number | undefined;
}

/** The work of one process: it reloads heights, then verifies, then populates and serves until it is stopped. */
interface Work {
  populate: boolean;
  serve: boolean;
  heights: HeightRange[] | undefined;
  verify: Verification | undefined;
  /** Whether verification prints JSON. */
  json: boolean;
  /** Number of processes that serve; absent: this process serves. */
  workers?: number | undefined;
}

const isShared = ({ workers = 1 }: Work): boolean => workers > 1;

interface AllAddresses extends Addresses {
  metrics: AddressInfo;
}

interface RunOptions {
  work: Work;
  config: Config;
  logger: Logger;
  screen: Screen;
  /** Whether to wait for a database or node that cannot be reached; otherwise the process ends. */
  wait: boolean;
  pidFile: string | undefined;
  /** Reads the settings again: the password of the database may change while the process runs. */
  currentConfig?: () => Config;
  /** Called once, when serving has begun. */
  onReady?: (addresses: AllAddresses) => void;
  /** Ends the process in the same way as a signal of the system. */
  signal?: AbortSignal;
}

/** Max growth of the heap between two garbage collections, percent. A load takes 6 % more processor time with 70 than with 100, and 8 % less memory. */
const HEAP_GROWTH = { populate: 70, other: 100 };

/** Time for shutting down, in addition to the time for event connections and streams, ms. */
const SHUTDOWN_MS = 10_000;

interface Context extends RunOptions {
  lifecycle: Lifecycle;
  streams: Streams;
  startup: Startup;
  hasPidFile?: boolean;
  genesisAccounts: GenesisAccounts | undefined;
  metrics: Metrics;
  /** Its statements have no time limit: it is for loading, not for clients. */
  database: Database;
}

/** Does the work, closes everything that it opened, and returns the exit status. */
export async function runRoles(options: RunOptions): Promise<number> {
  const { config, logger, work } = options;
  if (work.populate || work.serve) surviveWithoutReader();
  boundHeapGrowth(work.populate ? HEAP_GROWTH.populate : HEAP_GROWTH.other);
  const streams = createStreams();
  const { websocketDrainMs, streamDrainMs } = config;
  const mayStream = (): boolean => streams.hasAny() || isShared(options.work);
  const deadlineMs = (): number => Math.max(websocketDrainMs, mayStream() ? streamDrainMs : 0) + SHUTDOWN_MS;
  const lifecycle = createLifecycle({ logger, deadlineMs });
  options.signal?.addEventListener('abort', () => lifecycle.stop('asked'), { once: true });
  try {
    logger.info({ version, work: options.work, settings: describeConfig(config) }, 'Started');
    const genesisAccounts = work.populate ? readGenesisFile(config) : undefined;
    const database = open({ ...options, lifecycle }, 0);
    const [startup, metrics] = [createStartup(), createMetrics()];
    return await run({ ...options, lifecycle, streams, startup, metrics, database, genesisAccounts });
  } catch (error) {
    const { status, message } = describeFault(error);
    // On a terminal, the message that the command prints at the end is enough.
    const { isTTY } = options.work.verify ? process.stderr : process.stdout;
    if (!isTTY || config.logDir !== undefined) logger.fatal({ err: error }, 'Ended by a fault');
    report({ status, message });
    throw error;
  } finally {
    await lifecycle.close();
  }
}

async function run(context: Context): Promise<number> {
  const { work, config, logger, lifecycle, startup, database } = context;
  const { signal } = lifecycle;
  const isEndless = work.populate || work.serve;
  const readers = work.serve ? open(context, config.statementTimeoutMs) : undefined;
  const link = linkOfWorker({
    drain: () => lifecycle.stop('asked'),
    metrics: () => {
      showPool(context.metrics, (readers ?? database).pool());
      return context.metrics.registry.getMetricsAsJSON();
    },
  });
  let workers: ServingWorkers | undefined;
  /** Set when the node is reached. */
  const reached: { node?: NodePool | null } = {};
  const nodeHeight = async (): Promise<number | undefined> => reached.node?.followedHeight();
  // Not in a worker: the process that started it answers the probes.
  const metrics =
    isEndless && link === undefined
      ? await listenForProbes(context, readers ?? database, { collect: () => workers?.collect(), nodeHeight })
      : undefined;
  const progress = await showProgress(context);
  const node = await reachDependencies(context).catch((error: unknown) => {
    // A signal is the usual end of populating and serving. It is an error for heights and verification: they were not done.
    if (signal.aborted && !work.heights && !work.verify) return undefined;
    throw error;
  });
  if (node === undefined) return EXIT.done;
  reached.node = node;
  // Registered only now: an attempt to connect may take long, and the end of the process must not wait for it.
  lifecycle.onClose('database', () => database.close());
  lifecycle.onClose('node', () => node?.close());

  let status: number = EXIT.done;
  let hasFailed = false;
  if (!isEndless) {
    startup.begin();
    reportReady(context);
  }
  for await (const message of finiteWork(context, node, progress)) {
    // The message of a failure is not replaced, even if later work succeeds.
    if (hasFailed) continue;
    hasFailed = !message.ok;
    const isWritten = writeTerminationMessage(process.env, message);
    if (hasFailed)
      status = isWritten ? statusAfterMessage(process.env, { ...message, status: EXIT.failed }) : EXIT.failed;
  }
  progress?.close();
  if (signal.aborted || !isEndless) return status;

  let clients: Addresses | undefined;
  if (readers !== undefined && isShared(work)) {
    // Closed after the workers, which may drain for minutes: until then the metrics show the head.
    lifecycle.onClose('database for probes', () => readers.close());
    workers = serveByWorkers({ ...context, count: work.workers ?? 1 });
    const started = await Promise.race([workers.started, aborted(signal)]);
    if (started === undefined) return EXIT.done;
    // The worker has already printed why.
    if ('status' in started) return started.status;
    clients = started.ready;
  } else {
    clients = readers && (await serveClients({ ...context, nodeHeight }, readers, link));
    startup.begin();
  }
  logger.info({ ...clients, metrics }, 'Listening');
  reportReady(context);
  if (link !== undefined) await link.ask('ready', clients);
  else if (clients && metrics) context.onReady?.({ ...clients, metrics });
  if (work.populate && node !== null) {
    const { load } = await import('./load.js');
    await load(context, node);
  } else await aborted(signal);
  return status;
}

/** Waits for the database, migrates it, and waits for the node. Returns the node; null for work without a node. */
async function reachDependencies(context: Context): Promise<NodePool | null> {
  const { work, config, wait, logger, lifecycle, startup, database } = context;
  const { signal } = lifecycle;
  const onWaiting = (reason: string): void => {
    claimPid(context);
    report({ waiting: reason });
    sayWaiting(reason);
  };
  const waiting = { wait, databaseUrl: config.databaseUrl, startup, signal, logger, onWaiting };
  const writes = work.populate || work.serve || work.heights !== undefined;
  const applied = await untilReached(async () => {
    if (writes) return migrate(database);
    await mustHaveSchema(database);
    return [];
  }, waiting);
  if (applied.length > 0) logger.info({ applied }, 'Migrated the database');
  if (work.verify?.offline === true) return null;
  // Short for a populator: it waits for the node itself, and reports that.
  const patienceMs = work.populate ? 1_000 : undefined;
  const mayBeginAnew = work.populate && config.newGenesis === 'new_copy';
  const options = { ...context, signal, mayWait: work.serve, mayBeginAnew, patienceMs };
  return untilReached(async () => openNode({ ...options, identity: await readIdentity(database) }), waiting);
}

async function showProgress({ work, config, startup, lifecycle }: Context): Promise<ProgressServer | undefined> {
  if (config.progressAddress === undefined || (!work.heights && !work.verify)) return undefined;
  const progress = await serveProgress(config.progressAddress, startup);
  lifecycle.onClose('progress', () => progress.close());
  return progress;
}

/** The work that ends by itself: reloading heights, then verification. Yields the result of each. */
async function* finiteWork(
  context: Context,
  node: NodePool | null,
  progress: ProgressServer | undefined,
): AsyncGenerator<TerminationMessage> {
  const { work, config, logger, lifecycle, database, screen } = context;
  if (!work.heights && !work.verify) return;
  const { loadHeights, verifyHeights } = await import('./heights.js');
  const options = { database, logger, screen, signal: lifecycle.signal, onProgress: progress?.publish };
  if (work.heights && node !== null) {
    yield await loadHeights({ ...options, node, heights: work.heights, work: config });
  }
  if (!work.verify) return;
  const { heights, ledgerShare: share } = work.verify;
  if (share !== undefined && node !== null) {
    const { verifyBalances } = await import('./ledger.js');
    const { nodeInternalUrl: internalUrl, nodeCaFile } = config;
    yield await verifyBalances({ ...options, node, internalUrl, nodeCaFile, heights, share, json: work.json });
    return;
  }
  const other = work.verify.against === undefined ? undefined : open(context, 0, work.verify.against);
  try {
    const jobs = Math.min(work.verify.jobs, config.databasePoolSize);
    const acceptUnknownProtocol = config.acceptUnknownProtocol === 'on';
    yield await verifyHeights({
      ...options,
      ...work.verify,
      node,
      jobs,
      json: work.json,
      other,
      acceptUnknownProtocol,
    });
  } finally {
    await other?.close();
  }
}

/** The state of a populator that can do nothing until its connections are replaced. One that also serves can answer clients. */
const SILENT: Pending = { reason: 'the database does not answer a statement', code: 'database_silent' };

/** Starts the server of metrics and probes, before anything else. */
async function listenForProbes(
  context: Context,
  database: Database,
  asked: Pick<Parameters<typeof createMetricsServer>[0], 'collect' | 'nodeHeight'>,
): Promise<AddressInfo> {
  const { work, config, logger, lifecycle, startup, metrics } = context;
  const draining = (): boolean => lifecycle.signal.aborted;
  const serves = work.serve;
  const pending = (): Pending | undefined =>
    startup.pending() ?? (work.populate && !serves && context.database.isSilent() ? SILENT : undefined);
  const server = createMetricsServer({ database, config, logger, metrics, draining, pending, serves, ...asked });
  const address = await server.listen();
  lifecycle.onClose('metrics server', () => server.close());
  return address;
}

async function serveClients(
  context: Context & Pick<Parameters<typeof createServer>[0], 'nodeHeight'>,
  readers: Database,
  link: Link | undefined,
): Promise<Addresses> {
  const { work, config, logger, lifecycle, streams, metrics, nodeHeight } = context;
  lifecycle.onClose('database for clients', () => readers.close());
  const { reads, ...opened } = openReads({ ...context, readers });
  lifecycle.onClose('replicas', () => opened.close());
  // Events do not use the connections of clients: many requests must not delay events.
  const connections = link && sharedConnectionCounter(link);
  const requests = requestCounter(config.rateLimitPerSecond, link);
  const renderCompat = createPayloads(opened.events);
  const events = createEvents({
    database: opened.events,
    config,
    logger,
    metrics,
    connections,
    requests,
    renderCompat,
  });
  const server = createServer({
    database: readers,
    reads,
    config,
    logger,
    metrics,
    events,
    streams,
    requests,
    nodeHeight,
  });
  const http = await server.listen();
  const compat = await server.listenCompat();
  lifecycle.onClose('server', () => Promise.all([events.close(), server.close()]));
  await events.start();
  const websocket = await events.listen().catch((error: unknown) => {
    // On one machine only one process can listen on it. The others serve websockets on HTTP_ADDRESS alone.
    if (work.populate) throw error;
    logger.warn({ reason: (error as Error).message }, 'Websockets are served only under /websocket of HTTP_ADDRESS');
    return undefined;
  });
  return { http, websocket, compat };
}

/** Counts requests and messages of clients together; undefined without a limit. */
function requestCounter(perSecond: number, link: Link | undefined): RequestCounter | undefined {
  if (perSecond === 0) return undefined;
  return link ? sharedRequestCounter(link, perSecond) : createRequestCounter(perSecond, () => performance.now());
}

/** `statementTimeoutMs` is 0 for no limit: then a statement may take as long as the server works on it. With a limit it is for clients. */
function open(
  options: RunOptions & Pick<Context, 'lifecycle'>,
  statementTimeoutMs: number,
  schema = options.config.databaseSchema,
): Database {
  const { config, logger, currentConfig, lifecycle } = options;
  return createDatabase({
    url: config.databaseUrl,
    currentUrl: currentConfig && (() => currentConfig().databaseUrl),
    schema,
    poolSize: config.databasePoolSize,
    statementTimeoutMs,
    ...(statementTimeoutMs > 0 && { answerTimeoutMs: statementTimeoutMs + ANSWER_MS, keepsPlans: true as const }),
    ending: lifecycle.signal,
    logger,
  });
}

function reportReady(context: Context): void {
  claimPid(context);
  report({ ready: true });
}

/** Writes the PID file, once. Before `mdw -d` returns, so that its caller finds the file. */
function claimPid(context: Context): void {
  if (context.pidFile === undefined || context.hasPidFile) return;
  process.once('exit', claimPidFile(context.pidFile));
  context.hasPidFile = true;
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
