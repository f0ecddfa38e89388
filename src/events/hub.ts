import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { createTurns } from '../runtime/turns.js';
import type { Database } from '../store/connection/database.js';
import { createCatchUp } from './catch-up.js';
import type { ChainEvent } from './chain-event.js';
import { createClient, leaveReplays, rewind, subscriptionOf } from './client.js';
import type { Client, EndReason, Reason, Subscription, Transport } from './client.js';
import { createClientIndex } from './client-index.js';
import { createFeed } from './feed.js';
import { textFrame } from './frames.js';
import type { Style } from './frames.js';
import { fromHeight } from './log.js';
import type { Point } from './log.js';
import { errorFrame, fullReply, leanReply, parseRequest } from './protocol.js';
import type { Request, Topic } from './protocol.js';
import type { ConnectionCounter, ExceededLimit } from './connection-counter.js';

export interface HubLimits {
  /** Max object subscriptions of one connection. */
  readonly websocketMaxTargets: number;
  /** Max backlog of one client, bytes. */
  readonly websocketMaxBacklog: number;
}

interface HubOptions {
  database: Database;
  limits: HubLimits;
  connections: ConnectionCounter;
  logger: Logger;
  metrics: Metrics;
  beforeEvents: () => void;
}

/** The topics of new subscriptions, and the point from which they begin. */
export type Start = Pick<Request, 'topics' | 'since' | 'from'>;

export interface Hub {
  start(): Promise<void>;
  /** Adds a connection, or closes it and returns undefined if a limit is exceeded. It may end before the promise resolves. */
  connect(transport: Transport, address: string, style: Style): Client | undefined | Promise<Client | undefined>;
  /** Handles a message and answers it. Resolves when the next message may be handled. */
  receive(client: Client, message: Buffer): Promise<void> | undefined;
  /** Subscribes. Calls `answer` before it sends any event, with the error if there is one. */
  subscribe(client: Client, start: Start, answer: (error?: string) => void): Promise<void> | undefined;
  unsubscribe(client: Client, topics: readonly Topic[]): void;
  /** The cursor from which new subscriptions begin. */
  cursor(): string | undefined;
  /** Closes a client whose backlog is too large. To be called after anything but a frame was sent to it. */
  closeIfSlow(client: Client): void;
  /** Removes a client. To be called when its connection has ended, on either side. */
  disconnect(client: Client, why: EndReason): void;
  /** Closes all connections, spread evenly over a time in ms. */
  drain(ms: number): Promise<void>;
  /** Stops following the log. */
  close(): Promise<void>;
}

const UNKNOWN_POINT =
  'since is a point that is not known here, or older than the events that are kept: begin at a height with from, or read the chain over HTTP';
const MAX_PAUSE_MS = 2_000;
/** Max replays of the stored chain for one connection at a time. One replay may be for many subscriptions. */
const MAX_REPLAYS = 16;
/** Max points that are looked up in the database at a time. */
const MAX_LOOKUPS = 2;

const TOO_MANY_REPLAYS = `the stored chain is being sent from ${MAX_REPLAYS} points already: name several subscriptions in one message, or wait`;

/** Holds all connections and their subscriptions, and sends each event to its receivers. */
export function createHub({ database, limits, connections, logger, metrics, beforeEvents }: HubOptions): Hub {
  const clients = new Set<Client>();
  const index = createClientIndex();
  let order = 0;
  /** Frames that were sent but not yet counted. Each update of a metric costs more than sending a frame. */
  let uncountedFrames = 0;
  /** Clients whose frames are buffered until `uncorkAll`. */
  const corked = new Set<Client>();
  metrics.websocketConnections.set(0);
  metrics.websocketSubscriptions.set(0);

  const feed = createFeed({
    database,
    logger,
    beforeEvents,
    onYield: uncorkAll,
    onEvent(event: ChainEvent) {
      index.publish(event, sendCorked);
      countFrames();
      metrics.eventDelaySeconds.observe(Math.max(0, (Date.now() - event.at) / 1000));
    },
    onLost: () => clients.forEach((client) => close(client, 'lost')),
  });
  const lookups = createTurns(MAX_LOOKUPS);
  const catchUp = createCatchUp({ db: database, feed, logger, send, close });

  function send(client: Client, frame: Buffer): void {
    if (client.closed) return;
    const { transport } = client;
    transport.send(frame);
    uncountedFrames += 1;
    closeIfSlow(client);
  }

  function closeIfSlow(client: Client): void {
    const { transport } = client;
    if (transport.backlog() <= limits.websocketMaxBacklog) return;
    // Frames that are buffered here do not mean that the client is slow, so they are written first.
    if (corked.delete(client)) transport.uncork();
    if (transport.backlog() > limits.websocketMaxBacklog) close(client, 'slow');
  }

  /** Sends a frame buffered, so that several events cost one system call for each client, not one each. */
  function sendCorked(client: Client, frame: Buffer): void {
    if (!corked.has(client)) {
      corked.add(client);
      client.transport.cork();
    }
    send(client, frame);
  }

  function uncorkAll(): void {
    for (const { transport } of corked) transport.uncork();
    corked.clear();
  }

  function countFrames(): void {
    metrics.websocketFramesSent.inc(uncountedFrames);
    uncountedFrames = 0;
  }

  function close(client: Client, reason: Reason): void {
    if (client.closed) return;
    disconnect(client, reason);
    client.transport.close(reason);
  }

  function disconnect(client: Client, why: EndReason): void {
    if (client.closed) return;
    client.closed = true;
    clients.delete(client);
    if (corked.delete(client)) client.transport.uncork();
    index.removeAll(client);
    connections.remove(client.address);
    metrics.websocketConnections.set(clients.size);
    metrics.websocketSubscriptions.set(index.size());
    metrics.websocketClosed.inc({ reason: why });
  }

  function addClient(
    transport: Transport,
    address: string,
    style: Style,
    exceeded: ExceededLimit | undefined,
  ): Client | undefined {
    if (exceeded !== undefined) {
      metrics.websocketClosed.inc({ reason: exceeded });
      transport.close(exceeded);
      return undefined;
    }
    const client = createClient(transport, address, style);
    clients.add(client);
    metrics.websocketConnections.set(clients.size);
    return client;
  }

  /** Returns the client's subscription to a topic, and makes it if it does not exist. It gets the name of this request. */
  function addSubscription(client: Client, topic: Topic): Subscription {
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

  /** Adds subscriptions that begin after the point `start`; with the next event if it is undefined. */
  function addSubscriptions(client: Client, topics: readonly Topic[], start: Point | undefined): void {
    const subscriptions = topics.map((topic) => addSubscription(client, topic));
    metrics.websocketSubscriptions.set(index.size());
    if (start === undefined) return;
    leaveReplays(client, subscriptions);
    const wasLive = client.live;
    if ('seq' in start) {
      rewind(client, start.seq, feed.position());
      for (const subscription of subscriptions) subscription.after = start.seq;
    } else {
      rewind(client, feed.position(), feed.position());
      for (const subscription of subscriptions) subscription.after = Infinity;
      client.replays.push({ sent: start.stored, subscriptions: new Set(subscriptions), removed: new Set() });
    }
    // Delayed, so that the reply to the message is sent before the events.
    if (wasLive) setImmediate(() => void catchUp(client));
  }

  /** Finds the point that a client names. Retries while the database cannot be reached, so that the connection stays open. */
  async function findPoint(client: Client, since: string): Promise<Point | undefined> {
    for (let failures = 0; ; failures++) {
      const recent = feed.findRecent(since);
      if (recent !== undefined) return recent;
      const leave = await lookups.enter(client.address);
      try {
        return client.closed ? undefined : await feed.find(since);
      } catch (error) {
        if (client.closed) return undefined;
        logger.debug({ err: error }, 'Could not find the point from which a client begins, will retry');
      } finally {
        leave();
      }
      await pause(backoffMs(failures, 50, MAX_PAUSE_MS));
    }
  }

  function exceedsMaxTargets(client: Client, topics: readonly Topic[]): boolean {
    const added = new Set(topics.flatMap((topic) => (topic.kind === 'object' ? [topic.target] : [])));
    for (const target of added) if (client.targets.has(target)) added.delete(target);
    return client.targets.size + added.size > limits.websocketMaxTargets;
  }

  /** Whether the client would have too many replays with one more. It replaces those that are for these topics only. */
  function exceedsMaxReplays(client: Client, topics: readonly Topic[]): boolean {
    if (client.replays.length < MAX_REPLAYS) return false;
    const replaced = new Set(topics.map((topic) => subscriptionOf(client, topic)));
    const others = client.replays.filter(({ subscriptions }) => [...subscriptions].some((one) => !replaced.has(one)));
    return others.length >= MAX_REPLAYS;
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
    if (exceedsMaxTargets(client, topics)) {
      return void answer(`too many targets: at most ${limits.websocketMaxTargets} on one connection`);
    }
    if (since === undefined) {
      if (from !== undefined && exceedsMaxReplays(client, topics)) return void answer(TOO_MANY_REPLAYS);
      addSubscriptions(client, topics, from === undefined ? undefined : { stored: fromHeight(from) });
      return void answer();
    }
    return findPoint(client, since).then((point) => {
      if (client.closed) return;
      if (point === undefined) return answer(UNKNOWN_POINT);
      if ('stored' in point && exceedsMaxReplays(client, topics)) return answer(TOO_MANY_REPLAYS);
      addSubscriptions(client, topics, point);
      answer();
    });
  }

  function setStyle(client: Client, { cursors }: Request): void {
    if (cursors !== undefined && client.style !== 'stream') client.style = cursors ? 'cursor' : 'plain';
  }

  return {
    start: () => feed.start(),
    connect(transport, address, style) {
      const exceeded = connections.add(address);
      return exceeded instanceof Promise
        ? exceeded.then((known) => addClient(transport, address, style, known))
        : addClient(transport, address, style, exceeded);
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
    unsubscribe: remove,
    cursor: () => feed.cursor(),
    closeIfSlow,
    disconnect,
    async drain(ms) {
      const open = [...clients];
      const started = performance.now();
      for (const [i, client] of open.entries()) {
        const wait = (ms * i) / open.length - (performance.now() - started);
        if (wait > 1) await pause(wait);
        close(client, 'drain');
      }
    },
    close: () => feed.close(),
  };
}
