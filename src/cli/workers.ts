import { AggregatorRegistry } from 'prom-client';
import type { MetricObject } from 'prom-client';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.js';
import { createConnectionCounter } from '../events/connection-counter.js';
import type { ConnectionCounter, ExceededLimit } from '../events/connection-counter.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { STARTING } from '../observe/startup.js';
import type { Startup } from '../observe/startup.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Answers, Link } from '../runtime/link.js';
import { createRequestCounter } from '../runtime/request-counter.js';
import type { Quota, RequestCounter } from '../runtime/request-counter.js';
import { startWorkers } from '../runtime/workers.js';
import type { Workers } from '../runtime/workers.js';
import { NOT_DETACHED } from './daemon.js';

/** The addresses on which a worker listens. */
export interface Addresses {
  http: AddressInfo;
  websocket?: AddressInfo | undefined;
  /** Where the compatible API is at the root. */
  compat?: AddressInfo | undefined;
}

/** Types of metrics that only grow, as Prometheus names them. */
const COUNTING = ['counter', 'histogram'];

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
  /** The sums of the metrics of all processes, in the format of Prometheus. */
  collect(): Promise<string>;
}

/** Starts processes that serve clients on the same addresses. The limits for clients are counted here for all of them. */
export function serveByWorkers(options: ServingOptions): ServingWorkers {
  const { count, config, logger, metrics, startup, lifecycle } = options;
  const requests = createRequestCounter(config.rateLimitPerSecond, () => performance.now());
  const connections = createConnectionCounter(config);
  /** For each worker, the address of each open connection. They are removed from the counter when the worker ends. */
  const addressesOf = new Map<number, string[]>();
  /** The metrics that each worker sent last. They are used while it does not answer: without them, counters would go back. */
  const sent = new Map<number, MetricObject[]>();
  /** What the workers that have ended had counted, summed up. */
  let ended: MetricObject[] = [];

  const answers = (id: number): Answers => {
    const addresses: string[] = [];
    addressesOf.set(id, addresses);
    return {
      request: (address) => requests.count(address as string),
      message: (address) => requests.delayOf(address as string),
      connect(argument) {
        const address = argument as string;
        // A message of a worker may be read after the worker has ended.
        if (!addressesOf.has(id)) return null;
        const exceeded = connections.add(address);
        if (exceeded === undefined) addresses.push(address);
        return exceeded ?? null;
      },
      disconnect(argument) {
        const address = argument as string;
        const at = addresses.indexOf(address);
        if (at < 0 || !addressesOf.has(id)) return;
        addresses.splice(at, 1);
        connections.remove(address);
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
      for (const address of addressesOf.get(id) ?? []) connections.remove(address);
      addressesOf.delete(id);
      const counted = (sent.get(id) ?? []).filter(({ type }) => COUNTING.includes(String(type)));
      sent.delete(id);
      ended = AggregatorRegistry.aggregate([ended, counted]).getMetricsAsArray();
      if (ready === 0) startup.set(STARTING);
    },
  });
  lifecycle.onClose('workers', () => workers.close());

  return {
    started: workers.started as ServingWorkers['started'],
    async collect() {
      const own = (await metrics.registry.getMetricsAsJSON()) as unknown as MetricObject[];
      for (const [id, answer] of (await workers.ask('metrics')) as [number, MetricObject[]][]) {
        // A worker may have ended since it answered.
        if (addressesOf.has(id)) sent.set(id, answer);
      }
      return AggregatorRegistry.aggregate([...sent.values(), ended, own]).metrics();
    },
  };
}

/** For a worker: counts requests in the process that started it. */
export const sharedRequestCounter = (link: Link, perSecond: number): RequestCounter => ({
  perSecond,
  count: (address) => link.ask('request', address) as Promise<Quota>,
  delayOf: (address) => link.ask('message', address) as Promise<number>,
});

/** For a worker: counts connections in the process that started it. */
export const sharedConnectionCounter = (link: Link): ConnectionCounter => ({
  add: async (address) => ((await link.ask('connect', address)) as ExceededLimit | null) ?? undefined,
  remove: (address) => void link.ask('disconnect', address),
});
