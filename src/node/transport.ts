import { reasonOf } from '../observe/errors.js';
import { setMaxListeners } from 'node:events';
import { MalformedError } from '../chain/malformed.js';
import type { ServiceAddress } from './address.js';
import { createConnections, exchange, ExchangeError } from './exchange.js';
import type { Answer } from './exchange.js';
import { isNodeFault, nodeFault, retryAfterMs } from './faults.js';
import type { NodeFault, NodeFaultCode } from './faults.js';
import { createLimiter } from './limiter.js';
import { READ_RETRIES, withRetries } from './retry.js';

/** How a request ended. `refused` is an answer with a 4xx status, which is no fault. */
export type RequestOutcome = 'ok' | 'refused' | NodeFaultCode;

export interface TransportOptions {
  address: ServiceAddress;
  /** PEM file with the authorities that sign the node's certificate; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time without data from the node, milliseconds. */
  timeoutMs: number;
  /** Max time for a whole answer, milliseconds; default four times `timeoutMs`. */
  deadlineMs?: number;
  /** Max concurrent requests. */
  concurrency: number;
  /** Pauses between attempts, milliseconds. */
  retries?: readonly number[];
  maxBytes?: number;
  /** Max `retry-after` that is waited for, milliseconds; a node that asks for more fails at once. */
  patienceMs?: number;
  /** Aborts all requests. */
  signal?: AbortSignal;
  onRequest?: (outcome: RequestOutcome, seconds: number) => void;
}

export interface ReadOptions {
  retry?: boolean;
  /** JSON that is posted; without it the request is a GET. */
  body?: string;
  signal?: AbortSignal | undefined;
  /** The status 500 is an answer, too. */
  mayFail?: boolean;
}

interface Transport {
  /**
   * Requests `path` and returns the result of `interpret` for the answer (2xx or 4xx). A MalformedError of `interpret` becomes
   * `node_malformed`. Retries after faults that are not final. Throws a NodeFault. `signal` ends this request.
   */
  read<T>(path: string, interpret: (answer: Answer) => T, options?: ReadOptions): Promise<T>;
  readonly limit: number;
  close(): void;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_RETRY_AFTER_MS = 30_000;
const PATIENCE_MS = 30_000;
const FIRST_CONCURRENCY = 4;
/** Concurrency does not grow while the node needs longer than this to begin its answers. */
const SLOW_SECONDS = 1;

/** Sends requests to one node, with connections, concurrency, time limits and retries. */
export function createTransport(options: TransportOptions): Transport {
  const { address, timeoutMs, concurrency } = options;
  const connections = createConnections(address.url, concurrency, options.caFile);
  const limiter = createLimiter({ initial: FIRST_CONCURRENCY, max: concurrency });
  const closing = new AbortController();
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal;
  const headers: Record<string, string> = {};
  if (address.authorization !== undefined) headers['authorization'] = address.authorization;
  // Each running request adds a listener: there may be more than the default limit, which would log a warning.
  setMaxListeners(0, signal);
  const exchangeOptions = {
    headers,
    idleMs: timeoutMs,
    deadlineMs: options.deadlineMs ?? timeoutMs * 4,
    maxBytes: options.maxBytes ?? MAX_ANSWER_BYTES,
  };

  async function attempt<T>(
    path: string,
    interpret: (answer: Answer) => T,
    { body, until, mayFail }: { body: string | undefined; until: AbortSignal; mayFail: boolean },
  ): Promise<T> {
    const startedAt = performance.now();
    let outcome: RequestOutcome = 'ok';
    try {
      const answer = await exchange(connections, path, {
        ...exchangeOptions,
        ...(body !== undefined && {
          method: 'POST' as const,
          body,
          headers: { ...headers, 'content-type': 'application/json' },
        }),
        signal: until,
      });
      if (!mayFail || answer.status !== 500) checkStatus(answer);
      if (answer.status >= 400) outcome = 'refused';
      if (answer.headSeconds <= SLOW_SECONDS) limiter.succeeded(startedAt);
      return interpret(answer);
    } catch (error) {
      const fault = asNodeFault(error, `node ${address.url}, ${path}`);
      outcome = fault.code;
      if (outcome === 'node_busy' || outcome === 'node_timeout') limiter.overloaded(startedAt);
      throw fault;
    } finally {
      options.onRequest?.(outcome, (performance.now() - startedAt) / 1000);
    }
  }

  /** Min pause before a retry, milliseconds; undefined if there must be none. */
  function retryPauseMs(error: unknown): number | undefined {
    if (!isNodeFault(error) || error.row.final || error.details['final'] === true) return undefined;
    const ms = retryAfterMs(error) ?? 0;
    return ms <= (options.patienceMs ?? PATIENCE_MS) ? ms : undefined;
  }

  return {
    read(path, interpret, { retry = true, body, signal: only, mayFail = false } = {}) {
      const until = only === undefined ? signal : AbortSignal.any([signal, only]);
      return withRetries(() => limiter.run(() => attempt(path, interpret, { body, until, mayFail })), {
        schedule: retry ? (options.retries ?? READ_RETRIES) : [],
        signal: until,
        retryPauseMs,
      });
    },
    get limit() {
      return limiter.limit;
    },
    close() {
      closing.abort();
      connections.close();
    },
  };
}

function checkStatus({ status, headers }: Answer): void {
  if (status === 429 || status === 503) {
    throw nodeFault('node_busy', `answered ${status}`, {
      details: { status, retryAfterMs: retryAfter(headers['retry-after']) },
    });
  }
  if (status < 200 || (status >= 300 && status < 400) || status >= 500) {
    throw nodeFault('node_error', `answered ${status}`, { details: { status } });
  }
}

/** Milliseconds of a `retry-after` header (seconds or a date), limited to 0 to 30 s; undefined if absent or malformed. If there are several, the first. */
export function retryAfter(header: string | string[] | undefined): number | undefined {
  const [text] = [header].flat();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

const BY_FAILURE = {
  unreachable: 'node_unreachable',
  untrusted: 'node_untrusted',
  timeout: 'node_timeout',
  cut_off: 'node_malformed',
  too_big: 'node_malformed',
  aborted: 'node_closed',
} as const;

/** Returns the error as a NodeFault with `where` before its message. Throws errors that are not the node's fault. */
function asNodeFault(error: unknown, where: string): NodeFault {
  if (isNodeFault(error)) {
    return nodeFault(error.code, `${where}: ${error.message}`, { cause: error.cause, details: error.details });
  }
  const message = `${where}: ${reasonOf(error)}`;
  if (error instanceof ExchangeError) {
    const final = error.failure === 'too_big';
    return nodeFault(BY_FAILURE[error.failure], message, { cause: error.cause, details: { final } });
  }
  if (error instanceof MalformedError) return nodeFault('node_malformed', message, { cause: error });
  throw error;
}
