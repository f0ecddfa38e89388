/** Controls the simulation over HTTP. Requests have JSON bodies. The answer is the state after the action, or `{reason}` if it failed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { FAULTS, MiddlewareError, reasonOf } from '../../src/observe/errors.js';
import { readBody } from './http/read-body.js';
import type { Devnode } from './options.js';

const count = z.int().nonnegative();
const retention = z.enum(['all', 'some', 'none']);

const BODIES = {
  grow: z.strictObject({ generations: count, txsPerGeneration: count.optional(), microBlocks: count.optional() }),
  keyBlock: z.strictObject({}),
  microBlock: z.strictObject({ txs: z.int().positive().optional() }),
  fork: z.strictObject({
    depth: z.int().positive(),
    grow: z.int().positive(),
    retainTxs: z.union([z.boolean(), retention]).optional(),
    txsPerGeneration: count.optional(),
    microBlocks: count.optional(),
  }),
  microFork: z.strictObject({
    drop: z.int().positive(),
    keep: retention.optional(),
    next: z.enum(['key-block', 'micro-block', 'nothing']).optional(),
  }),
};

/** Returns the request listener for the admin address. */
export function createAdmin(devnode: Devnode): (request: IncomingMessage, response: ServerResponse) => void {
  const state = (): unknown => ({
    ...devnode.top(),
    ...devnode.counts(),
    misbehaviour: devnode
      .misbehaviours()
      .map((m) => ({ ...m, ...(m.paths === undefined ? {} : { paths: String(m.paths) }) })),
  });

  const actions: Readonly<Record<string, (body: unknown) => Promise<void> | void>> = {
    '/grow'(body) {
      const { generations, ...options } = parse(BODIES.grow, body);
      return devnode.grow(generations, options);
    },
    '/key-block'(body) {
      parse(BODIES.keyBlock, body);
      return devnode.mineKeyBlock();
    },
    '/micro-block': (body) => devnode.addMicroBlock(parse(BODIES.microBlock, body)),
    '/fork': (body) => devnode.fork(parse(BODIES.fork, body)),
    '/micro-fork': (body) => devnode.microFork(parse(BODIES.microFork, body)),
    '/misbehave': (body) => devnode.misbehave(body as null),
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    // A web page of any site may send requests to the computer of its visitor. Only browsers send the header `origin`.
    if (request.headers.origin !== undefined) throw new MiddlewareError('cross_site', 'not for web pages');
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    if (path === '/state' && request.method === 'GET') return state();
    const action = actions[path];
    if (action === undefined || request.method !== 'POST') {
      throw new MiddlewareError('no_such_action', `no ${request.method ?? ''} ${path}`);
    }
    await action(await readJson(request));
    return state();
  }

  return (request, response) => {
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    answer(request).then(
      (body) => reply(200, body),
      (error: unknown) => {
        const status = error instanceof MiddlewareError ? FAULTS[error.fault].http : 500;
        reply(status, { reason: reasonOf(error) });
      },
    );
  };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new MiddlewareError('invalid_body', z.prettifyError(parsed.error));
}

/** An empty body counts as `{}`. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request))?.toString();
  if (text === undefined) throw new MiddlewareError('invalid_body', 'body too long');
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    throw new MiddlewareError('invalid_body', 'the body is not JSON');
  }
}
