/** Clients that leave at random moments, over every kind of request, and what the server must still have after them. */
import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createStreams } from '../../src/api/streams.js';
import type { Streams } from '../../src/api/streams.js';
import { createEvents } from '../../src/events/server.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { testApi } from './api.js';
import type { TestApi } from './api.js';
import { createWorld, eventsConfig } from './events.js';
import type { World } from './events.js';
import type { Choices } from './histories.js';
import { asServed } from './roles.js';
import { silent } from './seed.js';

/** Connections to the database, and websockets of one address. */
export const POOL_SIZE = 4;
export const MAX_WEBSOCKETS = 100;

/** A server of everything, its node and its compiler. */
export interface Served {
  world: World;
  api: TestApi;
  websocketPort: number;
  streams: Streams;
  /** Requests that the node, or the compiler, has and does not answer before `release`. */
  held: { node: number; compiler: number };
  /** From now on the node and the compiler hold what is asked for with `hold`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

async function listening(answer: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createHttpServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const LARGE = Buffer.alloc(400_000, ' ');

/** A node that is quick, late or silent, as the path says. */
function nodeAnswer(held: (answer: () => void) => void): RequestListener {
  return (request, response) => {
    const [, , name = ''] = (request.url ?? '').split('/');
    const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    request.resume().on('end', () => {
      if (name === 'never') return;
      if (name === 'hold') held(answer);
      else if (name === 'late') setTimeout(answer, 5);
      else if (name === 'large') response.writeHead(200, { 'content-type': 'application/json' }).end(LARGE);
      else if (name === 'half') response.writeHead(200, { 'content-length': '1000' }).write('{');
      else if (name === 'broken') response.destroy();
      else if (name === 'transactions') response.writeHead(404).end('{"reason":"Transaction not found"}');
      else answer();
    });
  };
}

function compilerAnswer(held: (answer: () => void) => void): RequestListener {
  return (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/') return response.end('{"Compilers":[{"version":"8.0.0"}]}');
      const answer = (): void => void response.end('{"bytecode":"cb_Xfbg4g=="}');
      return text.includes('hold') ? held(answer) : text.includes('late') ? setTimeout(answer, 5) : answer();
    });
  };
}

export async function serveEverything(): Promise<Served> {
  const world = await createWorld({ generations: 30, txsPerGeneration: 20 });
  const held = { node: 0, compiler: 0 };
  let waiting: (() => void)[] | undefined;
  const keep =
    (whose: keyof typeof held) =>
    (answer: () => void): void => {
      if (waiting === undefined) return answer();
      held[whose] += 1;
      waiting.push(answer);
    };
  const node = await listening(nodeAnswer(keep('node')));
  const compiler = await listening(compilerAnswer(keep('compiler')));
  const database = asServed(world.database)!;
  const metrics = createMetrics();
  const config = { ...eventsConfig, websocketMaxConnections: 200, websocketMaxPerAddress: MAX_WEBSOCKETS };
  const events = createEvents({ database, config, logger: silent, metrics });
  const streams = createStreams();
  const api = await testApi(
    database,
    {
      nodeUrls: [node.url],
      compilerUrls: [compiler.url],
      databasePoolSize: POOL_SIZE,
      forwardTimeoutMs: 2_000,
      statusMaxBlockAge: 999_999_999,
    },
    { events, streams, metrics },
  );
  await events.start();
  const { port: websocketPort } = await events.listen();
  return {
    world,
    api,
    websocketPort,
    streams,
    held,
    hold() {
      waiting = [];
    },
    release() {
      const all = waiting ?? [];
      waiting = undefined;
      held.node = held.compiler = 0;
      for (const answer of all) answer();
    },
    async close() {
      await Promise.all([events.close(), api.close()]);
      await database.close();
      await node.close();
      await compiler.close();
      await world.close();
    },
  };
}

/** The requests that servers of this process got, until the garbage collector has taken them: whoever holds one holds what came with it. */
export interface LiveRequests {
  /** Those that something still holds: method and target. */
  left(): string[];
  stop(): void;
}

export function liveRequests(): LiveRequests {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let responses: WeakRef<ServerResponse>[] = [];
  const onRequest = (message: unknown): void => {
    responses.push(new WeakRef((message as { response: ServerResponse }).response));
  };
  subscribe('http.server.request.start', onRequest);
  return {
    left() {
      collect();
      responses = responses.filter((one) => one.deref() !== undefined);
      return responses.map((one) => `${one.deref()?.req.method} ${one.deref()?.req.url}`);
    },
    stop: () => void unsubscribe('http.server.request.start', onRequest),
  };
}

/** Bytes that a client sends, of one or several requests. */
export interface Visit {
  port: number;
  bytes: Buffer;
  requests: number;
}

/**
 * When a client leaves: within its request, after it, some moments later, when an answer begins, within an answer, after it has closed its
 * half of the connection, or when it has waited long enough.
 */
export const MOMENTS = ['head', 'sent', 'soon', 'answer', 'part', 'half closed', 'stays'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Max time that a client waits for an answer, or for the end of one, ms. */
const PATIENCE_MS = 60;

/** One client, from its connection to its end. */
export async function visit({ port, bytes }: Visit, random: Choices): Promise<Moment> {
  const moment = MOMENTS[random.int(0, MOMENTS.length - 1)]!;
  // Limits by address count each of them.
  const address = process.platform === 'linux' ? { localAddress: `127.0.0.${random.int(1, 9)}` } : {};
  const resets = random.chance(0.5);
  const moments = random.int(1, 30);
  const part = random.int(1, bytes.length);
  let wanted = 2 ** random.int(0, 18);
  const socket = connect({ port, host: '127.0.0.1', ...address });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A reset would wait until everything was sent.
  const leave = (): void => void (resets && socket.writableLength === 0 ? socket.resetAndDestroy() : socket.destroy());
  const timer = setTimeout(leave, PATIENCE_MS);
  if (moment === 'answer') socket.once('data', leave);
  else if (moment === 'part') socket.on('data', ({ length }) => ((wanted -= length) <= 0 ? leave() : undefined));
  else if (moment !== 'soon') socket.resume();
  if (moment === 'half closed') socket.end(bytes);
  else if (moment === 'head') socket.write(bytes.subarray(0, part), leave);
  else socket.write(bytes, () => (moment === 'sent' ? leave() : moment === 'soon' ? later(moments, leave) : undefined));
  await closed;
  clearTimeout(timer);
  return moment;
}

/** After some turns of the event loop. */
const later = (turns: number, then: () => void): void =>
  void setImmediate(() => (turns === 0 ? then() : later(turns - 1, then)));

export const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};
