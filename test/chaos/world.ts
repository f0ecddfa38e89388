/** All processes: PostgreSQL, nodes, a populator and servers, with a link for faults between each pair that communicates. */
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import type { Database } from '../../src/store/connection/database.js';
import { startFaultyNode } from '../support/faulty-node.js';
import { EDGE_BITS } from '../support/histories.js';
import type { FaultyNode } from '../support/faulty-node.js';
import { movingDatabase } from '../support/moving-database.js';
import type { MovingDatabase } from '../support/moving-database.js';
import { eventually } from '../support/populator.js';
import { asRole, migrateCopy, openAs } from '../support/roles.js';
import { mountSmallDisk, noSmallDisk } from '../support/small-disk.js';
import { ask } from '../support/steady-client.js';
import { startChain } from './chain.js';
import type { Chain } from './chain.js';
import { openLink } from './link.js';
import type { Link } from './link.js';
import { startProgram } from './program.js';
import type { Program } from './program.js';

export interface Server {
  program: Program;
  /** URL for clients, over the link `clients`. */
  url: string;
  clients: Link;
  database: Link;
}

export interface World {
  chain: Chain;
  /** A proxy of the first node that returns wrong answers to the populator. */
  liar: FaultyNode;
  populator: { program: Program; database: Link; nodes: readonly Link[] };
  servers: readonly Server[];
  /** Links from the servers to the nodes. */
  serversToNodes: readonly Link[];
  postgres: MovingDatabase;
  /** Folder of the small disk of the copy; undefined if none can be mounted. */
  disk: string | undefined;
  /** Administrator's URL of the database with the copy. */
  database: string;
  /** Administrator's URL of the database for clean loads. */
  model: string;
  /** The copy, over a connection without network faults. */
  copy: Database;
  /** Environment of the populator, for a second one. */
  populatorEnv: Record<string, string>;
  /** Runs one statement as the administrator. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Folder of the programs' logs. */
  logs: string;
  /** With `kept` the logs are not deleted. */
  close(kept: boolean): Promise<void>;
}

const COPY = 'chaos';
const MODEL = 'model';
/** Tablespace on the small disk. Only the data of the copy are in it, not the log of PostgreSQL. */
const SPACE = 'small';
const DISK_SIZE = '2g';

export async function startWorld(seed: number): Promise<World> {
  const closing: (() => unknown)[] = [];
  const logs = mkdtempSync(join(tmpdir(), 'mdw-test-chaos-'));
  const close = async (kept: boolean): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
    if (!kept) rmSync(logs, { recursive: true, force: true });
  };
  try {
    return { ...(await start(seed, logs, (one) => void closing.push(one))), close };
  } catch (error) {
    await close(true);
    throw error;
  }
}

async function start(
  seed: number,
  logs: string,
  onClose: (close: () => unknown) => void,
): Promise<Omit<World, 'close'>> {
  // Checks of answers need the commit times, which only the database knows.
  const postgres = await movingDatabase({ track_commit_timestamp: 'on' });
  const [database, model] = [postgres.url(COPY), postgres.url(MODEL)];
  const disk = await smallDisk(postgres, onClose);
  const tablespace = disk === undefined ? '' : `TABLESPACE ${SPACE}`;
  await query(postgres.url('postgres'), `CREATE DATABASE ${COPY} ${tablespace}`);
  await query(postgres.url('postgres'), `CREATE DATABASE ${MODEL}`);
  await migrateCopy(database);
  const copy = openAs(database);
  onClose(copy.close);
  const chain = await startChain(seed, 2);
  onClose(chain.close);
  const liar = await startFaultyNode(chain.nodes[0]!);
  onClose(liar.close);

  const link = async (url: string): Promise<Link> => {
    const opened = await openLink(Number(new URL(url).port));
    onClose(opened.close);
    return opened;
  };
  const nodeUrls = chain.nodes.map(({ externalUrl }) => externalUrl);
  const linksToNodes = (urls: readonly string[]): Promise<Link[]> => Promise.all(urls.map(link));
  const env = (nodes: readonly Link[], toDatabase: Link, role: 'populate' | 'serve'): Record<string, string> => ({
    NODE_URL: nodes.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
    DATABASE_URL: through(asRole(database, role), toDatabase),
    METRICS_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: 'info',
    POW_EDGE_BITS: String(EDGE_BITS),
    NODE_TIMEOUT_MS: '3000',
  });
  const run = (name: string, args: string[], variables: Record<string, string>): Program => {
    const program = startProgram(name, args, { ...variables, LOG_DIR: join(logs, name) });
    onClose(program.close);
    return program;
  };

  const populatorNodes = await linksToNodes([...nodeUrls, liar.url]);
  const populatorDatabase = await link(database);
  const populatorEnv = {
    ...env(populatorNodes, populatorDatabase, 'populate'),
    POLL_INTERVAL_MS: '200',
    LEASE_SECONDS: '3',
  };
  const populator = run('populator', ['-p'], populatorEnv);
  await eventually(() => isLive(database), Boolean);

  const serversToNodes = await linksToNodes(nodeUrls);
  const servers = await Promise.all(
    [0, 1].map(async (number): Promise<Server> => {
      const [http, toDatabase] = [await freePort(), await link(database)];
      const program = run(`server ${number}`, ['-s'], {
        ...env(serversToNodes, toDatabase, 'serve'),
        HTTP_ADDRESS: `127.0.0.1:${http}`,
        WEBSOCKET_ADDRESS: '127.0.0.1:0',
        WEBSOCKET_DRAIN_MS: '500',
        STREAM_DRAIN_MS: '2000',
      });
      const clients = await link(`http://127.0.0.1:${http}`);
      return { program, clients, database: toDatabase, url: `http://127.0.0.1:${clients.port}` };
    }),
  );
  for (const server of servers) await isServing(server);
  return {
    chain,
    liar,
    populator: { program: populator, database: populatorDatabase, nodes: populatorNodes },
    servers,
    serversToNodes,
    postgres,
    disk,
    database,
    model,
    copy,
    populatorEnv,
    query: (text) => query(database, text),
    logs,
  };
}

/** Mounts a small disk with a tablespace for the copy and returns its folder. PostgreSQL is closed before the disk is unmounted. */
async function smallDisk(
  postgres: MovingDatabase,
  onClose: (close: () => unknown) => void,
): Promise<string | undefined> {
  const disk = noSmallDisk() === false ? mountSmallDisk(DISK_SIZE) : undefined;
  if (disk !== undefined) onClose(disk.unmount);
  onClose(postgres.close);
  if (disk === undefined) return undefined;
  const [row] = await query<{ data_directory: string }>(postgres.url('postgres'), 'SHOW data_directory');
  const { uid, gid } = statSync(row!.data_directory);
  chownSync(disk.folder, uid, gid);
  await query(postgres.url('postgres'), `CREATE TABLESPACE ${SPACE} LOCATION '${disk.folder}'`);
  return disk.folder;
}

const through = (url: string, { port }: Link): string => Object.assign(new URL(url), { port: String(port) }).href;

/** Runs a statement on a new connection, because pooled ones may be lost. */
async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=mdw' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const isLive = (url: string): Promise<boolean> =>
  query<{ live: boolean }>(url, 'SELECT live FROM chain').then(
    ([row]) => row?.live === true,
    () => false,
  );

export const isServing = ({ url }: Server): Promise<unknown> =>
  eventually(
    () =>
      ask(`${url}/readyz`).then(
        ({ status, text }) => status === 200 && !text.includes('without_database'),
        () => false,
      ),
    Boolean,
  );
