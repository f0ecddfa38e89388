import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../observe/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/database.js';
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

export interface HubLimits {
  /** Connections in all and from one address; 0 for no limit. */
  readonly websocketMaxConnections: number;
  readonly websocketMaxPerAddress: number;
  /** Object subscriptions of one connection. */
  readonly websocketMaxTargets: number;
  /** Bytes that may wait for one client. */
  readonly websocketMaxBacklog: number;
}

export interface HubOptions {
  database: Database;
  limits: HubLimits;
  logger: Logger;
  metrics: Metrics;
  onNews: () => void;
}

/** What to subscribe to, and from where on. */
export type Start = Pick<Request, 'topics' | 'since' | 'from'>;

export interface Hub {
  start(): Promise<void>;
  /** Takes a connection; if a limit forbids it, closes it and gives nothing. */
  connect(transport: Transport, address: string, style: Style): Client | undefined;
  /** Acts on a message and answers it; resolves when the next one may be acted on. */
  receive(client: Client, message: Buffer): Promise<void> | undefined;
  /** Subscribes. `answer` is told what is wrong or that it is done, before any event that it causes. */
  subscribe(client: Client, start: Start, answer: (error?: string) => void): Promise<void> | undefined;
  /** Where those who subscribe now begin. */
  cursor(): string | undefined;
  /** To be told whenever a connection is gone, whoever ended it. */
  disconnect(client: Client, why: string): void;
  /** Closes all connections, spread over a time in ms. */
  drain(ms: number): Promise<void>;
  /** Stops following the log. */
  close(): Promise<void>;
}

const UNKNOWN_POINT =
  'since is a point that is not known here, or older than the events that are kept: begin at a height with from, or read the chain over HTTP';
const LONGEST_PAUSE_MS = 2_000;

/** All connections, and what each of them is told. */
export function createHub({ database, limits, logger, metrics, onNews }: HubOptions): Hub {
  const clients = new Set<Client>();
  const perAddress = new Map<string, number>();
  const index = createClientIndex();
  let order = 0;
  /** Sent and not yet counted: a metric is dear beside a frame. */
  let frames = 0;
  /** Clients whose frames wait for those of the next events. */
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
    if (transport.backlog() <= limits.websocketMaxBacklog) return;
    // What is only held here does not wait for the client.
    if (held.delete(client)) transport.release();
    if (transport.backlog() > limits.websocketMaxBacklog) close(client, 'slow');
  }

  /** Several events at a time cost a client one system call, not one each. */
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
    const others = (perAddress.get(client.address) ?? 1) - 1;
    if (others === 0) perAddress.delete(client.address);
    else perAddress.set(client.address, others);
    metrics.websocketConnections.set(clients.size);
    metrics.websocketSubscriptions.set(index.size());
    metrics.websocketClosed.inc({ reason: why });
  }

  function limitReached(address: string): 'connections' | 'address' | undefined {
    const { websocketMaxConnections: all, websocketMaxPerAddress: one } = limits;
    if (all > 0 && clients.size >= all) return 'connections';
    return one > 0 && (perAddress.get(address) ?? 0) >= one ? 'address' : undefined;
  }

  /** The client's subscription to a topic, made if need be; its name is the last one used. */
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
      client.replays.push({ told: start.told, subscriptions: new Set(subscriptions), removed: new Set() });
    }
    // After the reply to the message that asked for it.
    if (wasLive) setImmediate(() => void catchUp(client));
  }

  /** A database that is away for a moment is no reason to send the client away. */
  async function find(client: Client, since: string): Promise<Point | undefined> {
    for (let failures = 0; ; failures++) {
      try {
        return await feed.find(since);
      } catch (error) {
        if (client.closed) return undefined;
        logger.debug({ err: error }, 'Cannot look up where a client wants to begin, will try again');
        await pause(backoffMs(failures, 50, LONGEST_PAUSE_MS));
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
      begin(client, topics, from === undefined ? undefined : { told: fromHeight(from) });
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
      const limit = limitReached(address);
      if (limit !== undefined) {
        metrics.websocketClosed.inc({ reason: limit });
        transport.close(limit);
        return undefined;
      }
      const client = createClient(transport, address, style);
      clients.add(client);
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      metrics.websocketConnections.set(clients.size);
      return client;
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
    disconnect,
    async drain(ms) {
      const leaving = [...clients];
      const begun = performance.now();
      for (const [i, client] of leaving.entries()) {
        const due = (ms * i) / leaving.length - (performance.now() - begun);
        if (due > 1) await pause(due);
        close(client, 'drain');
      }
    },
    close: () => feed.close(),
  };
}
