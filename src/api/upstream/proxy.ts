import proxies from 'koa-proxies';
import type { Exchange } from '../exchange.js';
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { BodyTooLarge } from './forward-body.js';
import { cleanRequest, cleanResponse } from './hop-by-hop.js';
import type { Streams } from '../streams.js';

/** How one request to one node ended; nothing has been sent to the client unless it says so. */
export type Outcome =
  /** The client has the whole answer. */
  | { kind: 'answered' }
  /** The client went away. */
  | { kind: 'left' }
  /** The node closed in the middle of its answer; the client's connection is closed too, so that it notices. */
  | { kind: 'broken' }
  | { kind: 'too_large' }
  /** There was no connection: the node has not seen the request. */
  | { kind: 'unreachable'; error: unknown }
  /** The node had just closed the idle connection that was reused. */
  | { kind: 'stale'; error: unknown }
  | { kind: 'silent'; error: unknown }
  | { kind: 'failed'; error: unknown };

export interface Proxy {
  send(ctx: Exchange, url: string, body: Readable | undefined): Promise<Outcome>;
  close(): void;
}

interface ProxyOptions {
  timeoutMs: number;
  caFile?: string | undefined;
  maxAtOnce: number;
  draining: () => boolean;
  streams: Streams;
}

/** What the event handlers, which koa-proxies shares between requests, must know of a request. */
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

const MAX_CONNECT_MS = 5_000;

const ATTEMPT = Symbol('attempt');

/** A weak map of requests would cost the garbage collector more than the rest of forwarding. */
type Proxied = IncomingMessage & { [ATTEMPT]?: Attempt };

/** The proxy within koa-proxies, as far as it is used. Its types do not name it. */
interface HttpProxy {
  on(event: 'proxyReq', listener: (out: ClientRequest, request: Proxied) => void): void;
  on(event: 'proxyRes', listener: (answer: IncomingMessage, request: Proxied, response: ServerResponse) => void): void;
  web(request: IncomingMessage, response: ServerResponse, options: object, failed: (error: unknown) => void): void;
}

/**
 * Used past the layer of Koa around it, which makes an error object and matches a path for each request: a tenth of what
 * forwarding costs.
 */
const { proxy } = proxies as unknown as { proxy: HttpProxy };

proxy.on('proxyReq', (out, request) => {
  const attempt = request[ATTEMPT];
  const { socket } = out;
  if (attempt === undefined || socket === null) return;
  attempt.sent = out;
  attempt.connected = !socket.connecting;
  if (socket.connecting) socket.once('connect', () => (attempt.connected = true));
  out.once('timeout', () => (attempt.silent = true));
});

proxy.on('proxyRes', (answer, request, response) => {
  const attempt = request[ATTEMPT];
  attempt?.streams.begin(response);
  // Otherwise the client would wait forever for the rest.
  answer.once('aborted', () => {
    if (attempt !== undefined) attempt.broken = !request.socket.destroyed;
    response.destroy();
  });
  const { vary } = answer.headers;
  cleanResponse(answer.headers);
  if (vary !== undefined) answer.headers.vary = `${vary}, Origin`;
  // Without it http-proxy would repeat what the client sent as `Connection`.
  answer.headers.connection = attempt?.keepAlive === true && !attempt.draining() ? 'keep-alive' : 'close';
});

/** koa-proxies with the settings that make it safe; each is explained where it stands. */
export function createProxy({ timeoutMs, caFile, maxAtOnce, draining, streams }: ProxyOptions): Proxy {
  // The agent's timeout is the one that also covers connecting.
  const settings = { keepAlive: true, maxSockets: maxAtOnce, timeout: Math.min(timeoutMs, MAX_CONNECT_MS) };
  const trusted = caFile === undefined ? {} : { ca: readFileSync(caFile) };
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent({ ...settings, ...trusted }) };
  const targets = new Map<string, Target>();
  const targetOf = (url: string): Target => {
    const known = targets.get(url) ?? readTarget(url);
    targets.set(url, known);
    return known;
  };

  return {
    send(ctx, url, body) {
      const { res } = ctx;
      const request: Proxied = ctx.req;
      const attempt: Attempt = {
        keepAlive: wantsKeepAlive(ctx),
        draining,
        streams,
        connected: false,
        silent: false,
        broken: false,
      };
      request[ATTEMPT] = attempt;
      cleanRequest(request.headers);
      body?.once('error', (error) => {
        attempt.error = error;
        attempt.sent?.destroy(error);
      });
      const settings = {
        target: targetOf(url),
        changeOrigin: true,
        agent: url.startsWith('https:') ? agents['https:'] : agents['http:'],
        // The target is sent as it is; http-proxy would rewrite it, query included.
        toProxy: true,
        proxyTimeout: timeoutMs,
        ...(body === undefined ? {} : { buffer: body }),
      };
      return new Promise((resolve) => {
        const settle = (outcome: Outcome): void => {
          res.off('finish', finished);
          res.off('close', closed);
          resolve(outcome);
        };
        const finished = (): void => settle({ kind: 'answered' });
        // http-proxy notices a disconnect only while the request is being read.
        const closed = (): void => {
          attempt.sent?.destroy();
          settle({ kind: attempt.broken ? 'broken' : 'left' });
        };
        const failed = (error: unknown): void => {
          attempt.error ??= error;
          settle(outcomeOf(attempt, ctx));
        };
        res.once('finish', finished);
        res.once('close', closed);
        try {
          proxy.web(request, res, settings, failed);
        } catch (error) {
          settle({ kind: 'failed', error });
        }
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The address of a node in the form in which http-proxy uses it; given as text, it would be read for each request. */
type Target = ReturnType<typeof readTarget>;

function readTarget(url: string) {
  const { protocol, host, hostname, port, pathname, search } = new URL(url);
  return { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}` };
}

/** Asked before the first attempt: the header does not go on to the node. */
function wantsKeepAlive(ctx: Exchange): boolean {
  ctx.state.keepAlive ??= !/\bclose\b/i.test(ctx.get('connection'));
  return ctx.state.keepAlive as boolean;
}

function outcomeOf(attempt: Attempt, ctx: Exchange): Outcome {
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
