import proxies from 'koa-proxies';
import type { Context } from 'koa';
import { Agent as HttpAgent } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { BodyTooLarge } from './forward-body.js';
import { cleanRequest, cleanResponse } from './hop-by-hop.js';
import type { Streams } from './streams.js';

/** How one request to one node ended; nothing has been sent to the client unless it says so. */
export type Outcome =
  /** The client has the whole answer. */
  | { kind: 'answered' }
  /** The client went away. */
  | { kind: 'left' }
  /** The node went away in the middle of its answer; the client's connection is closed, so that it can tell. */
  | { kind: 'broken' }
  | { kind: 'too_large' }
  /** There was no connection: the node has not seen the request. */
  | { kind: 'unreachable'; error: unknown }
  /** A connection kept open had been closed by the node just then. */
  | { kind: 'stale'; error: unknown }
  | { kind: 'silent'; error: unknown }
  | { kind: 'failed'; error: unknown };

export interface Proxy {
  send(ctx: Context, url: string, body: Readable | undefined): Promise<Outcome>;
  close(): void;
}

export interface ProxyOptions {
  timeoutMs: number;
  mostAtOnce: number;
  draining: () => boolean;
  streams: Streams;
}

/** What the event handlers, which koa-proxies shares between requests, learn of a request. */
interface Attempt {
  readonly keepAlive: boolean;
  readonly draining: () => boolean;
  readonly streams: Streams;
  sent?: ClientRequest;
  connected: boolean;
  silent: boolean;
  broken: boolean;
  error?: unknown;
}

const MOST_CONNECT_MS = 5_000;

const attempts = new WeakMap<IncomingMessage, Attempt>();

const events = {
  proxyReq(out: ClientRequest, request: IncomingMessage): void {
    const attempt = attempts.get(request);
    const { socket } = out;
    if (attempt === undefined || socket === null) return;
    attempt.sent = out;
    attempt.connected = !socket.connecting;
    if (socket.connecting) socket.once('connect', () => (attempt.connected = true));
    out.once('timeout', () => (attempt.silent = true));
  },
  proxyRes(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
    const attempt = attempts.get(request);
    attempt?.streams.begin(response);
    // Else the client would wait for the rest for ever.
    answer.once('aborted', () => {
      if (attempt !== undefined) attempt.broken = !request.socket.destroyed;
      response.destroy();
    });
    const { vary } = answer.headers;
    cleanResponse(answer.headers);
    if (vary !== undefined) answer.headers.vary = `${vary}, Origin`;
    // Without it http-proxy would repeat whatever the client sent as `Connection`.
    answer.headers.connection = attempt?.keepAlive === true && !attempt.draining() ? 'keep-alive' : 'close';
  },
  error(error: unknown, request: IncomingMessage): void {
    const attempt = attempts.get(request);
    if (attempt !== undefined) attempt.error = error;
  },
};

/** koa-proxies with the settings that make it safe; what they are for is told where they are. */
export function createProxy({ timeoutMs, mostAtOnce, draining, streams }: ProxyOptions): Proxy {
  // The agent's timeout is the one that also covers connecting.
  const settings = { keepAlive: true, maxSockets: mostAtOnce, timeout: Math.min(timeoutMs, MOST_CONNECT_MS) };
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) };
  const forward = proxies('/', (_params, ctx) => ctx.state.proxy as proxies.IBaseKoaProxiesOptions);

  return {
    async send(ctx, url, body) {
      const { req: request } = ctx;
      const attempt: Attempt = {
        keepAlive: wantsKeepAlive(ctx),
        draining,
        streams,
        connected: false,
        silent: false,
        broken: false,
      };
      attempts.set(request, attempt);
      cleanRequest(request.headers);
      body?.once('error', (error) => {
        attempt.error = error;
        attempt.sent?.destroy(error);
      });
      ctx.state.proxy = {
        target: url,
        changeOrigin: true,
        agent: url.startsWith('https:') ? agents['https:'] : agents['http:'],
        // The target goes out as it stands; http-proxy would write it anew, query included.
        toProxy: true,
        proxyTimeout: timeoutMs,
        events,
        ...(body === undefined ? {} : { buffer: body }),
      };
      // http-proxy notices clients that leave only while their request is being read.
      const leave = (): void => void attempt.sent?.destroy();
      ctx.res.once('close', leave);
      try {
        await forward(ctx, () => Promise.resolve());
      } catch (error) {
        if (!ctx.res.destroyed) return { kind: 'failed', error };
        return attempt.broken ? { kind: 'broken' } : { kind: 'left' };
      } finally {
        ctx.res.off('close', leave);
      }
      return outcomeOf(attempt, ctx);
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Asked before the first attempt: the header does not go on to the node. */
function wantsKeepAlive(ctx: Context): boolean {
  ctx.state.keepAlive ??= !/\bclose\b/i.test(ctx.get('connection'));
  return ctx.state.keepAlive as boolean;
}

function outcomeOf(attempt: Attempt, ctx: Context): Outcome {
  const { error } = attempt;
  if (error === undefined) return { kind: 'answered' };
  if (ctx.res.destroyed) return { kind: 'left' };
  if (ctx.headerSent) {
    ctx.res.destroy();
    return { kind: 'broken' };
  }
  if (error instanceof BodyTooLarge) return { kind: 'too_large' };
  if (!attempt.connected) return { kind: 'unreachable', error };
  if (attempt.silent) return { kind: 'silent', error };
  return { kind: attempt.sent?.reusedSocket === true ? 'stale' : 'failed', error };
}
