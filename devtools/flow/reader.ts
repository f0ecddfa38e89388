/** The reads of a flow: from the node after each step, and from the middleware at the end. */
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask, request } from './http.js';
import type { Reply } from './http.js';

interface Endpoints {
  /** URL of the node, or of a middleware in front of it, for reads and for posting transactions. */
  node: string;
  /** URL of the internal API of the node, for building transactions and posting key blocks. */
  internal: string;
  /** URL of the middleware. */
  middleware: string;
  /** Max time to wait for a block, ms. */
  timeoutMs: number;
  print(line: string): void;
}

export interface Reader extends Endpoints {
  /** Answer of the node to a GET. `path` starts with `/v2`. Throws if the status is not 200. */
  read(path: string): Promise<JsonObject>;
  /** The same, but returns answers with any status. */
  readAny(path: string): Promise<Reply>;
  height(): Promise<number>;
  /** Repeats `attempt` until its result is not undefined, and returns it. Throws `timeout`, with `what` in the message. */
  waitFor<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T>;
  waitForHeight(height: number, what: string): Promise<void>;
  /** Prints the answers of the middleware to these paths, as soon as its answer to the first path contains the text `wanted`. */
  printAnswers(wanted: string, first: string, ...more: string[]): Promise<void>;
}

const POLL_MS = 200;

export function createReader(endpoints: Endpoints): Reader {
  const { node, middleware, timeoutMs, print } = endpoints;
  const read = (path: string): Promise<JsonObject> => ask(`${node}${path}`);
  const height = async (): Promise<number> => (await read('/v2/key-blocks/current/height'))['height'] as number;

  async function waitFor<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = await attempt();
      if (found !== undefined) return found;
      if (Date.now() >= end) {
        const why = `timeout after ${timeoutMs / 1000} s while waiting for ${what}`;
        throw new MiddlewareError('timeout', why);
      }
      await wait(POLL_MS);
    }
  }

  async function waitForHeight(wanted: number, what: string): Promise<void> {
    if ((await height()) >= wanted) return;
    print(`Waiting for height ${wanted}: ${what}`);
    await waitFor(`height ${wanted}`, async () => ((await height()) >= wanted ? true : undefined));
  }

  async function printAnswers(wanted: string, first: string, ...more: string[]): Promise<void> {
    print(`The middleware at ${middleware}:`);
    const readMiddleware = (path: string): Promise<Reply> => request(`${middleware}${path}`);
    const line = (path: string, { status, body }: Reply): void =>
      print(`  GET ${path}: ${status} ${stringifyExact(body)}`);
    const found = await waitFor(`${wanted} in ${middleware}${first}`, async () => {
      const reply = await readMiddleware(first);
      return reply.status === 200 && stringifyExact(reply.body).includes(wanted) ? reply : undefined;
    });
    line(first, found);
    for (const path of more) line(path, await readMiddleware(path));
  }

  return {
    ...endpoints,
    read,
    readAny: (path) => request(`${node}${path}`),
    height,
    waitFor,
    waitForHeight,
    printAnswers,
  };
}
