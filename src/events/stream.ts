import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_HEIGHT } from '../chain/position.js';
import { REASONS } from './client.js';
import type { Transport } from './client.js';
import { isSince } from './cursor.js';
import type { Hub, Start } from './hub.js';
import { whenClosed } from '../runtime/when-closed.js';
import { readEntry } from './protocol.js';
import type { Topic } from './protocol.js';

/** Time between two comments that keep the connection open, ms. */
const HEARTBEAT_MS = 15_000;
/** Time after which a browser reconnects, ms. */
const RETRY_MS = 2_000;

/**
 * Answers a request for server-sent events: `?kinds=key_blocks,transactions&object=<id>`, with `since`, `from` or the
 * header `Last-Event-ID`. Each event's data is the frame of the websocket, its id the cursor.
 */
export async function streamEvents(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const start = readStart(request);
  if (typeof start === 'string') return refuse(response, 400, start);
  if (request.method === 'HEAD') return void response.writeHead(200, HEADERS).end();

  const client = await hub.connect(transportOf(response), request.socket.remoteAddress ?? '', 'stream');
  if (client === undefined) return;
  const heartbeat = setInterval(() => response.write(': \n\n'), HEARTBEAT_MS);
  whenClosed(response, () => {
    clearInterval(heartbeat);
    hub.disconnect(client, 'client');
  });
  if (client.closed) return;
  request.socket.setKeepAlive(true, HEARTBEAT_MS);
  await hub.subscribe(client, start, (error) => {
    if (error !== undefined) {
      hub.disconnect(client, 'refused');
      return refuse(response, start.since === undefined ? 400 : 410, error);
    }
    // With this id, a client that is disconnected before its first event misses nothing.
    const point = start.since ?? (start.from === undefined ? hub.cursor() : undefined);
    response.writeHead(200, HEADERS);
    response.write(`retry: ${RETRY_MS}\n${point === undefined ? '' : `id: ${point}\n`}\n`);
  });
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Without this, nginx would buffer events.
  'x-accel-buffering': 'no',
};

function readStart(request: IncomingMessage): Start | string {
  const { searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const kinds = query.getAll('kinds').flatMap((list) => list.split(',').filter((kind) => kind !== ''));
  const topics: Topic[] = [];
  for (const entry of [...kinds, ...query.getAll('object').flatMap((list) => list.split(','))]) {
    const topic = readEntry(entry);
    if (typeof topic === 'string') return `Invalid input: ${topic}`;
    topics.push(topic);
  }
  if (topics.length === 0) return 'Invalid input: kinds or object must be given, for example ?kinds=key_blocks';
  // A browser that reconnects sends its last event as a header. It is newer than `since` in the address.
  const since = request.headers['last-event-id'] ?? query.get('since') ?? undefined;
  if (since !== undefined && since !== '') {
    return isSince(since)
      ? { topics, since }
      : 'Invalid input: since is neither a cursor nor the hash of a block or transaction';
  }
  const from = query.get('from');
  if (from === null) return { topics };
  if (!/^\d{1,10}$/.test(from) || Number(from) > MAX_HEIGHT) return 'Invalid input: from must be a height';
  return { topics, from: Number(from) };
}

function transportOf(response: ServerResponse): Transport {
  return {
    send: (frame) => void response.write(frame),
    cork: () => response.cork(),
    uncork: () => response.uncork(),
    backlog: () => response.writableLength,
    close(reason) {
      if (!response.headersSent) refuse(response, 503, REASONS[reason].text);
      else if (reason === 'drain') response.end();
      else response.destroy();
    },
  };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ reason }));
}
