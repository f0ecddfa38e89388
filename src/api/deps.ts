import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Compilers } from '../compiler/versions.js';
import type { Address } from '../config/checks.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Pending } from '../observe/startup.js';
import type { Queryable } from '../store/database.js';
import type { Streams } from './streams.js';

/** The settings the HTTP server uses. */
export interface ApiConfig {
  readonly httpAddress: Address;
  readonly metricsAddress: Address;
  readonly nodeUrls: readonly string[];
  readonly nodeInternalUrl?: string | undefined;
  readonly compilerUrls?: readonly string[] | undefined;
  readonly forwardTimeoutMs: number;
  /** Time that streams under way have when the server ends, ms. */
  readonly streamDrainMs: number;
  /** Connections to the database. */
  readonly databasePoolSize: number;
  /** Key blocks above a block from which no fork is expected to reach it. */
  readonly cacheDepth: number;
  /** Requests of one address; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  /** Most entries of one answer. */
  readonly limitCap: number;
  /** Seconds. */
  readonly statusMaxBlockAge: number;
  /** Heights. */
  readonly statusMaxQueueLength: number;
}

/** What also a server without routes for clients needs. */
export interface BaseDeps {
  readonly db: Queryable;
  readonly config: ApiConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True once the server takes leave: connections are then closed after their answer. */
  readonly draining: () => boolean;
  /** Why the process has not begun its work; absent where it had before there was a server. */
  readonly pending?: (() => Pending | undefined) | undefined;
}

export interface ApiDeps extends BaseDeps {
  readonly descriptions: Descriptions;
  readonly compilers: Compilers;
  readonly streams: Streams;
  /** Milliseconds, by a clock that nobody sets. */
  readonly now: () => number;
  readonly events?: PushedEvents | undefined;
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
  /** Calls back before events are pushed: whoever is told one may ask for what it tells at once. */
  onNews(callback: () => void): void;
  /** Takes over a connection whose request asks for a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers with server-sent events, and goes on answering until the client leaves. */
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
