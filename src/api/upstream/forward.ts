import type { Exchange, Layer } from '../exchange.js';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '../../observe/logger.js';
import {
  declaredLength,
  hasBody,
  isUnframed,
  MAX_BODY,
  readSmall,
  REPEATABLE_BODY,
  withinLimit,
} from './forward-body.js';
import { createNodes } from './nodes.js';
import { createProxy } from './proxy.js';
import type { Outcome, Proxy } from './proxy.js';
import { refuse } from '../reply.js';
import type { Streams } from '../streams.js';
import { decode } from '../middleware/request-target.js';

interface ForwardOptions {
  nodeUrls: readonly string[];
  /** Internal interface of the node; without it, its paths are forwarded like all others. */
  nodeInternalUrl?: string | undefined;
  /** Authorities that their certificates must be signed by; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time that the node may be silent, ms. */
  timeoutMs: number;
  logger: Logger;
  now: () => number;
  draining: () => boolean;
  streams: Streams;
}

interface Forward {
  middleware: Layer;
  /** Closes the idle connections to the nodes. */
  close(): void;
}

/** Max requests under way at a time: more would only wait for each other. */
const MAX_AT_ONCE = 128;
/** Max of them whose bodies are too large to be buffered: they wait for their clients, too. */
const MAX_LARGE = 16;
const INTERNAL = /^\/v[23]\/(debug|node\/operator)(\/|$)/;

/** Forwards requests to the node unchanged, and its answers back unchanged. */
export function createForward(options: ForwardOptions): Forward {
  const { logger, draining, streams, timeoutMs, caFile } = options;
  const proxy = createProxy({ timeoutMs, caFile, maxAtOnce: MAX_AT_ONCE, draining, streams });
  const external = createNodes(options.nodeUrls, options.now);
  const internal = createNodes(options.nodeInternalUrl === undefined ? [] : [options.nodeInternalUrl], options.now);
  const underWay = { all: 0, large: 0 };

  const middleware: Layer = async (ctx) => {
    ctx.state.route ??= 'forward';
    const length = declaredLength(ctx.req);
    if (length > MAX_BODY) return refuseBody(ctx);
    if (isUnframed(ctx.req)) {
      ctx.set('Connection', 'close');
      return refuse(ctx, 411, `A body of ${ctx.method} needs a content-length`);
    }
    // Before it counts as under way: a client that sends its body slowly must not take the place of others.
    const nextBody = await bodies(ctx.req);
    const large = length > REPEATABLE_BODY ? 1 : 0;
    if (underWay.all >= MAX_AT_ONCE || underWay.large + large > MAX_LARGE) {
      ctx.set('Retry-After', '1');
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      return refuse(ctx, 503, 'Too many requests wait for the node');
    }
    underWay.all += 1;
    underWay.large += large;
    try {
      const toInternal = options.nodeInternalUrl !== undefined && isInternal(ctx);
      const outcome = await forwardTo(toInternal ? internal : external, proxy, ctx, nextBody);
      if (outcome.kind === 'answered' || outcome.kind === 'left') return;
      if (outcome.kind === 'broken') {
        logger.warn({ path: ctx.path }, 'The node broke off its answer');
      } else if (outcome.kind === 'too_large') {
        refuseBody(ctx);
      } else {
        const { kind, error } = outcome;
        logger.warn({ err: error, path: ctx.path }, 'The node gave no answer');
        // What is left of a body stays unread: the connection cannot be used again.
        if (!ctx.req.complete) ctx.set('Connection', 'close');
        if (kind === 'silent') refuse(ctx, 504, 'The node did not answer in time');
        else refuse(ctx, 502, 'The node could not be reached');
      }
    } finally {
      underWay.all -= 1;
      underWay.large -= large;
    }
  };
  return { middleware, close: () => proxy.close() };
}

type Nodes = ReturnType<typeof createNodes>;

/**
 * Tries the nodes in turn. The next one is tried only if there was no connection to the first, so a node gets no request
 * twice; a body too large to be buffered is sent once.
 */
async function forwardTo(nodes: Nodes, proxy: Proxy, ctx: Exchange, nextBody: NextBody): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unreachable', error: undefined };
  for (const url of nodes.inOrder()) {
    const body = nextBody();
    if (body === 'spent') break;
    outcome = await proxy.send(ctx, url, body);
    if (outcome.kind === 'stale' && body === undefined && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      outcome = await proxy.send(ctx, url, undefined);
    }
    if (outcome.kind === 'answered') nodes.answered(url);
    if (outcome.kind === 'unreachable' || outcome.kind === 'silent') nodes.failed(url);
    if (outcome.kind !== 'unreachable') break;
  }
  return outcome;
}

/** The body for each attempt; undefined when there is none. */
type NextBody = () => Readable | 'spent' | undefined;

async function bodies(request: IncomingMessage): Promise<NextBody> {
  if (!hasBody(request)) return () => undefined;
  if (declaredLength(request) <= REPEATABLE_BODY) {
    const bytes = await readSmall(request);
    return () => Readable.from([bytes], { objectMode: false });
  }
  let sent = false;
  return () => {
    if (sent) return 'spent';
    sent = true;
    return withinLimit(request);
  };
}

function isInternal(ctx: Exchange): boolean {
  const path = ctx.path.split('/').map(decode).join('/');
  return INTERNAL.test(path) || (ctx.method === 'POST' && /^\/v[23]\/key-blocks$/.test(path));
}

function refuseBody(ctx: Exchange): void {
  ctx.set('Connection', 'close');
  refuse(ctx, 413, `The body is larger than ${MAX_BODY} bytes`);
}
