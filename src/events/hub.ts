import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { createTurns } from '../runtime/turns.js';
import type { Database } from '../store/connection/database.js';
import { createCatchUp } from './catch-up.js';
import type { ChainEvent } from './chain-event.js';
import type { Client, EndReason, Transport } from './client.js';
import { createClientIndex } from './client-index.js';
import { createConnections } from './connections.js';
import { createFeed } from './feed.js';
import type { Feed } from './feed.js';
import type { Style } from './frames.js';
import { fromHeight } from './log.js';
import type { Point } from './log.js';
import { begin, end, exceedsMaxReplays, exceedsMaxTargets, MAX_REPLAYS } from './progress.js';
import { errorFrame, fullReply, leanReply, parseRequest } from './protocol.js';
import type { Request } from './protocol.js';
import type { ConnectionCounter } from './connection-counter.js';

export interface HubLimits {
  /** Max subscriptions with a target of one connection. */
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
  unsubscribe(client: Client, topics: Start['topics']): void;
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
/** Max points that are looked up in the database at a time. */
const MAX_LOOKUPS = 2;

const TOO_MANY_REPLAYS = `the stored chain is being sent from ${MAX_REPLAYS} points already: name several subscriptions in one message, or wait`;

/** Answers the messages of clients, and sends each event to its receivers. */
export function createHub({ database, limits, connections: counter, logger, metrics, beforeEvents }: HubOptions): Hub {
  const index = createClientIndex();
  const maxBacklog = limits.websocketMaxBacklog;
  const connections = createConnections({ index, counter, metrics, maxBacklog });
  /** Number of the next subscription. */
  let order = 0;
  metrics.websocketSubscriptions.set(0);

  const feed = createFeed({
    database,
    logger,
    beforeEvents,
    onYield: connections.uncorkAll,
    onEvent(event: ChainEvent) {
      index.publish(event, connections.sendCorked);
      connections.countFrames();
      metrics.eventDelaySeconds.observe(Math.max(0, (Date.now() - event.at) / 1000));
    },
    onLost: () => connections.closeAll('lost'),
  });
  const findPoint = createPointFinder(feed, logger);
  const catchUp = createCatchUp({ db: database, feed, logger, send: connections.send, close: connections.close });

  function add(client: Client, topics: Start['topics'], start: Point | undefined): void {
    const wasLive = client.live;
    begin(client, topics, { start, position: feed.position(), order });
    order += topics.length;
    for (const topic of topics) index.add(client, topic);
    metrics.websocketSubscriptions.set(index.size());
    // Delayed, so that the reply to the message is sent before the events.
    if (wasLive && !client.live) setImmediate(() => void catchUp(client));
  }

  function reply(client: Client, { lean }: Request, cursor: string | undefined): void {
    const count = client.kinds.size + client.targets.size;
    connections.sendText(client, lean ? leanReply(count, cursor) : fullReply(client.kinds, client.targets.keys()));
  }

  function fail(client: Client, error: string): void {
    metrics.websocketErrors.inc();
    connections.sendText(client, errorFrame(error));
  }

  function subscribe(
    client: Client,
    { topics, since, from }: Start,
    answer: (error?: string) => void,
  ): Promise<void> | undefined {
    const max = limits.websocketMaxTargets;
    if (exceedsMaxTargets(client, topics, max)) {
      return void answer(`too many targets: at most ${max} on one connection`);
    }
    if (since === undefined) {
      if (from !== undefined && exceedsMaxReplays(client, topics)) return void answer(TOO_MANY_REPLAYS);
      add(client, topics, from === undefined ? undefined : { stored: fromHeight(from) });
      return void answer();
    }
    return findPoint(client, since).then((point) => {
      if (client.closed) return;
      if (point === undefined) return answer(UNKNOWN_POINT);
      if ('stored' in point && exceedsMaxReplays(client, topics)) return answer(TOO_MANY_REPLAYS);
      add(client, topics, point);
      answer();
    });
  }

  function unsubscribe(client: Client, topics: Start['topics']): void {
    for (const topic of topics) index.remove(client, topic);
    end(client, topics);
    metrics.websocketSubscriptions.set(index.size());
  }

  return {
    start: () => feed.start(),
    connect: connections.add,
    receive(client, message) {
      if (client.closed) return undefined;
      const parsed = parseRequest(message);
      if ('error' in parsed) return void fail(client, parsed.error);
      const { request } = parsed;
      const { cursors, since, from } = request;
      if (cursors !== undefined && client.style !== 'stream') client.style = cursors ? 'cursor' : 'plain';
      if (request.op === 'unsubscribe') {
        unsubscribe(client, request.topics);
        return void reply(client, request, feed.cursor());
      }
      return subscribe(client, request, (error) => {
        if (error !== undefined) fail(client, error);
        else reply(client, request, since ?? (from === undefined ? feed.cursor() : undefined));
      });
    },
    subscribe,
    unsubscribe,
    cursor: () => feed.cursor(),
    closeIfSlow: connections.closeIfSlow,
    disconnect: connections.remove,
    drain: connections.drain,
    close: () => feed.close(),
  };
}

/** Makes a function that finds the point that a client names. It retries while the database cannot be reached, so that the connection stays open. */
function createPointFinder(feed: Feed, logger: Logger): (client: Client, since: string) => Promise<Point | undefined> {
  const lookups = createTurns(MAX_LOOKUPS);
  return async (client, since) => {
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
  };
}
