import { isObject, parseExact, stringifyExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import { serviceAddress } from '../node/address.js';
import { createConnections, exchange, ExchangeError } from '../node/exchange.js';
import type { Answer } from '../node/exchange.js';
import { MiddlewareError } from '../observe/errors.js';

type Backend = 'fate' | 'aevm';

/**
 * The compiler service: aesophia_http, or a proxy with the same interface in front of several versions. If no service gives a valid answer,
 * all methods throw `unavailable` faults (`compiler_unreachable`, `compiler_timeout`, `compiler_error`): the caller can retry later.
 */
export interface CompilerService {
  /** Versions of the compiler that `compile` accepts. */
  versions(): Promise<string[]>;
  /** Bytecode (`cb_…`) of a source, from the compiler of that version; null if the compiler refuses the source. */
  compile(source: string, version: string): Promise<string | null>;
  /** `{function, arguments}`; null if the service cannot decode it. */
  decodeCall(code: string, callData: string, backend: Backend): Promise<JsonObject | null>;
  /** `{function, result}` or, from older services, `{data}`; null if the service cannot decode it. */
  decodeResult(code: string, functionName: string, returnValue: string, backend: Backend): Promise<JsonObject | null>;
  close(): void;
}

interface CompilerServiceOptions {
  /** In order of preference; if one does not answer, the next one is asked. */
  urls: readonly string[];
  /** PEM file with the authorities that sign the services' certificates; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time for a whole request, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 8;
/** How long the versions are cached. Every verification of a source needs them, but another release may replace the service. */
const VERSIONS_CACHED_MS = 60_000;
/** Statuses with which services refuse input; the status depends on their release. */
const REFUSED = [400, 403, 413, 422];

type Service = ReturnType<typeof serviceAddress> & { connections: ReturnType<typeof createConnections> };

/** Makes the function that asks one service. */
function createAsk({ timeoutMs, signal }: CompilerServiceOptions) {
  return async (service: Service, path: string, body?: string, version?: string): Promise<Answer> => {
    const headers: Record<string, string> = {};
    if (service.authorization !== undefined) headers['authorization'] = service.authorization;
    if (version !== undefined) headers['sophia-compiler-version'] = version;
    try {
      return await exchange(service.connections, path, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        idleMs: timeoutMs,
        deadlineMs: timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const code = error.failure === 'timeout' ? 'compiler_timeout' : 'compiler_unreachable';
      throw new MiddlewareError(code, `compiler ${service.url}: ${error.message}`, { cause: error });
    }
  };
}

/** The first valid answer of a service; throws the fault of the last service if there is none. */
async function first<T>(services: readonly Service[], request: (service: Service) => Promise<T>): Promise<T> {
  let fault: unknown = new MiddlewareError('compiler_unreachable', 'no compiler is configured');
  for (const service of services) {
    try {
      return await request(service);
    } catch (error) {
      if (!(error instanceof MiddlewareError)) throw error;
      fault = error;
    }
  }
  throw fault;
}

export function createCompilerService(options: CompilerServiceOptions): CompilerService {
  const services = options.urls.map((url): Service => {
    const address = serviceAddress(url);
    return { ...address, connections: createConnections(address.url, CONNECTIONS, options.caFile) };
  });
  const ask = createAsk(options);
  let cached: { versions: string[]; until: number } | undefined;

  const post = (path: string, body: JsonObject, version?: string): Promise<JsonObject | null> =>
    first(services, async (service) => {
      const answer = await ask(service, path, stringifyExact(body), version);
      return REFUSED.includes(answer.status) ? null : objectOf(answer, service.url + path);
    });

  async function askVersions(service: Service): Promise<string[]> {
    const list = await ask(service, '/');
    if (list.status !== 404) {
      const versions = objectOf(list, service.url)['Compilers'];
      if (!Array.isArray(versions)) throw invalidAnswer(service.url, 'no list of compilers');
      return versions.map((entry) => versionOf(entry, service.url));
    }
    return [versionOf(objectOf(await ask(service, '/version'), service.url), service.url)];
  }

  return {
    async versions() {
      if (cached && cached.until > performance.now()) return cached.versions;
      const versions = await first(services, askVersions);
      cached = { versions, until: performance.now() + VERSIONS_CACHED_MS };
      return versions;
    },
    async compile(source, version) {
      const bytecode = (await post('/compile', { code: source, options: {} }, version))?.['bytecode'];
      return typeof bytecode === 'string' ? bytecode : null;
    },
    decodeCall: async (code, callData, backend) => {
      const call = await post('/decode-calldata/bytecode', { calldata: callData, bytecode: code, backend });
      return call && typeof call['function'] === 'string' && Array.isArray(call['arguments']) ? call : null;
    },
    decodeResult: (code, functionName, returnValue, backend) =>
      post('/decode-call-result/bytecode', {
        function: functionName,
        bytecode: code,
        'call-result': 'ok',
        'call-value': returnValue,
        backend,
      }),
    close() {
      for (const { connections } of services) connections.close();
    },
  };
}

const invalidAnswer = (url: string, fault: string, cause?: unknown) =>
  new MiddlewareError('compiler_error', `compiler ${url}: ${fault}`, { cause });

function objectOf({ status, text }: Answer, where: string): JsonObject {
  if (status !== 200) throw invalidAnswer(where, `answered ${status}`);
  try {
    const value = parseExact(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw invalidAnswer(where, error.message, error);
  }
  throw invalidAnswer(where, 'answered no object');
}

function versionOf(entry: Json, where: string): string {
  const version = isObject(entry) ? entry['version'] : undefined;
  if (typeof version === 'string') return version;
  throw invalidAnswer(where, 'a version is missing');
}
