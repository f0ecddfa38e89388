import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Compilers } from '../compiler/versions.js';
import type { Address, Depth } from '../config/checks.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Pending } from '../observe/startup.js';
import type { RequestCounter } from '../runtime/request-counter.js';
import type { Queryable } from '../store/connection/database.js';
import type { FinalHeight } from './final-height.js';
import type { NodeReader } from './node-reader.js';
import type { Exchange } from './exchange.js';
import type { Bodies } from './bodies.js';
import type { Reads } from '../store/replicas/reads.js';
import type { LastRead } from './last-read.js';
import type { Streams } from './streams.js';

/** The settings that the HTTP server uses. */
export interface ApiConfig {
  readonly httpAddress: Address;
  /** Where the compatible API is at the root, besides its place on the main address. */
  readonly compatAddress?: Address | undefined;
  readonly metricsAddress: Address;
  readonly nodeUrls: readonly string[];
  readonly nodeInternalUrl?: string | undefined;
  readonly nodeCaFile?: string | undefined;
  readonly compilerUrls?: readonly string[] | undefined;
  readonly compilerCaFile?: string | undefined;
  readonly forwardTimeoutMs: number;
  /** Time after which an idle connection of a client is closed, ms. */
  readonly keepAliveTimeoutMs: number;
  /** Max time for open streams to end while the server drains, ms. */
  readonly streamDrainMs: number;
  /** Connections to the database. */
  readonly databasePoolSize: number;
  /** Key blocks above a block from which no reorg is expected to remove it, or the time in which they were made. */
  readonly cacheDepth: Depth;
  /** Max requests a second from one address; 0: no limit. */
  readonly rateLimitPerSecond: number;
  /** Max entries of one answer. */
  readonly limitCap: number;
  /** Max time between two requests of the populator to the node. */
  readonly pollIntervalMs: number;
  /** Max age of the head for a good status, seconds. */
  readonly statusMaxBlockAge: number;
  /** Max number of missing heights for a good status. */
  readonly statusMaxQueueLength: number;
  /** Whether the explorer is served at `/`, and the guide at `/guide`. */
  readonly explorer: 'on' | 'off';
  /** Whether query parameters that have no effect are refused. */
  readonly strictParameters: 'on' | 'off';
}

/** What both servers need: that of the API and that of the metrics address. */
export interface BaseDeps {
  readonly db: Queryable;
  readonly config: ApiConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the server drains: each connection is then closed after its answer. */
  readonly draining: () => boolean;
  /** Why the process has not begun its work; absent if it had begun before the server was made. */
  readonly pending?: (() => Pending | undefined) | undefined;
  /** Asks the node for its height; undefined if it does not answer. Absent if the process has no node. */
  readonly nodeHeight?: (() => Promise<number | undefined>) | undefined;
  /** Absent if the process serves no clients: without its database there is nothing that it can do. */
  readonly lastRead?: LastRead | undefined;
}

export interface ApiDeps extends BaseDeps {
  readonly reads: Reads;
  readonly descriptions: Descriptions;
  readonly bodies: Bodies;
  readonly compilers: Compilers;
  readonly streams: Streams;
  /** See `CACHE_DEPTH`. */
  readonly finalHeight: FinalHeight;
  readonly nodeReader: NodeReader;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly events?: PushedEvents | undefined;
  /** Counts for the rate limit, which websockets and other processes share; absent if only this server counts. */
  readonly requests?: RequestCounter | undefined;
}

/** Answer with the descriptions of the API, as JSON. */
export interface Descriptions {
  /** OpenAPI 3.1. */
  openApi(ctx: Exchange): Promise<void>;
  /** The same for requests with `int-as-string=true`. */
  openApiOfText(ctx: Exchange): Promise<void>;
  /** Swagger 2.0. */
  swagger(ctx: Exchange): Promise<void>;
}

/** The part of the chain events that the HTTP server uses. */
export interface PushedEvents {
  /** Calls back before events are sent: a client may request the new data as soon as it has the event. */
  beforeEvents(callback: () => void): void;
  /**
   * Takes over a connection whose request asks for a websocket. `compat`: the version of the compatible protocol; absent for the service's
   * own one.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, compat?: 'v1' | 'v2' | 'v3'): void;
  /** Answers with server-sent events until the client disconnects. */
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
