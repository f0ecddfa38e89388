import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { readAtMost } from '../../runtime/read-at-most.js';
import { KubeError } from './errors.js';
import type { Access } from './kubeconfig.js';

export interface KubeRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** Content type, for example of a patch; default JSON. */
  contentType?: string;
  /** Requested representation; default JSON. */
  accept?: string;
  /** Time for the whole answer, ms; default 15 s. */
  timeoutMs?: number;
  /** Max bytes of the answer; without a limit if absent. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

export interface KubeClient {
  /** Returns the parsed JSON answer. Throws a KubeError on any status but 2xx, and when there is no answer. */
  request<T = unknown>(path: string, request?: KubeRequest): Promise<T>;
  /** Yields the lines of a long answer as they arrive. Ends with the answer; throws when the connection breaks. */
  lines(path: string, request: Pick<KubeRequest, 'query' | 'accept' | 'signal'>): AsyncGenerator<string>;
  close(): Promise<void>;
}

export const PATCH = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** Called once for each request, for metrics; status 0 if there was no answer. */
type Observer = (verb: string, status: number) => void;

const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;

/** Requests to one API server, over connections that stay open. */
export function createKubeClient(access: Access, observe: Observer = () => undefined): KubeClient {
  let current: { agent: Agent; cert: string } | undefined;

  /** A new client certificate needs new connections. */
  const open = async (renew: boolean): Promise<{ agent: Agent; headers: Record<string, string> }> => {
    const { headers, tls } = await access.credentials(renew);
    const cert = String(tls.cert ?? '');
    if (current === undefined || current.cert !== cert) {
      const old = current?.agent;
      // No timeouts here, because of watches: their reader has its own deadline.
      current = {
        agent: new Agent({
          connect: { timeout: CONNECT_MS, ...(tls as TlsOptions) },
          bodyTimeout: 0,
          headersTimeout: 0,
        }),
        cert,
      };
      void old?.close();
    }
    return { agent: current.agent, headers };
  };

  const send = async (
    path: string,
    request: KubeRequest,
    signal: AbortSignal,
    renew = false,
  ): Promise<Dispatcher.ResponseData> => {
    const { method = 'GET', body, contentType = 'application/json', accept = 'application/json' } = request;
    const { agent, headers } = await open(renew);
    let answer: Dispatcher.ResponseData;
    try {
      answer = await agent.request({
        origin: access.server,
        path: `${path}${queryOf(request.query)}`,
        method,
        headers: {
          ...headers,
          accept,
          'user-agent': 'chain-middleware',
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      });
    } catch (error) {
      observe(method, 0);
      throw noAnswer(error);
    }
    if (answer.statusCode !== 401 || renew) return answer;
    // The token has expired; a new one may already exist.
    await answer.body.dump();
    return send(path, request, signal, true);
  };

  return {
    async request<T>(path: string, request: KubeRequest = {}) {
      const { method = 'GET', timeoutMs = ANSWER_MS, maxBytes = Infinity } = request;
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
      const { statusCode, body, headers } = await send(path, request, signal);
      let text: string;
      try {
        text = await readAtMost(body as AsyncIterable<Buffer>, maxBytes);
      } catch (error) {
        observe(method, 0);
        throw noAnswer(error);
      }
      observe(method, statusCode);
      if (statusCode >= 200 && statusCode < 300) return parse(text) as T;
      throw refusal(statusCode, text, headers['retry-after']);
    },

    async *lines(path, request) {
      const controller = new AbortController();
      const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
      const start = setTimeout(() => controller.abort(new Error('no answer in time')), ANSWER_MS);
      try {
        const { statusCode, body, headers } = await send(path, request, signal);
        clearTimeout(start);
        observe('WATCH', statusCode);
        if (statusCode !== 200) throw refusal(statusCode, await body.text(), headers['retry-after']);
        body.setEncoding('utf8');
        let rest = '';
        for await (const chunk of body as AsyncIterable<string>) {
          const parts = (rest + chunk).split('\n');
          rest = parts.pop() ?? '';
          yield* parts.filter((line) => line !== '');
        }
      } catch (error) {
        throw error instanceof KubeError ? error : noAnswer(error);
      } finally {
        clearTimeout(start);
        controller.abort();
      }
    },

    async close() {
      await current?.agent.destroy();
    },
  };
}

function queryOf(query: KubeRequest['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][]).toString()}`;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new KubeError(0, 'Malformed', 'the API server sent an answer that is not JSON', undefined, { cause });
  }
}

function refusal(status: number, text: string, retryAfter: string | string[] | undefined): KubeError {
  let body: { reason?: string; message?: string } = {};
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    // Proxies answer with HTML; the status says enough.
  }
  const seconds = Number(retryAfter);
  return new KubeError(
    status,
    body.reason ?? 'Unknown',
    body.message ?? `the API server answered with status ${status}`,
    Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    { body: text },
  );
}

function noAnswer(cause: unknown): KubeError {
  const { message = String(cause), code, name } = cause as NodeJS.ErrnoException;
  const why = name === 'TimeoutError' ? 'no answer in time' : message === '' ? (code ?? 'no answer') : message;
  return new KubeError(0, 'Unreachable', `Kubernetes API: ${why}`, undefined, { cause });
}
