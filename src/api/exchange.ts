import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { ParsedUrlQuery } from 'node:querystring';

/**
 * A request and its answer, as far as endpoints and layers use them. Koa's context is one; `ShortExchange` does the same for
 * a small part of the cost, for requests whose answers are one text.
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
  /** What layers leave for one another. */
  readonly state: Record<string, unknown>;
  status: number;
  body: unknown;
  /** False when the answer is sent past the layers. */
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

/** What a request passes on its way in, and its answer on the way out. */
export type Layer = (ctx: Exchange, next: () => Promise<void>) => Promise<void> | void;

type Handler = (ctx: Exchange) => Promise<void> | void;

const DONE = Promise.resolve();

/** Layers as one function. The promise of `next` is that of the layers within. */
export const composed = (layers: readonly Layer[]): Handler =>
  layers.reduceRight<Handler>(
    (inner, layer) => (ctx) => layer(ctx, () => inner(ctx) ?? DONE),
    () => undefined,
  );

const NO_BODY = new Set([204, 304]);

/** For GET and HEAD. Names of headers are compared as they are written. */
export class ShortExchange implements Exchange {
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
    return !this.res.writableEnded && this.res.socket?.writable !== false;
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

  /** Others are not given a short exchange. */
  accepts(): string {
    return 'application/json';
  }

  /** Sets the headers on the answer itself, for whoever sends it past the layers. */
  handOver(): void {
    for (const name in this.#headers) this.res.setHeader(name, this.#headers[name]!);
  }

  /** Sends the answer, unless that has been done past the layers. */
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
