import { AggregatorRegistry } from 'prom-client';
import type { MetricObject } from 'prom-client';
import type { AddressInfo } from 'node:net';
import { createBuckets } from '../api/middleware/request-buckets.js';
import type { Taken } from '../api/middleware/request-buckets.js';
import type { Config } from '../config.js';
import { createSeats } from '../events/seats.js';
import type { FullSeats, Seats } from '../events/seats.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { STARTING } from '../observe/startup.js';
import type { Startup } from '../observe/startup.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Answers, Link } from '../runtime/link.js';
import { startWorkers } from '../runtime/workers.js';
import type { Workers } from '../runtime/workers.js';
import { NOT_DETACHED } from './daemon.js';

/** Where a worker listens. */
export interface Addresses {
  http: AddressInfo;
  websocket?: AddressInfo | undefined;
}

interface ServingOptions {
  count: number;
  config: Config;
  logger: Logger;
  metrics: Metrics;
  startup: Startup;
  lifecycle: Lifecycle;
}

export interface ServingWorkers {
  started: Promise<{ ready: Addresses } | { status: number }>;
  /** The metrics of all processes together, in the format of Prometheus. */
  collect(): Promise<string>;
}

/** Processes that serve clients on the same addresses. The limits of clients count for all of them together. */
export function serveByWorkers(options: ServingOptions): ServingWorkers {
  const { count, config, logger, metrics, startup, lifecycle } = options;
  const take = createBuckets(config.rateLimitPerSecond, () => performance.now());
  const seats = createSeats(config);
  /** Addresses of the clients of each worker: what it held is free when it ends. */
  const seated = new Map<number, string[]>();

  const answers = (id: number): Answers => {
    const held: string[] = [];
    seated.set(id, held);
    return {
      request: (client) => take(client as string),
      seat(given) {
        const address = given as string;
        // What a worker asked for before it ended may be read after its end.
        if (!seated.has(id)) return null;
        const full = seats.take(address);
        if (full === undefined) held.push(address);
        return full ?? null;
      },
      left(given) {
        const at = held.indexOf(given as string);
        if (at < 0 || !seated.has(id)) return;
        held.splice(at, 1);
        seats.leave(given as string);
      },
    };
  };

  const workers: Workers = startWorkers({
    count,
    env: NOT_DETACHED,
    answers,
    logger,
    signal: lifecycle.signal,
    onReady: () => startup.begin(),
    onEnd(id, ready) {
      for (const address of seated.get(id) ?? []) seats.leave(address);
      seated.delete(id);
      if (ready === 0) startup.set(STARTING);
    },
  });
  lifecycle.onClose('workers', () => workers.close());

  return {
    started: workers.started as ServingWorkers['started'],
    async collect() {
      const own = (await metrics.registry.getMetricsAsJSON()) as unknown as MetricObject[];
      const theirs = (await workers.ask('metrics')) as MetricObject[][];
      return AggregatorRegistry.aggregate([...theirs, own]).metrics();
    },
  };
}

/** The limits of clients as a worker sees them: counted by the process that started it. */
export const sharedRequests =
  (link: Link) =>
  (client: string): Promise<Taken> =>
    link.ask('request', client) as Promise<Taken>;

export const sharedSeats = (link: Link): Seats => ({
  take: async (address) => ((await link.ask('seat', address)) as FullSeats | null) ?? undefined,
  leave: (address) => void link.ask('left', address),
});
