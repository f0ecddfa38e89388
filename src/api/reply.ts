import { isCompatPath } from './compat-prefix.js';
import type { Exchange } from './exchange.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Answer } from '../store/queries/answer.js';
import type { ListRow } from '../store/queries/lists.js';
import { seen } from '../store/queries/paging/page.js';
import type { PageRow } from '../store/queries/paging/page.js';
import { linkNext } from './cursor.js';
import type { FinalHeight } from './final-height.js';
import { headText, checkMinHeight } from './min-height.js';
import { isCapped, isCut } from '../store/queries/paging/slice.js';
import type { Slice } from '../store/queries/paging/slice.js';

export const JSON_TYPE = 'application/json';

/** Answers with JSON text. */
export function sendJson(ctx: Exchange, body: string, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = body;
}

/** Answers with an error, in the form that all errors have, and those of the compatible API have. */
export function refuse(ctx: Exchange, status: number, reason: string): void {
  ctx.set('Cache-Control', 'no-store');
  // By the id of the request its line is found in the log; what a client can do something about needs none.
  const request = status === 500 && { request_id: ctx.state['requestId'] };
  sendJson(ctx, JSON.stringify(isCompatPath(ctx.path) ? { error: reason, ...request } : { reason }), status);
}

/** For a request whose object may exist, but is not loaded yet. */
export const notLoaded = (head: Pick<Answer, 'head'>): MiddlewareError =>
  new MiddlewareError('not_loaded', `The chain is loaded for the first time: ${headText(head)}`);

/**
 * Sets the headers that name the head from which the answer was made; none while nothing is stored. Throws `head_too_low`
 * if the head is lower than the request allows.
 */
export function setHeadHeaders(ctx: Exchange, answer: Pick<Answer, 'head'>): void {
  const { head } = answer;
  checkMinHeight(ctx, answer);
  if (head === null) return;
  ctx.set('x-chain-height', String(head.height));
  ctx.set('x-chain-hash', head.hash);
}

/** The same, for answers that would be wrong while nothing is stored: throws `not_loaded` then. */
export function requireHead(ctx: Exchange, answer: Pick<Answer, 'head'>): void {
  setHeadHeaders(ctx, answer);
  if (answer.head === null) throw notLoaded(answer);
}

/**
 * Marks an answer as immutable if no reorg is expected to remove its block. Only for answers that depend on this block and
 * earlier ones alone.
 */
export async function markImmutable(
  ctx: Exchange,
  height: number,
  { head }: Pick<Answer, 'head'>,
  finalHeight: FinalHeight,
): Promise<void> {
  if (head === null || height > (await finalHeight(head))) return;
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
}

/** Sets the headers that name the head, and returns the row. Throws `not_found` if there is none, or as `requireHead`. */
export function requireRow<Row extends object>(ctx: Exchange, answer: Answer<Row>): Row {
  requireHead(ctx, answer);
  if (answer.row === null) throw new MiddlewareError('not_found', 'Not found');
  return answer.row;
}

/** Reports to the client and in the log that the cap shortened the answer. */
export function reportCut(ctx: Exchange, cut: boolean, logger: Logger): void {
  if (!cut) return;
  ctx.set('x-limit-capped', 'true');
  logger.info({ path: ctx.path, query: ctx.querystring }, 'Shortened an answer to LIMIT_CAP');
}

/** Answers with a page of a list whose length is not known. */
export function sendPage(ctx: Exchange, answer: Answer<PageRow>, slice: Slice, logger: Logger): void {
  const row = requireRow(ctx, answer);
  reportCut(ctx, isCut(slice, seen(slice, row)), logger);
  sendJson(ctx, row.body);
}

/** Answers with a page of a list whose length is known, and links to the next page if the list has keyset pages. */
export function sendList(ctx: Exchange, answer: Answer<ListRow>, slice: Slice, logger: Logger): void {
  const { body, total, next } = requireRow(ctx, answer);
  ctx.set('x-total-count', total);
  linkNext(ctx, next);
  const isCutBeforeNext = next != null && isCapped(slice);
  reportCut(ctx, slice.by === 'number' ? isCut(slice, BigInt(total)) : isCutBeforeNext, logger);
  sendJson(ctx, body);
}
