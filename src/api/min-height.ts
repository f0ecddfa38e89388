import type { IncomingHttpHeaders } from 'node:http';
import { MAX_HEIGHT } from '../chain/position.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Answer } from '../store/queries/answer.js';
import type { Exchange } from './exchange.js';
import { badRequest } from './parse.js';

/** Request header: the min height of the head from which the answer is made. */
export const MIN_HEIGHT = 'x-min-height';

/** The height in the header; undefined without the header, NaN if it is not a height. */
function parseMinHeight({ [MIN_HEIGHT]: text }: IncomingHttpHeaders): number | undefined {
  if (text === undefined) return undefined;
  const height = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return height <= MAX_HEIGHT ? height : NaN;
}

/** The height in the header; undefined without the header. Throws a bad request if it is not a height. */
export function readMinHeight({ req }: Exchange): number | undefined {
  const wanted = parseMinHeight(req.headers);
  if (Number.isNaN(wanted)) throw badRequest(`Invalid input: the header ${MIN_HEIGHT} must be a height`);
  return wanted;
}

/** Throws `head_too_low` if the head of the answer is lower than the request allows. */
export function checkMinHeight(ctx: Exchange, { head }: Pick<Answer, 'head'>): void {
  const wanted = readMinHeight(ctx);
  if (wanted === undefined || (head !== null && head.height >= wanted)) return;
  throw new MiddlewareError('head_too_low', `${MIN_HEIGHT} is ${wanted}, but ${headText({ head })}`);
}

export const headText = ({ head }: Pick<Answer, 'head'>): string =>
  head === null ? 'nothing is stored yet' : `the head is at height ${head.height}`;

/** Whether a cached answer is new enough for the request. `height` is that of its head, from the header of the answer. */
export function reachesMinHeight(headers: IncomingHttpHeaders, height: string | undefined): boolean {
  const wanted = parseMinHeight(headers);
  return wanted === undefined || Number(height) >= wanted;
}
