import { z } from 'zod';
import { describe } from '../description.js';
import { compatible } from '../endpoint.js';
import type { CompatEndpoint } from '../endpoint.js';
import { COMPAT_PREFIX, isAtRoot } from '../../compat-prefix.js';

/** Routes of the descriptions of these endpoints. */
export const descriptionRoutes = (described: readonly CompatEndpoint[]): readonly CompatEndpoint[] =>
  (['v3', 'v2'] as const).flatMap((version) => {
    const texts = new Map<string, string>();
    return compatible({
      [version]: { path: '/api', id: version === 'v3' ? 'GetApi' : 'get_api' },
      ...(version === 'v3' && { plain: '/api' }),
      tag: 'Middleware',
      summary: 'This description',
      answer: z.looseObject({}),
      cost: 'none',
      // It depends on the address on which the request came.
      cache: 'never',
      always: true,
      handle({ ctx }) {
        const server = `${isAtRoot(ctx.req) ? '' : COMPAT_PREFIX}/${version}`;
        let text = texts.get(server);
        if (text === undefined) texts.set(server, (text = JSON.stringify(describe(described, version, server))));
        return Promise.resolve({ value: text, head: null });
      },
    });
  });
