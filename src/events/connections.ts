/** The open connections: frames are sent to them, and they are closed when they read too slowly. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../observe/metrics.js';
import type { ClientIndex } from './client-index.js';
import { createClient } from './client.js';
import type { Client, EndReason, Reason, Transport } from './client.js';
import type { ConnectionCounter, ExceededLimit } from './connection-counter.js';
import { textFrame } from './frames.js';
import type { Style } from './frames.js';

interface ConnectionsOptions {
  index: ClientIndex;
  counter: ConnectionCounter;
  metrics: Metrics;
  /** Max backlog of one client, bytes. */
  maxBacklog: number;
}

interface Connections {
  /** Adds a connection, or closes it and returns undefined if a limit is exceeded. It may end before the promise resolves. */
  add(transport: Transport, address: string, style: Style): Client | undefined | Promise<Client | undefined>;
  send(client: Client, frame: Buffer): void;
  /** Sends a frame buffered until `uncorkAll`, so that several events cost one system call for each client, not one each. */
  sendCorked(client: Client, frame: Buffer): void;
  uncorkAll(): void;
  sendText(client: Client, text: string): void;
  /** Adds the frames that were sent to the metric. Each update of a metric costs more than sending a frame. */
  countFrames(): void;
  /** Closes a client whose backlog is too large. */
  closeIfSlow(client: Client): void;
  close(client: Client, reason: Reason): void;
  closeAll(reason: Reason): void;
  /** Removes a client whose connection has ended. */
  remove(client: Client, why: EndReason): void;
  /** Closes all connections, spread evenly over a time in ms. */
  drain(ms: number): Promise<void>;
}

export function createConnections({ index, counter, metrics, maxBacklog }: ConnectionsOptions): Connections {
  const clients = new Set<Client>();
  /** Clients whose frames are buffered until `uncorkAll`. */
  const corked = new Set<Client>();
  let uncountedFrames = 0;
  metrics.websocketConnections.set(0);

  function add(transport: Transport, address: string, style: Style, exceeded?: ExceededLimit): Client | undefined {
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

  function send(client: Client, frame: Buffer): void {
    if (client.closed) return;
    client.transport.send(frame);
    uncountedFrames += 1;
    closeIfSlow(client);
  }

  function closeIfSlow(client: Client): void {
    const { transport } = client;
    if (transport.backlog() <= maxBacklog) return;
    // Frames that are buffered here do not mean that the client is slow, so they are written first.
    if (corked.delete(client)) transport.uncork();
    if (transport.backlog() > maxBacklog) close(client, 'slow');
  }

  function close(client: Client, reason: Reason): void {
    if (client.closed) return;
    remove(client, reason);
    client.transport.close(reason);
  }

  function remove(client: Client, why: EndReason): void {
    if (client.closed) return;
    client.closed = true;
    clients.delete(client);
    if (corked.delete(client)) client.transport.uncork();
    index.removeAll(client);
    counter.remove(client.address);
    metrics.websocketConnections.set(clients.size);
    metrics.websocketSubscriptions.set(index.size());
    metrics.websocketClosed.inc({ reason: why });
  }

  function countFrames(): void {
    metrics.websocketFramesSent.inc(uncountedFrames);
    uncountedFrames = 0;
  }

  return {
    add(transport, address, style) {
      const exceeded = counter.add(address);
      return exceeded instanceof Promise
        ? exceeded.then((known) => add(transport, address, style, known))
        : add(transport, address, style, exceeded);
    },
    send,
    sendCorked(client, frame) {
      if (!corked.has(client)) {
        corked.add(client);
        client.transport.cork();
      }
      send(client, frame);
    },
    uncorkAll() {
      for (const { transport } of corked) transport.uncork();
      corked.clear();
    },
    sendText(client, text) {
      send(client, textFrame(text));
      countFrames();
    },
    countFrames,
    closeIfSlow,
    close,
    closeAll: (reason) => clients.forEach((client) => close(client, reason)),
    remove,
    async drain(ms) {
      const open = [...clients];
      const started = performance.now();
      for (const [i, client] of open.entries()) {
        const wait = (ms * i) / open.length - (performance.now() - started);
        if (wait > 1) await pause(wait);
        close(client, 'drain');
      }
    },
  };
}
