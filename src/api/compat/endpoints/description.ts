import { z } from 'zod';
import { describe } from '../description.js';
import { compatible } from '../endpoint.js';
import type { CompatEndpoint } from '../endpoint.js';
import { COMPAT_PREFIX } from '../../compat-prefix.js';

/** Routes of the descriptions of these endpoints. */
export const descriptionRoutes = (described: readonly CompatEndpoint[]): readonly CompatEndpoint[] =>
  (['v3', 'v2'] as const).flatMap((version) => {
    let text: string | undefined;
    return compatible({
      [version]: { path: '/api', id: version === 'v3' ? 'GetApi' : 'get_api' },
      ...(version === 'v3' && { plain: '/api' }),
      tag: 'Middleware',
      summary: 'This description',
      answer: z.looseObject({}),
      cost: 'none',
      always: true,
      handle() {
        text ??= JSON.stringify(describe(described, version, `${COMPAT_PREFIX}/${version}`));
        return Promise.resolve({ value: text, head: null });
      },
    });
  });
