import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Compilers } from '../compiler/versions.js';
import type { Address } from '../config/checks.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Pending } from '../observe/startup.js';
import type { Queryable } from '../store/connection/database.js';
import type { TakeRequest } from './middleware/request-buckets.js';
import type { Reads } from '../store/replicas/reads.js';
import type { Streams } from './streams.js';

/** The settings the HTTP server uses. */
export interface ApiConfig {
  readonly httpAddress: Address;
  readonly metricsAddress: Address;
  readonly nodeUrls: readonly string[];
  readonly nodeInternalUrl?: string | undefined;
  readonly nodeCaFile?: string | undefined;
  readonly compilerUrls?: readonly string[] | undefined;
  readonly compilerCaFile?: string | undefined;
  readonly forwardTimeoutMs: number;
  /** Time that open streams get to end when the server drains, ms. */
  readonly streamDrainMs: number;
  /** Connections to the database. */
  readonly databasePoolSize: number;
  /** With this many key blocks above it, a block is not expected to be removed by a reorg. */
  readonly cacheDepth: number;
  /** Max requests a second from one address; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  /** Max entries of one answer. */
  readonly limitCap: number;
  /** Longest pause of the populator between two looks at the node. */
  readonly pollIntervalMs: number;
  /** Seconds. */
  readonly statusMaxBlockAge: number;
  /** Heights. */
  readonly statusMaxQueueLength: number;
  /** Whether the page to look at the chain is served at `/`, and the guide at `/guide`. */
  readonly explorer: 'on' | 'off';
}

/** What every server needs, also the one of the metrics address. */
export interface BaseDeps {
  readonly db: Queryable;
  readonly config: ApiConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True while the server drains: connections are then closed after their answer. */
  readonly draining: () => boolean;
  /** Why the process has not begun its work; absent if it began before the server was made. */
  readonly pending?: (() => Pending | undefined) | undefined;
}

export interface ApiDeps extends BaseDeps {
  readonly reads: Reads;
  readonly descriptions: Descriptions;
  readonly compilers: Compilers;
  readonly streams: Streams;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly events?: PushedEvents | undefined;
  /** Counts requests against the rate limit where several processes share one; absent where this one counts alone. */
  readonly takeRequest?: TakeRequest | undefined;
}

/** The API as it describes itself, as JSON. */
export interface Descriptions {
  /** OpenAPI 3.1. */
  openApi(): Buffer;
  /** The same for requests with `int-as-string=true`. */
  openApiOfText(): Buffer;
  /** Swagger 2.0. */
  swagger(): Buffer;
}

/** The push of chain events, as far as it goes over the HTTP server. */
export interface PushedEvents {
  /** Calls back before events are pushed: a client may ask for the new data as soon as it has the event. */
  onNews(callback: () => void): void;
  /** Takes over a connection whose request asks for a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers with server-sent events, and goes on answering until the client leaves. */
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
