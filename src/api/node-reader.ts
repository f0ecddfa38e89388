/** What the compatible API asks the node itself: its version, and the transactions that wait in its pool. */
import { isObject, parseExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { serviceAddress } from '../node/address.js';
import { createConnections, exchange } from '../node/exchange.js';
import { MiddlewareError } from '../observe/errors.js';
import { sharedByKey } from '../runtime/shared-by-key.js';
import { withTimeout } from '../runtime/with-timeout.js';

interface NodeFacts {
  version: string;
  revision: string;
  height: number | null;
  syncing: boolean;
  /** Percent. */
  progress: number;
}

export interface NodeReader {
  /** What the node said within the last seconds; undefined if it did not answer in time. */
  facts(): Promise<NodeFacts | undefined>;
  /** The transactions in the pool, as the node prints them. Throws if no node answers. */
  pending(): Promise<readonly JsonObject[]>;
  close(): void;
}

interface NodeReaderOptions {
  urls: readonly string[];
  internalUrl?: string | undefined;
  caFile?: string | undefined;
  now: () => number;
}

/** The node is asked again after this time, ms. */
const FRESH_MS = 10_000;
/** Max time that the first status waits for the node, ms. */
const FIRST_MS = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CONNECTIONS = 4;

export function createNodeReader({ urls, internalUrl, caFile, now }: NodeReaderOptions): NodeReader {
  const external = urls.map((url) => client(url, caFile));
  const internal = internalUrl === undefined ? external : [client(internalUrl, caFile)];
  let known: NodeFacts | undefined;
  let asked: { at: number; done: Promise<void> } | undefined;
  const ask = (): Promise<void> => {
    const done = firstAnswer(external, ['/v3/status', '/v2/status'])
      .then((status) => void (known = isObject(status) ? factsOf(status) : known))
      .catch(() => undefined);
    asked = { at: now(), done };
    return done;
  };
  /** The pool may be large, and no cache has it: requests that come together share one answer. */
  const pending = sharedByKey<'pool', readonly JsonObject[]>(async () => {
    const pool = await firstAnswer(internal, ['/v3/debug/transactions/pending', '/v2/debug/transactions/pending']);
    const transactions = isObject(pool) ? pool['transactions'] : undefined;
    return Array.isArray(transactions) ? transactions.filter(isObject) : [];
  });
  return {
    async facts() {
      const done = asked === undefined || now() - asked.at > FRESH_MS ? ask() : asked.done;
      // Later requests do not wait for the node.
      if (known === undefined) await withTimeout(FIRST_MS, done);
      return known;
    },
    pending: () => pending('pool'),
    close: () => [...external, ...internal].forEach(({ close }) => close()),
  };
}

interface Client {
  /** The answer of status 200; undefined for another status. */
  get(path: string): Promise<Json | undefined>;
  close(): void;
}

function client(url: string, caFile: string | undefined): Client {
  const address = serviceAddress(url);
  const connections = createConnections(address.url, MAX_CONNECTIONS, caFile);
  const headers: Record<string, string> =
    address.authorization === undefined ? {} : { authorization: address.authorization };
  return {
    async get(path) {
      const options = { headers, idleMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
      const { status, text } = await exchange(connections, path, options);
      return status === 200 ? parseExact(text) : undefined;
    },
    close: () => connections.close(),
  };
}

/** The answer of the first node that has one, to one of the paths: which of them a node has depends on its release. */
async function firstAnswer(clients: readonly Client[], paths: readonly string[]): Promise<Json> {
  for (const { get } of clients) {
    for (const path of paths) {
      const answer = await get(path).catch(() => undefined);
      if (answer !== undefined) return answer;
    }
  }
  throw new MiddlewareError('node_unreachable', 'No node answers');
}

function factsOf(status: JsonObject): NodeFacts {
  const text = (name: string): string => (typeof status[name] === 'string' ? status[name] : '');
  const number = (name: string): number | null => (typeof status[name] === 'number' ? status[name] : null);
  return {
    version: text('node_version'),
    revision: text('node_revision'),
    height: number('top_block_height'),
    syncing: status['syncing'] === true,
    progress: number('sync_progress') ?? 100,
  };
}
