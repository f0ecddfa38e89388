import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Seconds until the head of the answer was here: what the other side needed, whatever the size of the body. */
  headSeconds: number;
}

export interface ExchangeOptions {
  agent: HttpAgent;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Longest silence, from the request on, in milliseconds. */
  idleMs: number;
  /** Longest time for all of it, in milliseconds: a body that drips in never falls silent. */
  deadlineMs: number;
  maxBytes: number;
  signal?: AbortSignal;
}

export type ExchangeFailure = 'unreachable' | 'timeout' | 'cut_off' | 'too_big' | 'aborted';

/** No whole answer came. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';

  constructor(
    readonly failure: ExchangeFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Keeps connections open between requests; destroy it when done. `maxSockets` bounds those to one host. */
export function keepAliveAgent(url: string, maxSockets: number): HttpAgent {
  const options = { keepAlive: true, maxSockets, scheduling: 'lifo' } as const;
  return url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
}

/** One request and its whole answer as UTF-8 text, whatever the status. Throws ExchangeError only. */
export function exchange(url: string, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const { signal, maxBytes, idleMs, deadlineMs } = options;
    if (signal?.aborted) return reject(new ExchangeError('aborted', 'given up'));
    const body = options.body === undefined ? undefined : Buffer.from(options.body);
    const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
      agent: options.agent,
      method: options.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        ...options.headers,
      },
    });

    const finish = () => {
      clearTimeout(idle);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (failure: ExchangeFailure, message: string, cause?: unknown) => {
      finish();
      request.destroy();
      reject(new ExchangeError(failure, message, { cause }));
    };
    const abort = () => fail('aborted', 'given up');
    const idle = setTimeout(() => fail('timeout', `silent for ${idleMs} ms`), idleMs);
    const deadline = setTimeout(() => fail('timeout', `not complete after ${deadlineMs} ms`), deadlineMs);
    signal?.addEventListener('abort', abort, { once: true });

    request.on('error', (error) => fail('unreachable', error.message, error));
    request.on('response', (response) => {
      const headSeconds = (performance.now() - started) / 1000;
      const chunks: Buffer[] = [];
      let bytes = 0;
      idle.refresh();
      response.on('data', (chunk: Buffer) => {
        idle.refresh();
        bytes += chunk.length;
        if (bytes > maxBytes) return fail('too_big', `answer of more than ${maxBytes} bytes`);
        chunks.push(chunk);
      });
      response.on('error', (error) => fail('cut_off', `answer cut off: ${error.message}`, error));
      response.on('end', () => {
        finish();
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, headSeconds });
      });
    });
    request.end(body);
  });
}
