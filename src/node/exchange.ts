import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { reasonOf } from '../observe/errors.js';
import { isUntrusted } from '../runtime/untrusted.js';
import type { Dispatcher, Pool } from 'undici';

// Only this file of undici is loaded. All of undici, with fetch, websockets and a cache, takes a tenth of the start of a server.
const UndiciPool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof Pool;

export interface Answer {
  status: number;
  /** A header that was sent several times is a list. */
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Seconds from the request until the headers of the answer arrived: the time that the service needed, whatever the size of the body. */
  headSeconds: number;
}

interface ExchangeOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Max time without data, from the request on, in milliseconds. */
  idleMs: number;
  /** Max time for the whole answer, in milliseconds: a body that comes in small pieces never exceeds `idleMs`. */
  deadlineMs: number;
  maxBytes: number;
  signal?: AbortSignal;
}

type ExchangeFailure = 'unreachable' | 'untrusted' | 'timeout' | 'cut_off' | 'too_big' | 'aborted';

/** Thrown if no complete answer arrived. */
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
  /** Prefix of every path: the path of the service's URL. */
  prefix: string;
  close(): void;
}

/** Opens up to `max` connections to the service at `url`. With `caFile`, its certificate must be signed by an authority in that file. */
export function createConnections(url: string, max: number, caFile?: string): Connections {
  const { origin, pathname } = new URL(url);
  // `exchange` has its own time limits, which include the wait for a connection.
  const pool = new UndiciPool(origin, {
    connections: max,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(caFile !== undefined && { connect: { ca: readFileSync(caFile) } }),
  });
  return {
    pool,
    prefix: pathname.replace(/\/+$/, ''),
    // A second call rejects, because the pool is destroyed already.
    close: () => void pool.destroy().catch(() => undefined),
  };
}

/** Sends one request for a path (with query) and returns the whole answer as UTF-8 text, with any status. Throws only ExchangeError. */
export function exchange({ pool, prefix }: Connections, path: string, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const { signal, maxBytes, idleMs, deadlineMs, body } = options;
    if (signal?.aborted) return reject(new ExchangeError('aborted', 'aborted'));
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const cleanUp = () => {
      ended = true;
      clearTimeout(idle);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (failure: ExchangeFailure, message: string, cause?: unknown) => {
      if (ended) return;
      cleanUp();
      const error = new ExchangeError(failure, message, { cause });
      controller?.abort(error);
      reject(error);
    };
    const abort = () => fail('aborted', 'aborted');
    const idle = setTimeout(() => fail('timeout', `no data for ${idleMs} ms`), idleMs);
    const deadline = setTimeout(() => fail('timeout', `not complete after ${deadlineMs} ms`), deadlineMs);
    signal?.addEventListener('abort', abort, { once: true });

    let answer: Omit<Answer, 'text'> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // It failed while it waited for a connection.
        if (ended) started.abort(new ExchangeError('aborted', 'aborted'));
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
        cleanUp();
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
      // The path contains characters that cannot be sent.
      fail('unreachable', reasonOf(error), error);
    }
  });
}
