import type { AddressInfo } from 'node:net';
import { createCallDecoder } from '../compiler/decoder.js';
import { createOfflineDecoder } from '../compiler/offline.js';
import { createCompilerService } from '../compiler/service.js';
import { describeConfig } from '../config.js';
import type { Config, HeightRange } from '../config.js';
import { createMetricsServer, createServer } from '../api/server.js';
import { createStreams } from '../api/streams.js';
import type { Streams } from '../api/streams.js';
import { createEvents } from '../events/server.js';
import { boundHeapGrowth } from '../observe/heap.js';
import { createLifecycle } from '../observe/lifecycle.js';
import type { Lifecycle } from '../observe/lifecycle.js';
import type { Logger } from '../observe/logger.js';
import { createMetrics } from '../observe/metrics.js';
import type { Metrics } from '../observe/metrics.js';
import { claimPidFile } from '../observe/pid-file.js';
import { createProgress } from '../observe/progress.js';
import { serveProgress } from '../observe/progress-server.js';
import type { ProgressServer } from '../observe/progress-server.js';
import { createStartup } from '../observe/startup.js';
import type { Startup } from '../observe/startup.js';
import { version } from '../observe/version.js';
import { EXIT, describeFault } from '../observe/exit.js';
import { populate } from '../populate/run.js';
import type { NodePool } from '../node/pool.js';
import { createDatabase } from '../store/database.js';
import type { Database } from '../store/database.js';
import { migrate } from '../store/migrate.js';
import { report } from './daemon.js';
import { loadHeights, verifyHeights } from './heights.js';
import { leaveWords } from './last-words.js';
import type { LastWords } from './last-words.js';
import { mustHaveSchema, openNode } from './start.js';
import { sayWaiting, untilReached } from './waiting.js';

export interface Verification {
  heights: HeightRange[] | undefined;
  /** Tell only of heights that differ. */
  quiet: boolean;
  /** Schema of another copy to compare with. */
  against: string | undefined;
}

/** What one process is asked to do: first heights, then verification, then populating and serving until it is stopped. */
export interface Work {
  populate: boolean;
  serve: boolean;
  heights: HeightRange[] | undefined;
  verify: Verification | undefined;
  /** Verification answers with JSON. */
  json: boolean;
}

export interface Listening {
  http: AddressInfo;
  metrics: AddressInfo;
  websocket?: AddressInfo | undefined;
}

export interface RunOptions {
  work: Work;
  config: Config;
  logger: Logger;
  /** For a database or node that is away; otherwise the process ends. */
  wait: boolean;
  pidFile: string | undefined;
  /** The URL of the database as it is given now: its password may be changed while the process runs. */
  currentDatabaseUrl?: () => string;
  /** Told once, when serving has begun. */
  onReady?: (addresses: Listening) => void;
  /** Another end than a signal. */
  signal?: AbortSignal;
}

/** Time for the end besides that for the connections of events and for streams, ms. */
const REST_MS = 10_000;

interface Context extends RunOptions {
  lifecycle: Lifecycle;
  streams: Streams;
  startup: Startup;
  hasPidFile?: boolean;
  metrics: Metrics;
  /** Without a time limit for statements: for loading, not for clients. */
  database: Database;
}

/** Does the work and gives the exit status; everything it opened is closed by then. */
export async function runRoles(options: RunOptions): Promise<number> {
  const { config, logger } = options;
  if (options.work.populate || options.work.heights) boundHeapGrowth();
  const streams = createStreams();
  const { websocketDrainMs, streamDrainMs } = config;
  const deadlineMs = (): number => Math.max(websocketDrainMs, streams.open() ? streamDrainMs : 0) + REST_MS;
  const lifecycle = createLifecycle({ logger, deadlineMs });
  options.signal?.addEventListener('abort', () => lifecycle.stop('asked'), { once: true });
  try {
    logger.info({ version, work: options.work, settings: describeConfig(config) }, 'Started');
    const database = open(options, 0);
    return await run({ ...options, lifecycle, streams, startup: createStartup(), metrics: createMetrics(), database });
  } catch (error) {
    const { status, message } = describeFault(error);
    // On a terminal it is the sentence at the end that is read.
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
  const lasts = work.populate || work.serve;
  const readers = work.serve ? open(context, config.statementTimeoutMs) : undefined;
  const metrics = lasts ? await listenForProbes(context, readers ?? database) : undefined;
  const progress = await showProgress(context);
  const node = await reach(context).catch((error: unknown) => {
    // Work that has an end was not done; the rest was to be ended anyway.
    if (signal.aborted && !work.heights && !work.verify) return undefined;
    throw error;
  });
  if (node === undefined) return EXIT.done;
  // Not before: an attempt to reach it may take long, and the end does not wait for that.
  lifecycle.onClose('database', () => database.close());
  lifecycle.onClose('node', () => node.close());

  let status: number = EXIT.done;
  if (!lasts) {
    startup.begin();
    tellReady(context);
  }
  for await (const words of bounded(context, node, progress)) {
    // A fault is what is to be known, whatever went well after it.
    if (status === EXIT.done) leaveWords(process.env, words);
    if (!words.ok) status = EXIT.failed;
  }
  progress?.close();
  if (signal.aborted || metrics === undefined) return status;

  const clients = readers && (await serveClients(context, readers));
  startup.begin();
  logger.info({ ...clients, metrics }, 'Listening');
  tellReady(context);
  if (clients) context.onReady?.({ ...clients, metrics });
  await (work.populate ? load(context, node) : aborted(signal));
  return status;
}

/** Waits for the database, brings its schema up to date, and for the node. */
async function reach(context: Context): Promise<NodePool> {
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
  // The populator waits itself, and tells of it.
  const patienceMs = work.populate ? 1_000 : undefined;
  return untilReached(() => openNode({ ...context, signal, mayWait: work.serve, patienceMs }), waiting);
}

async function showProgress({ work, config, startup, lifecycle }: Context): Promise<ProgressServer | undefined> {
  if (config.progressAddress === undefined || (!work.heights && !work.verify)) return undefined;
  const progress = await serveProgress(config.progressAddress, startup);
  lifecycle.onClose('progress', () => progress.close());
  return progress;
}

/** The work that has an end: heights first, then their verification. */
async function* bounded(
  context: Context,
  node: NodePool,
  progress: ProgressServer | undefined,
): AsyncGenerator<LastWords> {
  const { work, logger, lifecycle, database } = context;
  const options = { database, node, signal: lifecycle.signal, onProgress: progress?.tell };
  if (work.heights) yield await loadHeights({ ...options, heights: work.heights, logger });
  if (!work.verify) return;
  const other = work.verify.against === undefined ? undefined : open(context, 0, work.verify.against);
  try {
    yield await verifyHeights({ ...options, ...work.verify, json: work.json, other });
  } finally {
    await other?.close();
  }
}

/** Metrics and health, which are asked for while there is nothing else yet. */
async function listenForProbes(context: Context, database: Database): Promise<AddressInfo> {
  const { work, config, logger, lifecycle, startup, metrics } = context;
  const draining = (): boolean => lifecycle.signal.aborted;
  const { pending } = startup;
  const serves = work.serve;
  const server = createMetricsServer({ database, config, logger, metrics, draining, pending, serves });
  const address = await server.listen();
  lifecycle.onClose('metrics server', () => server.close());
  return address;
}

async function serveClients(context: Context, readers: Database): Promise<Omit<Listening, 'metrics'>> {
  const { work, config, logger, lifecycle, streams, metrics, database } = context;
  lifecycle.onClose('database for clients', () => readers.close());
  // Not the connections of clients: a crowd of requests must not hold up events.
  const events = createEvents({ database, config, logger, metrics });
  const server = createServer({ database: readers, config, logger, metrics, events, streams });
  const http = await server.listen();
  lifecycle.onClose('server', () => Promise.all([events.close(), server.close()]));
  await events.start();
  const websocket = await events.listen().catch((error: unknown) => {
    // Of the processes of one machine only one can have the address; the others serve websockets on that of HTTP.
    if (work.populate) throw error;
    logger.warn({ reason: (error as Error).message }, 'Websockets only under /websocket of HTTP_ADDRESS');
    return undefined;
  });
  return { http, websocket };
}

async function load({ config, logger, lifecycle, metrics, database }: Context, node: NodePool): Promise<void> {
  const { signal } = lifecycle;
  const service =
    config.compilerUrls &&
    createCompilerService({ urls: config.compilerUrls, timeoutMs: config.nodeTimeoutMs, signal });
  if (service) lifecycle.onClose('compiler', () => service.close());
  const progress = createProgress({ logger, terminal: process.stderr });
  const decoder = createCallDecoder(createOfflineDecoder(), service);
  try {
    await populate({ database, node, decoder, config, logger, metrics, signal, onProgress: progress.update });
  } finally {
    progress.end();
  }
}

function open(options: RunOptions, statementTimeoutMs: number, schema = options.config.databaseSchema): Database {
  const { config, logger, currentDatabaseUrl } = options;
  return createDatabase({
    url: config.databaseUrl,
    currentUrl: currentDatabaseUrl,
    schema,
    poolSize: config.databasePoolSize,
    statementTimeoutMs,
    logger,
  });
}

function tellReady(context: Context): void {
  claimPid(context);
  report({ ready: true });
}

/** Once: whoever started this process in the background finds it in the file when `mdw -d` returns. */
function claimPid(context: Context): void {
  if (context.pidFile === undefined || context.hasPidFile) return;
  process.once('exit', claimPidFile(context.pidFile));
  context.hasPidFile = true;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
