import proxies from 'koa-proxies';
import { errorPageOf } from '../middleware/error-pages.js';
import type { Exchange } from '../exchange.js';
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { serviceAddress } from '../../node/address.js';
import { BodyTooLarge } from './forward-body.js';
import { cleanRequest, cleanResponse } from './hop-by-hop.js';
import { whenClosed } from '../../runtime/when-closed.js';
import type { Streams } from '../streams.js';

/** How one request to one node ended. From `too_large` on, nothing has been sent to the client. */
export type Outcome =
  /** The client has the whole answer. */
  | { kind: 'answered' }
  /** The client disconnected. */
  | { kind: 'disconnected' }
  /** The node closed the connection in the middle of its answer. That to the client was closed too, so that it notices. */
  | { kind: 'incomplete' }
  | { kind: 'too_large' }
  /** There was no connection: the node has not got the request. */
  | { kind: 'unreachable'; error: unknown }
  /** The node had just closed the idle connection that was reused. */
  | { kind: 'stale'; error: unknown }
  | { kind: 'timeout'; error: unknown }
  | { kind: 'failed'; error: unknown };

export interface Proxy {
  send(ctx: Exchange, url: string, body: Readable | undefined): Promise<Outcome>;
  close(): void;
}

interface ProxyOptions {
  timeoutMs: number;
  caFile?: string | undefined;
  maxConcurrent: number;
  draining: () => boolean;
  streams: Streams;
}

/** State of one request to one node, for the event handlers below, which all requests share. */
interface Attempt {
  readonly keepAlive: boolean;
  readonly draining: () => boolean;
  readonly streams: Streams;
  /** Answers an error of the node with a page; undefined for programs. */
  readonly errorPage: ReturnType<typeof errorPageOf>;
  /** The request to the node. */
  sent?: ClientRequest;
  /** The client disconnected. */
  isAbandoned: boolean;
  connected: boolean;
  timedOut: boolean;
  /** The node has sent the headers of its answer. */
  isAnswered: boolean;
  /** The node closed the connection in the middle of its answer. */
  incomplete: boolean;
  error?: unknown;
}

const MAX_CONNECT_MS = 5_000;

const ATTEMPT = Symbol('attempt');

/** The state is a property of the request: a weak map would cost the garbage collector more than the rest of forwarding. */
type Proxied = IncomingMessage & { [ATTEMPT]?: Attempt };

/** The part of http-proxy that is used here. The types of koa-proxies do not include it. */
interface HttpProxy {
  on(event: 'proxyReq', listener: (out: ClientRequest, request: Proxied) => void): void;
  on(event: 'proxyRes', listener: (answer: IncomingMessage, request: Proxied, response: ServerResponse) => void): void;
  web(request: IncomingMessage, response: ServerResponse, options: object, failed: (error: unknown) => void): void;
}

/**
 * The http-proxy inside koa-proxies. It is used without the Koa middleware around it, which makes an error object and matches
 * a path for each request: a tenth of the cost of forwarding.
 */
const { proxy } = proxies as unknown as { proxy: HttpProxy };

proxy.on('proxyReq', (out, request) => {
  const attempt = request[ATTEMPT];
  const { socket } = out;
  if (attempt === undefined || socket === null) return;
  // The client may have left while the request waited for a connection.
  if (attempt.isAbandoned) return void out.destroy();
  attempt.sent = out;
  attempt.connected = !socket.connecting;
  if (socket.connecting) socket.once('connect', () => (attempt.connected = true));
  out.once('timeout', () => (attempt.timedOut = true));
  // Without this, neither an answer nor an error would follow. No request asks for another protocol.
  out.once('upgrade', (_, upgraded: Socket) => {
    upgraded.destroy();
    out.emit('error', new Error('The node switched to another protocol'));
  });
});

proxy.on('proxyRes', (answer, request, response) => {
  const attempt = request[ATTEMPT];
  if (attempt?.errorPage !== undefined && answer.statusCode! >= 400) {
    attempt.isAnswered = true;
    // The rest is not read: it may never end.
    answer.destroy();
    return attempt.errorPage(response, answer.statusCode!);
  }
  // A reason phrase with a character that is not allowed could not be sent on: that would end the process.
  answer.statusMessage = '';
  // The same is true for a status that is no final one, such as 099. Its error is handled like one of the connection.
  if (answer.statusCode! < 200) {
    answer.headers = {};
    answer.destroy(new Error(`The node answered with the status ${answer.statusCode}`));
  } else {
    if (attempt !== undefined) attempt.isAnswered = true;
    attempt?.streams.add(response);
    // Without this, the client would wait forever for the rest of the answer.
    answer.once('aborted', () => {
      if (attempt !== undefined) attempt.incomplete = !request.socket.destroyed;
      response.destroy();
    });
  }
  cleanResponse(answer.headers, answer.statusCode!);
  const { vary } = answer.headers;
  if (vary !== undefined) answer.headers.vary = `${vary}, Origin`;
  // Without this header, http-proxy would send back the client's own `Connection`.
  answer.headers.connection = attempt?.keepAlive === true && !attempt.draining() ? 'keep-alive' : 'close';
});

/** Sends requests to nodes with http-proxy, with settings that make it safe. */
export function createProxy({ timeoutMs, caFile, maxConcurrent, draining, streams }: ProxyOptions): Proxy {
  // Of all timeouts, only that of the agent includes connecting.
  const settings = { keepAlive: true, maxSockets: maxConcurrent, timeout: Math.min(timeoutMs, MAX_CONNECT_MS) };
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
      // Nothing would be heard of an answer that is closed already.
      if (res.destroyed) return Promise.resolve({ kind: 'disconnected' });
      const request: Proxied = ctx.req;
      const attempt: Attempt = {
        keepAlive: wantsKeepAlive(ctx),
        draining,
        streams,
        errorPage: errorPageOf(ctx),
        isAbandoned: false,
        connected: false,
        timedOut: false,
        isAnswered: false,
        incomplete: false,
      };
      request[ATTEMPT] = attempt;
      cleanRequest(request.headers);
      body?.once('error', (error) => {
        attempt.error = error;
        attempt.sent?.destroy(error);
      });
      const { target, headers } = targetOf(url);
      const settings = {
        target,
        headers,
        changeOrigin: true,
        agent: target.protocol === 'https:' ? agents['https:'] : agents['http:'],
        // Sends the target unchanged. Otherwise http-proxy would rewrite it, including the query.
        toProxy: true,
        proxyTimeout: timeoutMs,
        ...(body === undefined ? {} : { buffer: body }),
      };
      return new Promise((resolve) => {
        const settle = (outcome: Outcome): void => {
          res.off('finish', finished);
          stopWaiting();
          resolve(outcome);
        };
        const finished = (): void => settle({ kind: 'answered' });
        // Needed because http-proxy notices that the client disconnects only while it reads the request.
        const closed = (): void => {
          attempt.isAbandoned = true;
          attempt.sent?.destroy();
          settle({ kind: attempt.incomplete ? 'incomplete' : 'disconnected' });
        };
        const failed = (error: unknown): void => {
          attempt.error ??= error;
          settle(outcomeOf(attempt, ctx));
        };
        res.once('finish', finished);
        const stopWaiting = whenClosed(res, closed);
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

/** The address of a node in the form that http-proxy uses. An address as text would be parsed for each request. */
type Target = ReturnType<typeof readTarget>;

function readTarget(text: string) {
  const { url, authorization } = serviceAddress(text);
  const { protocol, host, hostname, port, pathname } = new URL(url);
  const target = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname };
  // The login of the client, if it sends one, is not that of the node.
  return { target, headers: authorization === undefined ? {} : { authorization } };
}

/** Whether the client wants its connection to stay open. Read before the first attempt, which deletes the header. */
function wantsKeepAlive(ctx: Exchange): boolean {
  ctx.state.keepAlive ??= !/\bclose\b/i.test(ctx.get('connection'));
  return ctx.state.keepAlive as boolean;
}

function outcomeOf(attempt: Attempt, ctx: Exchange): Outcome {
  const { error } = attempt;
  if (error === undefined) return { kind: 'answered' };
  if (ctx.res.destroyed) return { kind: 'disconnected' };
  // The response has the headers of the node already, which do not belong to a refusal.
  if (ctx.headerSent || attempt.isAnswered) {
    ctx.res.destroy();
    return { kind: 'incomplete' };
  }
  if (error instanceof BodyTooLarge) return { kind: 'too_large' };
  if (!attempt.connected) return { kind: 'unreachable', error };
  if (attempt.timedOut) return { kind: 'timeout', error };
  return { kind: attempt.sent?.reusedSocket === true ? 'stale' : 'failed', error };
}
