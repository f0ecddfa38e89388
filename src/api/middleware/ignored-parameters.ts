import { OTHER_NAME } from '../endpoint.js';
import type { Route } from '../endpoint.js';
import type { Layer } from '../exchange.js';
import { badRequest } from '../parse.js';
import type { Ignored } from '../parse.js';

/** Header of an answer: the query parameters that have no effect. */
export const IGNORED_PARAMETERS = 'x-ignored-parameters';

/** Max names in the header. */
const MAX_NAMES = 16;

/**
 * Names the query parameters of a request that have no effect in a header of the answer: existing clients send such
 * parameters, so they are refused only by a strict server.
 */
export function ignoredParameters<Deps>({ ignored }: Pick<Route<Deps>, 'ignored'>, strict: 'on' | 'off'): Layer {
  return (ctx, next) => {
    if (ctx.querystring === '') return next();
    const found = ignored(ctx.query);
    if (found.length === 0) return next();
    if (strict === 'on') throw badRequest(`Invalid input: ${textOf(found[0]!)}`);
    const names = [...new Set(found.map(({ name }) => name))];
    ctx.set(
      IGNORED_PARAMETERS,
      [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? [OTHER_NAME] : [])].join(', '),
    );
    return next();
  };
}

const textOf = ({ name, fault }: Ignored): string =>
  `${name === OTHER_NAME ? 'the query contains a name that' : name} ${fault}`;
