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

/** An answer that is not 200. `reason` is what the server says, or why there is none. */
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
  /** Length of the whole list, where the server names it. */
  total: number | undefined;
  /** Height of the key block that the answer was made from. */
  height: number | undefined;
}

const ANSWER_MS = 20_000;
const AWAY = 'The server cannot be reached.';

/** What answers 503 with the same body as 200. */
const SAYS_WHY = /^(middleware\/status|readyz)$/;

/** Reads an endpoint of the API; `values` fill the path first, the rest become the query. Throws a Refusal. */
export async function read<Path extends Readable>(
  path: Path,
  values: Values = {},
  signal?: AbortSignal,
): Promise<Answer<Read<Path>>> {
  const answer = await ask(urlOf(path, values), signal);
  return { ...answer, body: answer.body as Read<Path> };
}

/** Reads what the node answers: it is forwarded, and not part of the description. */
export async function readNode(path: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const { body } = await ask(path.slice(1), signal);
  return body as Record<string, unknown>;
}

/** For what a page can do without, such as what only the node knows: nothing where the server refuses. */
export async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Relative to the page, so that it works behind any path prefix. */
export function urlOf(path: string, values: Values): string {
  const query = new URLSearchParams();
  let url = path.slice(1);
  for (const [name, value] of Object.entries(values)) {
    const place = `{${name}}`;
    if (url.includes(place)) url = url.replace(place, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

/** A whole list as CSV, however long it takes. Throws a Refusal. */
export async function readCsv(url: string): Promise<Blob> {
  const response = await fetch(url, { headers: { accept: 'text/csv' } }).catch(() => {
    throw new Refusal(0, AWAY);
  });
  if (!response.ok) throw refusal(response, await response.text());
  return response.blob().catch(() => {
    throw new Refusal(0, 'The connection broke before the end of the list.');
  });
}

async function ask(url: string, signal?: AbortSignal): Promise<Answer<unknown>> {
  const late = AbortSignal.timeout(ANSWER_MS);
  // The browser asks each time whether its copy still holds: an event may have come since.
  const options = { signal: signal ? AbortSignal.any([signal, late]) : late, cache: 'no-cache' } as const;
  const response = await fetch(url, options).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Refusal(0, late.aborted ? 'The server did not answer in time.' : AWAY);
  });
  const text = await response.text();
  const number = (name: string): number | undefined => {
    const value = response.headers.get(name);
    return value === null ? undefined : Number(value);
  };
  if (response.ok || (response.status === 503 && SAYS_WHY.test(url))) {
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
