import type { AddressInfo } from 'node:net';
import { createCallDecoder } from '../compiler/decoder.js';
import { createOfflineDecoder } from '../compiler/offline.js';
import { createCompilerService } from '../compiler/service.js';
import { describeConfig } from '../config.js';
import type { Config, HeightRange } from '../config.js';
import { createMetricsServer, createServer } from '../api/server.js';
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
  http?: AddressInfo;
  metrics: AddressInfo;
  websocket?: AddressInfo | undefined;
}

export interface RunOptions {
  work: Work;
  config: Config;
  logger: Logger;
  pidFile: string | undefined;
  /** The URL of the database as it is given now: its password may be changed while the process runs. */
  currentDatabaseUrl?: () => string;
  /** Told once, when serving has begun. */
  onReady?: (addresses: Listening & { http: AddressInfo }) => void;
  /** Another end than a signal. */
  signal?: AbortSignal;
}

/** Time for the end besides that for the connections of events, ms. */
const REST_MS = 10_000;

interface Context extends RunOptions {
  lifecycle: Lifecycle;
  metrics: Metrics;
  /** Without a time limit for statements: for loading, not for clients. */
  database: Database;
}

/** Does the work and gives the exit status; everything it opened is closed by then. */
export async function runRoles(options: RunOptions): Promise<number> {
  const { config, logger } = options;
  if (options.work.populate || options.work.heights) boundHeapGrowth();
  const lifecycle = createLifecycle({ logger, deadlineMs: config.websocketDrainMs + REST_MS });
  options.signal?.addEventListener('abort', () => lifecycle.stop('asked'), { once: true });
  try {
    logger.info({ version, work: options.work, settings: describeConfig(config) }, 'Started');
    const database = open(options, 0);
    lifecycle.onClose('database', () => database.close());
    return await run({ ...options, lifecycle, metrics: createMetrics(), database });
  } catch (error) {
    const { status, message } = describeFault(error);
    logger.fatal({ err: error }, 'Ended by a fault');
    report({ status, message });
    throw error;
  } finally {
    await lifecycle.close();
  }
}

async function run(context: Context): Promise<number> {
  const { work, logger, lifecycle, database } = context;
  const { signal } = lifecycle;
  const writes = work.populate || work.serve || work.heights !== undefined;
  const applied = writes ? await migrate(database) : [];
  if (applied.length > 0) logger.info({ applied }, 'Migrated the database');
  if (!writes) await mustHaveSchema(database);
  // The populator waits itself, and tells of it.
  const patienceMs = work.populate ? 1_000 : undefined;
  const node = await openNode({ ...context, signal, mayWait: work.serve, patienceMs });
  lifecycle.onClose('node', () => node.close());

  let status: number = EXIT.done;
  if (!work.populate && !work.serve) tellReady(context);
  for await (const words of bounded(context, node)) {
    // A fault is what is to be known, whatever went well after it.
    if (status === EXIT.done) leaveWords(process.env, words);
    if (!words.ok) status = EXIT.failed;
  }
  if (signal.aborted || (!work.populate && !work.serve)) return status;

  const { http, ...others } = await listen(context);
  tellReady(context);
  if (http) context.onReady?.({ http, ...others });
  await (work.populate ? load(context, node) : aborted(signal));
  return status;
}

/** The work that has an end: heights first, then their verification. */
async function* bounded(context: Context, node: NodePool): AsyncGenerator<LastWords> {
  const { work, config, logger, lifecycle, database } = context;
  if (!work.heights && !work.verify) return;
  const progress = config.progressAddress && (await serveProgress(config.progressAddress));
  const options = { database, node, signal: lifecycle.signal, onProgress: progress?.tell };
  try {
    if (work.heights) yield await loadHeights({ ...options, heights: work.heights, logger });
    if (!work.verify) return;
    const other = work.verify.against === undefined ? undefined : open(context, 0, work.verify.against);
    try {
      yield await verifyHeights({ ...options, ...work.verify, json: work.json, other });
    } finally {
      await other?.close();
    }
  } finally {
    progress?.close();
  }
}

async function listen(context: Context): Promise<Listening> {
  const { work, config, logger, lifecycle, metrics, database } = context;
  if (!work.serve) {
    const server = createMetricsServer({ database, config, logger, metrics });
    const addresses = { metrics: await server.listen() };
    lifecycle.onClose('metrics server', () => server.close());
    logger.info(addresses, 'Listening');
    return addresses;
  }
  const readers = open(context, config.statementTimeoutMs);
  lifecycle.onClose('database for clients', () => readers.close());
  // Not the connections of clients: a crowd of requests must not hold up events.
  const events = createEvents({ database, config, logger, metrics });
  const server = createServer({ database: readers, config, logger, metrics, events });
  const addresses = await server.listen();
  lifecycle.onClose('server', () => Promise.all([events.close(), server.close()]));
  await events.start();
  const websocket = await events.listen().catch((error: unknown) => {
    // Of the processes of one machine only one can have the address; the others serve websockets on that of HTTP.
    if (work.populate) throw error;
    logger.warn({ reason: (error as Error).message }, 'Websockets only under /websocket of HTTP_ADDRESS');
    return undefined;
  });
  logger.info({ ...addresses, websocket }, 'Listening');
  return { ...addresses, websocket };
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

function tellReady({ pidFile }: Context): void {
  if (pidFile !== undefined) process.once('exit', claimPidFile(pidFile));
  report({ ready: true });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
