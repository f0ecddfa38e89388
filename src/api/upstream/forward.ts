import { forwardedTarget } from '../exchange.js';
import type { Exchange, Layer } from '../exchange.js';
import type { Bodies } from '../bodies.js';
import { Readable } from 'node:stream';
import type { Logger } from '../../observe/logger.js';
import { declaredLength, hasBody, isUnframed, MAX_BODY, REPEATABLE_BODY, withinLimit } from './forward-body.js';
import { createNodes } from './nodes.js';
import { createProxy } from './proxy.js';
import type { Outcome, Proxy } from './proxy.js';
import { refuse } from '../reply.js';
import type { Streams } from '../streams.js';
import { decode } from '../middleware/request-target.js';

interface ForwardOptions {
  nodeUrls: readonly string[];
  /** Internal interface of the node. If absent, its paths are forwarded like all others. */
  nodeInternalUrl?: string | undefined;
  /** Certificate authorities for the nodes; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time without a byte from the node, ms. */
  timeoutMs: number;
  logger: Logger;
  now: () => number;
  draining: () => boolean;
  bodies: Bodies;
  streams: Streams;
}

interface Forward {
  middleware: Layer;
  /** Closes the idle connections to the nodes. */
  close(): void;
}

/** Max forwarded requests at a time: more would only wait for each other. */
const MAX_CONCURRENT = 128;
/** Max requests among them whose body is not buffered: these also wait for their clients. */
const MAX_LARGE = 16;
const INTERNAL = /^\/v[23]\/(debug|node\/operator)(\/|$)/;

/** Forwards requests to the node unchanged, and status and body of its answers back unchanged. */
export function createForward(options: ForwardOptions): Forward {
  const { logger, draining, streams, timeoutMs, caFile } = options;
  const proxy = createProxy({ timeoutMs, caFile, maxConcurrent: MAX_CONCURRENT, draining, streams });
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
    // Before the request is counted: a client that sends its body slowly must not block others.
    const nextBody = await bodyFor(ctx, options.bodies);
    const large = length > REPEATABLE_BODY ? 1 : 0;
    if (underWay.all >= MAX_CONCURRENT || underWay.large + large > MAX_LARGE) {
      ctx.set('Retry-After', '1');
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      return refuse(ctx, 503, 'Too many requests wait for the node');
    }
    underWay.all += 1;
    underWay.large += large;
    try {
      const toInternal = options.nodeInternalUrl !== undefined && isInternal(ctx);
      ctx.req.url = forwardedTarget(ctx);
      const outcome = await forwardTo(toInternal ? internal : external, proxy, ctx, nextBody);
      if (outcome.kind === 'answered' || outcome.kind === 'disconnected') return;
      if (outcome.kind === 'incomplete') {
        logger.warn({ path: ctx.path }, 'Node closed the connection in the middle of its answer');
      } else if (outcome.kind === 'too_large') {
        refuseBody(ctx);
      } else {
        const { kind, error } = outcome;
        logger.warn({ err: error, path: ctx.path }, 'Node did not answer');
        // The rest of the body is not read, so the connection cannot be reused.
        if (!ctx.req.complete) ctx.set('Connection', 'close');
        if (kind === 'timeout') refuse(ctx, 504, 'The node did not answer in time');
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
 * Sends the request to the first node that can be reached. After a connection was made, no other node is tried, so no
 * request is done twice. A body that is not buffered is sent once only. A GET or HEAD is repeated once if the node had just
 * closed the connection that was reused.
 */
async function forwardTo(nodes: Nodes, proxy: Proxy, ctx: Exchange, nextBody: NextBody): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unreachable', error: undefined };
  for (const url of nodes.inOrder()) {
    const body = nextBody();
    if (body === 'used') break;
    outcome = await proxy.send(ctx, url, body);
    if (outcome.kind === 'stale' && body === undefined && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      outcome = await proxy.send(ctx, url, undefined);
    }
    if (outcome.kind === 'answered') nodes.answered(url);
    if (outcome.kind === 'unreachable' || outcome.kind === 'timeout') nodes.failed(url);
    if (outcome.kind !== 'unreachable') break;
  }
  return outcome;
}

/** Returns the body for the next attempt: undefined without a body, `used` if it cannot be sent again. */
type NextBody = () => Readable | 'used' | undefined;

async function bodyFor(ctx: Exchange, bodies: Bodies): Promise<NextBody> {
  const { req: request } = ctx;
  if (!hasBody(request)) return () => undefined;
  if (declaredLength(request) <= REPEATABLE_BODY) {
    const bytes = (await bodies.read(ctx, REPEATABLE_BODY))!;
    return () => Readable.from([bytes], { objectMode: false });
  }
  let sent = false;
  return () => {
    if (sent) return 'used';
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
