import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/connection/database.js';
import { createCatchUp } from './catch-up.js';
import type { ChainEvent } from './chain-event.js';
import { createClient, rewind, subscriptionOf } from './client.js';
import type { Client, Reason, Subscription, Transport } from './client.js';
import { createClientIndex } from './client-index.js';
import { createFeed } from './feed.js';
import { textFrame } from './frames.js';
import type { Style } from './frames.js';
import { fromHeight } from './log.js';
import type { Point } from './log.js';
import { errorFrame, fullReply, leanReply, parseRequest } from './protocol.js';
import type { Request, Topic } from './protocol.js';
import type { FullSeats, Seats } from './seats.js';

export interface HubLimits {
  /** Max object subscriptions of one connection. */
  readonly websocketMaxTargets: number;
  /** Max backlog of one client, bytes. */
  readonly websocketMaxBacklog: number;
}

interface HubOptions {
  database: Database;
  limits: HubLimits;
  seats: Seats;
  logger: Logger;
  metrics: Metrics;
  onNews: () => void;
}

/** What to subscribe to, and where to begin. */
export type Start = Pick<Request, 'topics' | 'since' | 'from'>;

export interface Hub {
  start(): Promise<void>;
  /** Takes a connection; if a limit forbids it, closes it and returns undefined. It may end before the promise does. */
  connect(transport: Transport, address: string, style: Style): Client | undefined | Promise<Client | undefined>;
  /** Handles a message and answers it; resolves when the next one may be handled. */
  receive(client: Client, message: Buffer): Promise<void> | undefined;
  /** Subscribes. Calls `answer` with the error, or with none when done, before it sends any event. */
  subscribe(client: Client, start: Start, answer: (error?: string) => void): Promise<void> | undefined;
  /** The cursor from which new subscriptions begin. */
  cursor(): string | undefined;
  /** Closes a client for whom too much waits: to be called when something else than a frame was sent. */
  boundBacklog(client: Client): void;
  /** Must be called whenever a connection has ended, on either side. */
  disconnect(client: Client, why: string): void;
  /** Closes all connections, spread over a time in ms. */
  drain(ms: number): Promise<void>;
  /** Stops following the log. */
  close(): Promise<void>;
}

const UNKNOWN_POINT =
  'since is a point that is not known here, or older than the events that are kept: begin at a height with from, or read the chain over HTTP';
const MAX_PAUSE_MS = 2_000;

/** All connections and their subscriptions; sends each event to its receivers. */
export function createHub({ database, limits, seats, logger, metrics, onNews }: HubOptions): Hub {
  const clients = new Set<Client>();
  const index = createClientIndex();
  let order = 0;
  /** Frames sent but not yet counted: updating a metric costs more than sending a frame. */
  let frames = 0;
  /** Clients whose frames are buffered until `release`. */
  const held = new Set<Client>();
  metrics.websocketConnections.set(0);
  metrics.websocketSubscriptions.set(0);

  const feed = createFeed({
    database,
    logger,
    onNews,
    onPause: release,
    onEvent(event: ChainEvent) {
      index.publish(event, sendHeld);
      countFrames();
      metrics.eventDelaySeconds.observe(Math.max(0, (Date.now() - event.at) / 1000));
    },
    onLost: () => clients.forEach((client) => close(client, 'lost')),
  });
  const catchUp = createCatchUp({ db: database, feed, logger, send, close });

  function send(client: Client, frame: Buffer): void {
    if (client.closed) return;
    const { transport } = client;
    transport.send(frame);
    frames += 1;
    boundBacklog(client);
  }

  function boundBacklog(client: Client): void {
    const { transport } = client;
    if (transport.backlog() <= limits.websocketMaxBacklog) return;
    // Frames that are only buffered here are not the client's backlog: write them first.
    if (held.delete(client)) transport.release();
    if (transport.backlog() > limits.websocketMaxBacklog) close(client, 'slow');
  }

  /** Buffers: several events cost one system call for each client, not one each. */
  function sendHeld(client: Client, frame: Buffer): void {
    if (!held.has(client)) {
      held.add(client);
      client.transport.hold();
    }
    send(client, frame);
  }

  function release(): void {
    for (const { transport } of held) transport.release();
    held.clear();
  }

  function countFrames(): void {
    metrics.websocketFramesSent.inc(frames);
    frames = 0;
  }

  function close(client: Client, reason: Reason): void {
    if (client.closed) return;
    disconnect(client, reason);
    client.transport.close(reason);
  }

  function disconnect(client: Client, why: string): void {
    if (client.closed) return;
    client.closed = true;
    clients.delete(client);
    if (held.delete(client)) client.transport.release();
    index.removeAll(client);
    seats.leave(client.address);
    metrics.websocketConnections.set(clients.size);
    metrics.websocketSubscriptions.set(index.size());
    metrics.websocketClosed.inc({ reason: why });
  }

  function seat(transport: Transport, address: string, style: Style, full: FullSeats | undefined): Client | undefined {
    if (full !== undefined) {
      metrics.websocketClosed.inc({ reason: full });
      transport.close(full);
      return undefined;
    }
    const client = createClient(transport, address, style);
    clients.add(client);
    metrics.websocketConnections.set(clients.size);
    return client;
  }

  /** The client's subscription to a topic, made if it is missing; its name is the last one used. */
  function put(client: Client, topic: Topic): Subscription {
    const known = subscriptionOf(client, topic);
    if (known !== undefined) {
      known.name = topic.name;
      return known;
    }
    const made: Subscription = { kind: topic.kind, name: topic.name, order: order++, after: feed.position() };
    if (topic.kind === 'object') client.targets.set(topic.target, made);
    else client.kinds.set(topic.kind, made);
    index.add(client, topic);
    return made;
  }

  function begin(client: Client, topics: readonly Topic[], start: Point | undefined): void {
    const subscriptions = topics.map((topic) => put(client, topic));
    metrics.websocketSubscriptions.set(index.size());
    if (start === undefined) return;
    const wasLive = client.live;
    if ('seq' in start) {
      rewind(client, start.seq, feed.position());
      for (const subscription of subscriptions) subscription.after = start.seq;
    } else {
      rewind(client, feed.position(), feed.position());
      for (const subscription of subscriptions) subscription.after = Infinity;
      client.replays.push({ sent: start.stored, subscriptions: new Set(subscriptions), removed: new Set() });
    }
    // Later, so that the reply to the message is sent first.
    if (wasLive) setImmediate(() => void catchUp(client));
  }

  /** Retries while the database cannot be reached, instead of closing the connection. */
  async function find(client: Client, since: string): Promise<Point | undefined> {
    for (let failures = 0; ; failures++) {
      try {
        return await feed.find(since);
      } catch (error) {
        if (client.closed) return undefined;
        logger.debug({ err: error }, 'Cannot look up where a client wants to begin, will try again');
        await pause(backoffMs(failures, 50, MAX_PAUSE_MS));
      }
    }
  }

  function tooMany(client: Client, topics: readonly Topic[]): boolean {
    const added = new Set(topics.flatMap((topic) => (topic.kind === 'object' ? [topic.target] : [])));
    for (const target of added) if (client.targets.has(target)) added.delete(target);
    return client.targets.size + added.size > limits.websocketMaxTargets;
  }

  function remove(client: Client, topics: readonly Topic[]): void {
    for (const topic of topics) {
      index.remove(client, topic);
      if (topic.kind === 'object') client.targets.delete(topic.target);
      else client.kinds.delete(topic.kind);
    }
    metrics.websocketSubscriptions.set(index.size());
  }

  function sendText(client: Client, text: string): void {
    send(client, textFrame(text));
    countFrames();
  }

  function fail(client: Client, error: string): void {
    metrics.websocketErrors.inc();
    sendText(client, errorFrame(error));
  }

  function reply(client: Client, { lean }: Request, cursor: string | undefined): void {
    const count = client.kinds.size + client.targets.size;
    sendText(client, lean ? leanReply(count, cursor) : fullReply(client.kinds, client.targets.keys()));
  }

  function subscribe(
    client: Client,
    { topics, since, from }: Start,
    answer: (error?: string) => void,
  ): Promise<void> | undefined {
    if (tooMany(client, topics)) {
      return void answer(`too many targets: at most ${limits.websocketMaxTargets} on one connection`);
    }
    if (since === undefined) {
      begin(client, topics, from === undefined ? undefined : { stored: fromHeight(from) });
      return void answer();
    }
    return find(client, since).then((point) => {
      if (client.closed) return;
      if (point === undefined) return answer(UNKNOWN_POINT);
      begin(client, topics, point);
      answer();
    });
  }

  function setStyle(client: Client, { cursors }: Request): void {
    if (cursors !== undefined && client.style !== 'stream') client.style = cursors ? 'cursor' : 'plain';
  }

  return {
    start: () => feed.start(),
    connect(transport, address, style) {
      const full = seats.take(address);
      return full instanceof Promise
        ? full.then((known) => seat(transport, address, style, known))
        : seat(transport, address, style, full);
    },
    receive(client, message) {
      if (client.closed) return undefined;
      const parsed = parseRequest(message);
      if ('error' in parsed) return void fail(client, parsed.error);
      const { request } = parsed;
      setStyle(client, request);
      if (request.op === 'unsubscribe') {
        remove(client, request.topics);
        return void reply(client, request, feed.cursor());
      }
      return subscribe(client, request, (error) => {
        if (error !== undefined) fail(client, error);
        else reply(client, request, request.since ?? (request.from === undefined ? feed.cursor() : undefined));
      });
    },
    subscribe,
    cursor: () => feed.cursor(),
    boundBacklog,
    disconnect,
    async drain(ms) {
      const open = [...clients];
      const begun = performance.now();
      for (const [i, client] of open.entries()) {
        const due = (ms * i) / open.length - (performance.now() - begun);
        if (due > 1) await pause(due);
        close(client, 'drain');
      }
    },
    close: () => feed.close(),
  };
}
