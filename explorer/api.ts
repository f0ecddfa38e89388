import type { paths } from '../types/api.js';
import { parseExactly } from './json.js';
import type { Exact } from './json.js';

/** Paths that are read by GET and answered as JSON. */
type Readable = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': unknown } } } };
  }
    ? Path
    : never;
}[keyof paths];

type Read<Path extends Readable> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Exact<Body>
  : never;

type Values = Record<string, string | number>;

/** A request without an answer of status 200. `reason` is the text of the server, or says why there was no answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

export interface Answer<Body> {
  body: Body;
  /** Length of the whole list, if the server returns it. */
  total: number | undefined;
  /** Height of the key block that the answer was made from. */
  height: number | undefined;
}

const TIMEOUT_MS = 20_000;
export const UNREACHABLE = 'The server cannot be reached.';

/** Endpoints that answer 503 with the same body as 200. */
const SAME_BODY_FOR_503 = /^(middleware\/status|readyz)$/;

/** Reads an endpoint of the API; `values` fill the path first, the rest become the query. Throws a Refusal. */
export async function read<Path extends Readable>(
  path: Path,
  values: Values = {},
  signal?: AbortSignal,
): Promise<Answer<Read<Path>>> {
  const answer = await ask(urlOf(path, values), signal);
  return { ...answer, body: answer.body as Read<Path> };
}

/** Reads an endpoint of the node, which the service forwards. It is not part of the description of the API. */
export async function readNode(path: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const { body } = await ask(path.slice(1), signal);
  return body as Record<string, unknown>;
}

/** Undefined instead of an error if the server refuses. For data that a page does not need, such as data of the node. */
export async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** URL of an endpoint, relative to the page, so that it works behind any path prefix. */
export function urlOf(path: string, values: Values): string {
  const query = new URLSearchParams();
  let url = path.slice(1);
  for (const [name, value] of Object.entries(values)) {
    const parameter = `{${name}}`;
    if (url.includes(parameter)) url = url.replace(parameter, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

/** Reads a whole list as CSV, without a time limit. Throws a Refusal. */
export async function readCsv(url: string): Promise<Blob> {
  const response = await fetch(url, { headers: { accept: 'text/csv' } }).catch(() => {
    throw new Refusal(0, UNREACHABLE);
  });
  if (!response.ok) throw refusal(response, await response.text());
  return response.blob().catch(() => {
    throw new Refusal(0, 'The connection broke before the end of the list.');
  });
}

async function ask(url: string, signal?: AbortSignal): Promise<Answer<unknown>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  // The browser must check its cached copy each time, because the chain may have changed since.
  const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout, cache: 'no-cache' } as const;
  const response = await fetch(url, options).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Refusal(0, timeout.aborted ? 'The server did not answer in time.' : UNREACHABLE);
  });
  const text = await response.text();
  const number = (name: string): number | undefined => {
    const value = response.headers.get(name);
    return value === null ? undefined : Number(value);
  };
  if (response.ok || (response.status === 503 && SAME_BODY_FOR_503.test(url))) {
    return { body: parseExactly(text), total: number('x-total-count'), height: number('x-chain-height') };
  }
  throw refusal(response, text);
}

const refusal = ({ status, statusText }: Response, text: string): Refusal =>
  new Refusal(status, reasonIn(text) ?? statusText);

function reasonIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { reason?: string }).reason;
  } catch {
    return undefined;
  }
}
