import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { reasonOf } from '../observe/errors.js';
import { isUntrusted } from '../runtime/untrusted.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';

// The whole of undici, with what a browser has for requests, websockets and a cache, takes a tenth of the start of a server.
const KeptPool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof Pool;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Seconds until the headers of the answer were here: what the other side needed, regardless of the size of the body. */
  headSeconds: number;
}

interface ExchangeOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Max silence, from the request on, in milliseconds. */
  idleMs: number;
  /** Max time for all of it, in milliseconds: a body that comes in small pieces never falls silent. */
  deadlineMs: number;
  maxBytes: number;
  signal?: AbortSignal;
}

type ExchangeFailure = 'unreachable' | 'untrusted' | 'timeout' | 'cut_off' | 'too_big' | 'aborted';

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

/** Connections to one service, kept open between requests. */
interface Connections {
  pool: Pool;
  /** Of every path: what the service's URL has after the host. */
  prefix: string;
  close(): void;
}

/** Up to `max` connections to the service at `url`, whose certificate must be signed by what `caFile` holds, if it is given. */
export function createConnections(url: string, max: number, caFile?: string): Connections {
  const { origin, pathname } = new URL(url);
  // The time limits are those of the exchange, which also counts the wait for a connection.
  const pool = new KeptPool(origin, {
    connections: max,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(caFile !== undefined && { connect: { ca: readFileSync(caFile) } }),
  });
  return {
    pool,
    prefix: pathname.replace(/\/+$/, ''),
    // A second destruction is refused, with nothing left to do.
    close: () => void pool.destroy().catch(() => undefined),
  };
}

/** One request for a path (with query) and its whole answer as UTF-8 text, with any status. Throws ExchangeError only. */
export function exchange({ pool, prefix }: Connections, path: string, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const { signal, maxBytes, idleMs, deadlineMs, body } = options;
    if (signal?.aborted) return reject(new ExchangeError('aborted', 'given up'));
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const finish = () => {
      ended = true;
      clearTimeout(idle);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (failure: ExchangeFailure, message: string, cause?: unknown) => {
      if (ended) return;
      finish();
      const error = new ExchangeError(failure, message, { cause });
      controller?.abort(error);
      reject(error);
    };
    const abort = () => fail('aborted', 'given up');
    const idle = setTimeout(() => fail('timeout', `silent for ${idleMs} ms`), idleMs);
    const deadline = setTimeout(() => fail('timeout', `not complete after ${deadlineMs} ms`), deadlineMs);
    signal?.addEventListener('abort', abort, { once: true });

    let answer: Omit<Answer, 'text'> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // Given up while it waited for a connection.
        if (ended) started.abort(new ExchangeError('aborted', 'given up'));
      },
      onResponseStart(_, status, headers) {
        if (status < 200) return;
        answer = { status, headers, headSeconds: (performance.now() - started) / 1000 };
        idle.refresh();
      },
      onResponseData(_, chunk) {
        idle.refresh();
        bytes += chunk.length;
        if (bytes > maxBytes) return fail('too_big', `answer of more than ${maxBytes} bytes`);
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (ended) return;
        finish();
        const text = chunks.length === 1 ? chunks[0]!.toString('utf8') : Buffer.concat(chunks).toString('utf8');
        resolve({ ...answer!, text });
      },
      onResponseError(_, error) {
        if (answer) fail('cut_off', `answer cut off: ${error.message}`, error);
        else fail(isUntrusted(error) ? 'untrusted' : 'unreachable', error.message, error);
      },
    };
    try {
      pool.dispatch(
        {
          path: prefix + path,
          method: options.method ?? 'GET',
          headers: {
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...options.headers,
          },
          ...(body !== undefined && { body }),
        },
        handler,
      );
    } catch (error) {
      // A path that cannot be sent.
      fail('unreachable', reasonOf(error), error);
    }
  });
}
