import type { Exchange } from './exchange.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Answer } from '../store/queries/answer.js';
import type { ListRow } from '../store/queries/lists.js';
import { seen } from '../store/queries/paging/page.js';
import type { PageRow } from '../store/queries/paging/page.js';
import { linkNext } from './cursor.js';
import { headText, mustReach } from './min-height.js';
import { isCut } from '../store/queries/paging/slice.js';
import type { Slice } from '../store/queries/paging/slice.js';

export const JSON_TYPE = 'application/json';

/** Sends JSON text as it is. */
export function sendJson(ctx: Exchange, body: string, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = body;
}

/** Sends an error in the only form errors have. */
export function refuse(ctx: Exchange, status: number, reason: string): void {
  ctx.set('Cache-Control', 'no-store');
  sendJson(ctx, JSON.stringify({ reason }), status);
}

/** What is asked for may be there as soon as the first load has got there. */
export const notLoaded = (head: Pick<Answer, 'head'>): MiddlewareError =>
  new MiddlewareError('not_loaded', `The chain is loaded for the first time: ${headText(head)}`);

/** Sets the headers that name the head an answer was made from; none while nothing is stored. Throws if it is too low. */
export function showHead(ctx: Exchange, answer: Pick<Answer, 'head'>): void {
  const { head } = answer;
  mustReach(ctx, answer);
  if (head === null) return;
  ctx.set('x-chain-height', String(head.height));
  ctx.set('x-chain-hash', head.hash);
}

/** The same, for answers that would be wrong while nothing is stored: throws then. */
export function nameHead(ctx: Exchange, answer: Pick<Answer, 'head'>): void {
  showHead(ctx, answer);
  if (answer.head === null) throw notLoaded(answer);
}

/**
 * Marks an answer as immutable if its block has `depth` key blocks above it: no reorg reaches that far back. Only for
 * answers that depend on nothing but this block and those before it.
 */
export function markImmutable(ctx: Exchange, height: number, { head }: Pick<Answer, 'head'>, depth: number): void {
  if (head !== null && head.height - height >= depth) ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
}

/** Names the head and returns the row; 404 if there is none. */
export function found<Row extends object>(ctx: Exchange, answer: Answer<Row>): Row {
  nameHead(ctx, answer);
  if (answer.row === null) throw new MiddlewareError('not_found', 'Not found');
  return answer.row;
}

/** Reports to the client and in the log that the answer was cut at the cap. */
export function reportCut(ctx: Exchange, cut: boolean, logger: Logger): void {
  if (!cut) return;
  ctx.set('x-limit-capped', 'true');
  logger.info({ path: ctx.path, query: ctx.querystring }, 'Cut an answer at the cap');
}

/** Sends a page of a list of unknown length. */
export function sendPage(ctx: Exchange, answer: Answer<PageRow>, slice: Slice, logger: Logger): void {
  const row = found(ctx, answer);
  reportCut(ctx, isCut(slice, seen(slice, row)), logger);
  sendJson(ctx, row.body);
}

/** Sends a page of a list of known length, with a link to the next one where the list has keyset pages. */
export function sendList(ctx: Exchange, answer: Answer<ListRow>, slice: Slice, logger: Logger): void {
  const { body, total, next } = found(ctx, answer);
  ctx.set('x-total-count', total);
  linkNext(ctx, next);
  const goesOn = next != null && (slice.wanted === null || slice.wanted > BigInt(slice.take));
  reportCut(ctx, slice.by === 'number' ? isCut(slice, BigInt(total)) : goesOn, logger);
  sendJson(ctx, body);
}
