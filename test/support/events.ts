/** Real websocket clients and event servers. The events are written by the production code of the populator. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiConfig } from '../../src/api/deps.js';
import { createPayloads } from '../../src/api/compat/payloads.js';
import { createServer } from '../../src/api/server.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode, GenerateOptions } from '../../devtools/devnode/start.js';
import { createEvents } from '../../src/events/server.js';
import type { RenderPayload } from '../../src/events/compat.js';

type EventsConfig = Parameters<typeof createEvents>[0]['config'];
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import type { RequestCounter } from '../../src/runtime/request-counter.js';
import { goLive } from '../../src/store/chain-state.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { eventTasks } from '../../src/store/verify/events.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, silent, syncContext, syncFully } from './copy.js';
import { asRole, emptyCopy } from './roles.js';
import { testDatabase } from './postgres.js';
import { GIVE_UP_MS } from './patience.js';

export interface World {
  devnode: Devnode;
  database: Database;
  databaseUrl: string;
  /** Stores the chain of the node as the populator does. */
  sync(): Promise<void>;
  /** Number of the last event of the log. */
  head(): Promise<number>;
  serve(options?: ServeOptions): Promise<EventServer>;
  close(): Promise<void>;
}

export interface ServeOptions {
  config?: Partial<EventsConfig>;
  pingMs?: number;
  schema?: string;
  /** Counts what clients request, for a rate limit. */
  requests?: RequestCounter;
  /** Replaces what makes the payloads of the compatible protocol. */
  payloads?: (render: RenderPayload) => RenderPayload;
}

export interface EventServer {
  /** `ws://127.0.0.1:<port>` of the websocket address, and `http://…` of the other. */
  ws: string;
  http: string;
  /** `http://…` of the address of the compatible API. */
  compat: string;
  metrics: Metrics;
  connect(path?: string): Promise<TestClient>;
  /** A websocket of the compatible API, below its prefix. */
  connectCompat(path: string): Promise<TestClient>;
  close(): Promise<void>;
}

/** A node and a database that has followed it to its head and announces events from there on. Servers are started later. */
export async function createWorld(generate: Partial<GenerateOptions> = {}): Promise<World> {
  const server = await testDatabase();
  const devnode = await startDevnode({
    external: '127.0.0.1:0',
    source: {
      generate: {
        seed: 'events',
        generations: 4,
        txsPerGeneration: 8,
        microBlocksPerGeneration: 2,
        ...generate,
      },
    },
  });
  const database = await emptyCopy(server.url);
  const node = nodeAt(devnode.externalUrl);
  const context = syncContext(database, node);
  await syncFully(context);
  await goLive(database);
  const opened: (() => Promise<void>)[] = [];
  return {
    devnode,
    database,
    databaseUrl: server.url,
    sync: () => syncFully(context),
    head: () => headOf(database),
    async serve(options = {}) {
      const started = await startEventServer(server.url, devnode.externalUrl, options);
      opened.push(started.close);
      return started;
    },
    async close() {
      await Promise.all(opened.map((close) => close()));
      node.close();
      await devnode.close();
      await database.close();
      await server.drop();
    },
  };
}

export async function headOf(database: Database): Promise<number> {
  const { rows } = await database.query<{ seq: string }>({
    name: 'test.head',
    text: 'SELECT event_seq AS seq FROM chain',
  });
  return Number(rows[0]!.seq);
}

const LOCAL = { host: '127.0.0.1', port: 0 };

export const eventsConfig: EventsConfig = {
  websocketAddress: LOCAL,
  websocketMaxConnections: 10_000,
  websocketMaxPerAddress: 0,
  websocketMaxTargets: 10_000,
  websocketMaxFrame: 65_536,
  websocketMaxBacklog: 4_194_304,
  websocketDrainMs: 0,
};

const apiConfig: Omit<ApiConfig, 'nodeUrls'> = {
  httpAddress: LOCAL,
  metricsAddress: LOCAL,
  forwardTimeoutMs: 20_000,
  keepAliveTimeoutMs: 65_000,
  streamDrainMs: 120_000,
  databasePoolSize: 4,
  cacheDepth: { blocks: 480 },
  rateLimitPerSecond: 0,
  limitCap: 10_000,
  pollIntervalMs: 1_000,
  statusMaxBlockAge: 900,
  statusMaxQueueLength: 2,
  explorer: 'on' as const,
  strictParameters: 'off' as const,
};

/** Starts the same servers as `mdw -s`. */
export async function startEventServer(url: string, nodeUrl: string, options: ServeOptions = {}): Promise<EventServer> {
  const { schema = 'mdw', pingMs, requests, payloads = (render) => render } = options;
  const database = createDatabase({
    url: asRole(url, 'serve'),
    schema,
    poolSize: 4,
    statementTimeoutMs: 15_000,
    logger: silent,
  });
  const metrics = createMetrics();
  const config = { ...eventsConfig, ...options.config };
  const ping = pingMs !== undefined && { pingMs };
  const events = createEvents({
    ...{ database, config, logger: silent, metrics, requests, ...ping },
    renderCompat: payloads(createPayloads(database)),
  });
  const server = createServer({
    database,
    config: { ...apiConfig, compatAddress: LOCAL, nodeUrls: [nodeUrl], rateLimitPerSecond: requests?.perSecond ?? 0 },
    logger: silent,
    metrics,
    events,
    requests,
  });
  const http = await server.listen();
  const compat = await server.listenCompat();
  await events.start();
  const ws = `ws://127.0.0.1:${(await events.listen()).port}`;
  let closed: Promise<void> | undefined;
  return {
    ws,
    http: `http://127.0.0.1:${http.port}`,
    compat: `http://127.0.0.1:${compat!.port}`,
    metrics,
    connect: (path = '') => connect(ws + path),
    connectCompat: (path) => connect(`ws://127.0.0.1:${http.port}/mdw${path}`),
    close: () =>
      (closed ??= (async () => {
        await Promise.all([events.close(), server.close()]);
        await database.close();
      })()),
  };
}

export interface EventFrame {
  subscription: string;
  payload: { hash: string; height?: number; [member: string]: unknown };
  cursor?: string;
}

export interface TestClient {
  socket: WebSocket;
  /** All received frames, oldest first. */
  frames: string[];
  /** The events among them. */
  events(): EventFrame[];
  /** Sends a message and returns the reply (the next frame that is not an event). */
  ask(message: unknown): Promise<unknown>;
  send(message: unknown): void;
  /** Resolves when the frames satisfy the condition. */
  until(done: () => boolean): Promise<void>;
  /** Resolves when it has received everything up to an event of the log. */
  reached(seq: number): Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
}

export async function connect(url: string): Promise<TestClient> {
  const socket = new WebSocket(url);
  const frames: string[] = [];
  const looking = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString());
    for (const look of looking) look();
  });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open'), closed.then(() => Promise.reject(new Error(`${url} refused`)))]);

  const until = (done: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        looking.delete(look);
        reject(
          new Error(`waited in vain; ${frames.length} frames, the last: ${frames.slice(-3).join(' ').slice(0, 600)}`),
        );
      }, GIVE_UP_MS);
      const look = (): void => {
        if (!done()) return;
        clearTimeout(timer);
        looking.delete(look);
        resolve();
      };
      looking.add(look);
      look();
    });
  const send = (message: unknown): void =>
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  const isEvent = (frame: string): boolean => frame.startsWith('{"subscription":');
  const ask = async (message: unknown): Promise<unknown> => {
    const from = frames.length;
    send(message);
    let reply: string | undefined;
    await until(() => (reply = frames.slice(from).find((frame) => !isEvent(frame))) !== undefined);
    return JSON.parse(reply!);
  };
  return {
    socket,
    frames,
    events: () => frames.filter(isEvent).map((frame) => JSON.parse(frame) as EventFrame),
    ask,
    send,
    until,
    async reached(seq) {
      for (;;) {
        const reply = (await ask({ op: 'unsubscribe', subscriptions: [], reply: 'lean' })) as { cursor?: string };
        if (Number(reply.cursor?.split('.')[0] ?? 0) >= seq) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    closed,
    async close() {
      socket.close();
      await closed;
    },
  };
}

/** All differences of the event log, which is verified in parts of few events. */
export async function verifyEvents(database: Database): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const verify of await eventTasks(database, 7)) differences.push(...(await verify(database)));
  return differences;
}
