import type { IncomingHttpHeaders } from 'node:http';
import { MAX_HEIGHT } from '../chain/position.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Answer } from '../store/queries/answer.js';
import type { Exchange } from './exchange.js';
import { badRequest } from './parse.js';

/** Header of a request that wants an answer from a head of at least this height. */
export const MIN_HEIGHT = 'x-min-height';

/** The height that a request wants; undefined if it wants none, NaN if it says anything but a height. */
function wantedBy({ [MIN_HEIGHT]: text }: IncomingHttpHeaders): number | undefined {
  if (text === undefined) return undefined;
  const height = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return height <= MAX_HEIGHT ? height : NaN;
}

/** The same. Throws a bad request for anything but a height. */
export function readMinHeight({ req }: Exchange): number | undefined {
  const wanted = wantedBy(req.headers);
  if (Number.isNaN(wanted)) throw badRequest(`Invalid input: the header ${MIN_HEIGHT} must be a height`);
  return wanted;
}

/** Throws if the head of an answer is lower than the request wants it. */
export function mustReach(ctx: Exchange, { head }: Pick<Answer, 'head'>): void {
  const wanted = readMinHeight(ctx);
  if (wanted === undefined || (head !== null && head.height >= wanted)) return;
  throw new MiddlewareError('head_too_low', `${MIN_HEIGHT} is ${wanted}, but ${headText({ head })}`);
}

export const headText = ({ head }: Pick<Answer, 'head'>): string =>
  head === null ? 'nothing is stored yet' : `the head is at height ${head.height}`;

/** Whether a cached answer, which names its head by its height, is new enough for the request. */
export function isReached(headers: IncomingHttpHeaders, height: string | undefined): boolean {
  const wanted = wantedBy(headers);
  return wanted === undefined || Number(height) >= wanted;
}
