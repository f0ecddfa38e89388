/** Reads of a flow: the node, step by step, and the middleware at the end. */
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../chain/encoding/json.js';
import { stringifyExact } from '../chain/encoding/json.js';
import { MiddlewareError } from '../observe/errors.js';
import { ask, request } from './http.js';
import type { Reply } from './http.js';

interface Places {
  /** Where the node, or a middleware before it, is read and transactions are posted. */
  node: string;
  /** Where the node's transaction builders are, and where it takes key blocks. */
  internal: string;
  middleware: string;
  /** How long to wait for a block, ms. */
  timeoutMs: number;
  print(line: string): void;
}

export interface Reader extends Places {
  /** Answer of the node to GET; `path` from `/v2` on. */
  read(path: string): Promise<JsonObject>;
  /** The same, with any status. */
  look(path: string): Promise<Reply>;
  height(): Promise<number>;
  /** The first result that is not undefined. Throws unavailable, naming what was waited for, after the timeout. */
  until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T>;
  waitForHeight(height: number, what: string): Promise<void>;
  /** Prints what the middleware answers on these paths, as soon as its answer on the first holds a text. */
  printAnswers(wanted: string, first: string, ...more: string[]): Promise<void>;
}

const POLL_MS = 200;

export function createReader(places: Places): Reader {
  const { node, middleware, timeoutMs, print } = places;
  const read = (path: string): Promise<JsonObject> => ask(`${node}${path}`);
  const height = async (): Promise<number> => (await read('/v2/key-blocks/current/height'))['height'] as number;

  async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = await attempt();
      if (found !== undefined) return found;
      if (Date.now() >= end) {
        const why = `waited ${timeoutMs / 1000} s for ${what} in vain`;
        throw new MiddlewareError('timeout', why);
      }
      await wait(POLL_MS);
    }
  }

  async function waitForHeight(wanted: number, what: string): Promise<void> {
    if ((await height()) >= wanted) return;
    print(`Waiting for height ${wanted}: ${what}`);
    await until(`height ${wanted}`, async () => ((await height()) >= wanted ? true : undefined));
  }

  async function printAnswers(wanted: string, first: string, ...more: string[]): Promise<void> {
    print(`The middleware at ${middleware}:`);
    const said = (path: string): Promise<Reply> => request(`${middleware}${path}`);
    const line = (path: string, { status, body }: Reply): void =>
      print(`  GET ${path}: ${status} ${stringifyExact(body)}`);
    const found = await until(`${wanted} in ${middleware}${first}`, async () => {
      const reply = await said(first);
      return reply.status === 200 && stringifyExact(reply.body).includes(wanted) ? reply : undefined;
    });
    line(first, found);
    for (const path of more) line(path, await said(path));
  }

  return { ...places, read, look: (path) => request(`${node}${path}`), height, until, waitForHeight, printAnswers };
}
