/** Routes of hyperchains, whose data this release does not have: 404 would say that there is nothing. No description has them. */
import { z } from 'zod';
import { compatible } from '../endpoint.js';
import type { CompatEndpoint } from '../endpoint.js';
import { notAvailable, refused } from '../errors.js';
import { isHyperchain } from '../hyperchain.js';

const hyperchain = (path: string): readonly CompatEndpoint[] =>
  compatible({
    plain: `/v3/hyperchain${path}`,
    tag: '',
    summary: '',
    answer: z.never(),
    cache: 'never',
    async handle(_request, { db }) {
      if (await isHyperchain(db)) throw notAvailable();
      throw refused('This endpoint is only available on a hyperchain node');
    },
  });

export const hyperchainRoutes: readonly CompatEndpoint[] = [
  '/epochs',
  '/epochs/top',
  '/schedule',
  '/schedule/height/{height}',
  '/validators',
  '/validators/top',
  '/validators/{id}',
  '/validators/{id}/delegates',
  '/validators/{id}/delegates/top',
  '/config',
].flatMap(hyperchain);
