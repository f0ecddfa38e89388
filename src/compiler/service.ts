import { isObject, parseExact, stringifyExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import { serviceAddress } from '../node/address.js';
import { createConnections, exchange, ExchangeError } from '../node/exchange.js';
import type { Answer } from '../node/exchange.js';
import { MiddlewareError } from '../observe/errors.js';

type Backend = 'fate' | 'aevm';

/**
 * The compiler service (aesophia_http, or a proxy of the same interface in front of several versions). All methods throw
 * `unavailable` faults (`compiler_unreachable`, `compiler_timeout`, `compiler_error`) if none of the services answers as
 * it should: nothing is known then and asking again later makes sense.
 */
export interface CompilerService {
  /** Versions of the compiler that can be chosen. */
  versions(): Promise<string[]>;
  /** Bytecode (`cb_…`) of a source, by the compiler of that version; null if the source is not accepted. */
  compile(source: string, version: string): Promise<string | null>;
  /** `{function, arguments}`; null if the service says that it cannot be decoded. */
  decodeCall(code: string, callData: string, backend: Backend): Promise<JsonObject | null>;
  /** `{function, result}` or, by older services, `{data}`; null if the service says that it cannot be decoded. */
  decodeResult(code: string, functionName: string, returnValue: string, backend: Backend): Promise<JsonObject | null>;
  close(): void;
}

interface CompilerServiceOptions {
  /** In order of preference; the next one is asked when one does not answer. */
  urls: readonly string[];
  /** Authorities that their certificates must be signed by; the public ones if absent. */
  caFile?: string | undefined;
  /** For a whole request, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 8;
/** The service at hand may be exchanged, yet every verification asks for its versions. */
const VERSIONS_KEPT_MS = 60_000;
/** What services answer if input is refused; which of them depends on the release. */
const REFUSED = [400, 403, 413, 422];

export function createCompilerService(options: CompilerServiceOptions): CompilerService {
  const services = options.urls.map((url) => {
    const address = serviceAddress(url);
    return { ...address, connections: createConnections(address.url, CONNECTIONS, options.caFile) };
  });
  let kept: { versions: string[]; until: number } | undefined;

  async function ask(
    service: (typeof services)[number],
    path: string,
    body?: string,
    version?: string,
  ): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (service.authorization !== undefined) headers['authorization'] = service.authorization;
    if (version !== undefined) headers['sophia-compiler-version'] = version;
    try {
      return await exchange(service.connections, path, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body !== undefined && { body }),
        ...(options.signal && { signal: options.signal }),
        idleMs: options.timeoutMs,
        deadlineMs: options.timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const code = error.failure === 'timeout' ? 'compiler_timeout' : 'compiler_unreachable';
      throw new MiddlewareError(code, `compiler ${service.url}: ${error.message}`, { cause: error });
    }
  }

  /** The first good word of a service; the fault of the last one if none has any. */
  async function first<T>(question: (service: (typeof services)[number]) => Promise<T>): Promise<T> {
    let fault: unknown = new MiddlewareError('compiler_unreachable', 'no compiler is configured');
    for (const service of services) {
      try {
        return await question(service);
      } catch (error) {
        if (!(error instanceof MiddlewareError)) throw error;
        fault = error;
      }
    }
    throw fault;
  }

  const post = (path: string, body: JsonObject, version?: string): Promise<JsonObject | null> =>
    first(async (service) => {
      const answer = await ask(service, path, stringifyExact(body), version);
      return REFUSED.includes(answer.status) ? null : objectOf(answer, service.url + path);
    });

  async function askVersions(service: (typeof services)[number]): Promise<string[]> {
    const list = await ask(service, '/');
    if (list.status !== 404) {
      const versions = objectOf(list, service.url)['Compilers'];
      if (!Array.isArray(versions)) throw unusable(service.url, 'no list of compilers');
      return versions.map((entry) => versionOf(entry, service.url));
    }
    return [versionOf(objectOf(await ask(service, '/version'), service.url), service.url)];
  }

  return {
    async versions() {
      if (kept && kept.until > performance.now()) return kept.versions;
      const versions = await first(askVersions);
      kept = { versions, until: performance.now() + VERSIONS_KEPT_MS };
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

const unusable = (where: string, what: string, cause?: unknown) =>
  new MiddlewareError('compiler_error', `compiler ${where}: ${what}`, { cause });

function objectOf({ status, text }: Answer, where: string): JsonObject {
  if (status !== 200) throw unusable(where, `answered ${status}`);
  try {
    const value = parseExact(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw unusable(where, error.message, error);
  }
  throw unusable(where, 'answered no object');
}

function versionOf(entry: Json, where: string): string {
  const version = isObject(entry) ? entry['version'] : undefined;
  if (typeof version === 'string') return version;
  throw unusable(where, 'a version is missing');
}
