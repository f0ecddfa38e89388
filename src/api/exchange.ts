import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { ParsedUrlQuery } from 'node:querystring';

/**
 * The part of a request and its answer that endpoints and layers use. Koa's context implements it; so does `FastExchange`,
 * which is much cheaper, for answers that are one text.
 */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly path: string;
  readonly querystring: string;
  readonly query: ParsedUrlQuery;
  params?: Record<string, string>;
  /** Values that one layer sets for another one. */
  readonly state: Record<string, unknown>;
  status: number;
  body: unknown;
  /** False if the answer is written directly to `res`. */
  respond?: boolean | undefined;
  readonly headerSent: boolean;
  readonly writable: boolean;
  /** Headers of the answer. */
  readonly response: { get(field: string): string | undefined };
  set(field: string, value: string): void;
  append(field: string, value: string): void;
  vary(field: string): void;
  /** A header of the request; empty if it is absent. */
  get(field: string): string;
  accepts(...types: string[]): string | string[] | false;
}

/** A middleware function as in Koa: runs before and after the layers within it, which `next` calls. */
export type Layer = (ctx: Exchange, next: () => Promise<void>) => Promise<void> | void;

const EXTRA_FOLDERS = 'stepsUp';

/** Stores by how many folders the requested URL is deeper than its normalized form. */
export function setExtraFolders(ctx: Exchange, steps: number): void {
  ctx.state[EXTRA_FOLDERS] = steps;
}

/**
 * Relative path from the folder of the requested URL to that of its normalized form; empty for nearly all requests. Relative
 * addresses must begin with it, because a client resolves them against the URL that it requested, for example one with a
 * slash at its end.
 */
export const pathToNormalizedUrl = (ctx: Exchange): string =>
  '../'.repeat((ctx.state[EXTRA_FOLDERS] as number | undefined) ?? 0);

const FORWARDED = 'forwardedTarget';

/** Stores the target for the node, which differs from the URL of the exchange if the client escaped more than needed. */
export function setForwardedTarget(ctx: Exchange, target: string): void {
  ctx.state[FORWARDED] = target;
}

/** The target for the node. */
export const forwardedTarget = (ctx: Exchange): string =>
  (ctx.state[FORWARDED] as string | undefined) ?? ctx.req.url ?? '/';

type Handler = (ctx: Exchange) => Promise<void> | void;

const DONE = Promise.resolve();

/** Composes layers into one handler, the outermost first. `next` returns the promise of the inner layers. */
export const compose = (layers: readonly Layer[]): Handler =>
  layers.reduceRight<Handler>(
    (inner, layer) => (ctx) => layer(ctx, () => inner(ctx) ?? DONE),
    () => undefined,
  );

const NO_BODY = new Set([204, 304]);

/** An exchange for GET and HEAD. Names of response headers are case-sensitive here. */
export class FastExchange implements Exchange {
  readonly state: Record<string, unknown> = {};
  params: Record<string, string> = {};
  status = 404;
  body: unknown = undefined;
  respond: boolean | undefined = undefined;
  readonly path: string;
  readonly querystring: string;
  readonly #headers: Record<string, string> = {};
  #query: ParsedUrlQuery | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly url: string,
  ) {
    const at = url.indexOf('?');
    this.path = at < 0 ? url : url.slice(0, at);
    this.querystring = at < 0 ? '' : url.slice(at + 1);
  }

  get method(): string {
    return this.req.method!;
  }

  get query(): ParsedUrlQuery {
    return (this.#query ??= parse(this.querystring));
  }

  get headerSent(): boolean {
    return this.res.headersSent;
  }

  get writable(): boolean {
    return !this.res.writableEnded && !this.res.destroyed && this.res.socket?.writable !== false;
  }

  get response(): { get(field: string): string | undefined } {
    return { get: (field) => this.#headers[field] };
  }

  set(field: string, value: string): void {
    this.#headers[field] = value;
  }

  append(field: string, value: string): void {
    const known = this.#headers[field];
    this.#headers[field] = known === undefined ? value : `${known}, ${value}`;
  }

  vary(field: string): void {
    const known = this.#headers['Vary'];
    if (known === undefined || !known.split(', ').includes(field)) this.append('Vary', field);
  }

  get(field: string): string {
    const value = this.req.headers[field.toLowerCase()];
    return typeof value === 'string' ? value : '';
  }

  /** Requests that accept anything else do not take the fast path. */
  accepts(): string {
    return 'application/json';
  }

  /** Sets the headers on `res`, for code that writes the answer there directly. */
  applyHeaders(): void {
    for (const name in this.#headers) this.res.setHeader(name, this.#headers[name]!);
  }

  /** Sends the answer, unless it was written directly to `res`. */
  end(): void {
    const { res, status, body } = this;
    if (this.respond === false || res.headersSent || !this.writable) return;
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : '';
    if (NO_BODY.has(status)) {
      delete this.#headers['Content-Type'];
    } else this.#headers['Content-Length'] ??= String(Buffer.byteLength(text));
    const head: string[] = [];
    for (const name in this.#headers) head.push(name, this.#headers[name]!);
    res.writeHead(status, head);
    if (this.method === 'HEAD' || NO_BODY.has(status)) res.end();
    else res.end(text);
  }
}
