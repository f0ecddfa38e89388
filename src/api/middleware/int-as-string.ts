import { INT_AS_STRING } from '../endpoint.js';
import type { Layer } from '../exchange.js';
import { integersAsStrings } from '../../chain/encoding/integers-as-strings.js';
import { badRequest } from '../parse.js';
import { JSON_TYPE } from '../reply.js';

/** With `int-as-string=true`, integers of the answer become decimal strings, for clients whose numbers are doubles. */
export const intAsString: Layer = async (ctx, next) => {
  const wanted = ctx.querystring.includes(INT_AS_STRING) && isWanted(ctx.query[INT_AS_STRING]);
  await next();
  if (wanted && ctx.status === 200 && typeof ctx.body === 'string' && ctx.response.get('Content-Type') === JSON_TYPE) {
    ctx.body = integersAsStrings(ctx.body);
  }
};

function isWanted(value: string | string[] | undefined): boolean {
  const text = [value].flat()[0]?.toLowerCase() ?? 'false';
  if (text !== 'true' && text !== 'false') throw badRequest(`Invalid input: ${INT_AS_STRING} must be true or false`);
  return text === 'true';
}
