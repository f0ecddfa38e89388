import type { Context } from 'koa';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Answer } from '../store/queries/answer.js';
import type { ListRow } from '../store/queries/lists.js';
import { seen } from '../store/queries/page.js';
import type { PageRow } from '../store/queries/page.js';
import { linkNext } from './cursor.js';
import { isCut } from '../store/queries/slice.js';
import type { Slice } from '../store/queries/slice.js';

/** Sends JSON text as it is. */
export function sendJson(ctx: Context, body: string, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  ctx.body = body;
}

/** Sends an error in the only form errors have. */
export function refuse(ctx: Context, status: number, reason: string): void {
  ctx.set('Cache-Control', 'no-store');
  sendJson(ctx, JSON.stringify({ reason }), status);
}

/** Names the top an answer was made from; nothing while the database is empty. */
export function nameTop(ctx: Context, { top }: Pick<Answer, 'top'>): void {
  if (top === null) return;
  ctx.set('x-chain-height', String(top.height));
  ctx.set('x-chain-hash', top.hash);
}

/**
 * Lets caches keep for good what is about a block with `depth` key blocks above it, and about nothing but that block and
 * what precedes it: no fork reaches that far back.
 */
export function tellDepth(ctx: Context, height: number, { top }: Pick<Answer, 'top'>, depth: number): void {
  if (top !== null && top.height - height >= depth) ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
}

/** Names the top and gives the row; 404 if there is none. */
export function found<Row extends object>(ctx: Context, answer: Answer<Row>): Row {
  nameTop(ctx, answer);
  if (answer.row === null) throw new MiddlewareError('not_found', 'not_found', 'Not found');
  return answer.row;
}

/** Tells a client, and the log, that it did not get everything it asked for. */
export function tellCut(ctx: Context, cut: boolean, logger: Logger): void {
  if (!cut) return;
  ctx.set('x-limit-capped', 'true');
  logger.info({ path: ctx.path, query: ctx.querystring }, 'Cut an answer at the cap');
}

/** Sends a page of a list whose whole length is not known. */
export function sendPage(ctx: Context, answer: Answer<PageRow>, slice: Slice, logger: Logger): void {
  const row = found(ctx, answer);
  tellCut(ctx, isCut(slice, seen(slice, row)), logger);
  sendJson(ctx, row.body);
}

/** Sends a page of a list of known length, with a link to the next one where the list can be walked. */
export function sendList(ctx: Context, answer: Answer<ListRow>, slice: Slice, logger: Logger): void {
  const { body, total, next } = found(ctx, answer);
  ctx.set('x-total-count', total);
  linkNext(ctx, next);
  const goesOn = next != null && (slice.wanted === null || slice.wanted > BigInt(slice.take));
  const walked = slice.after !== undefined || slice.behind !== undefined;
  tellCut(ctx, walked ? goesOn : isCut(slice, BigInt(total)), logger);
  sendJson(ctx, body);
}
