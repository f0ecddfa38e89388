import type { Middleware } from 'koa';
import { integersAsStrings } from '../chain/integers-as-strings.js';
import { badRequest } from './parse.js';

/**
 * `int-as-string=true`: integers of own answers become decimal strings, for clients whose numbers are doubles.
 */
export const intAsString: Middleware = async (ctx, next) => {
  const wanted = ctx.querystring.includes('int-as-string') && isWanted(ctx.query['int-as-string']);
  await next();
  if (wanted && ctx.status === 200 && typeof ctx.body === 'string' && ctx.response.is('json') !== false) {
    ctx.body = integersAsStrings(ctx.body);
  }
};

function isWanted(value: string | string[] | undefined): boolean {
  const text = [value].flat()[0]?.toLowerCase() ?? 'false';
  if (text !== 'true' && text !== 'false') throw badRequest('Invalid input: int-as-string must be true or false');
  return text === 'true';
}
