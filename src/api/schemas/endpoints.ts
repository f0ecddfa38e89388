import type { Endpoint } from './endpoint.js';
import { blockEndpoints } from './endpoints/blocks.js';
import { nameEndpoints } from './endpoints/names.js';
import { nodeEndpoints } from './endpoints/node.js';
import { objectEndpoints } from './endpoints/objects.js';
import { serviceEndpoints } from './endpoints/service.js';
import { transactionEndpoints } from './endpoints/transactions.js';

/** Every endpoint that the service answers itself. */
export const endpoints: readonly Endpoint[] = [
  ...transactionEndpoints,
  ...blockEndpoints,
  ...nameEndpoints,
  ...objectEndpoints,
  ...nodeEndpoints,
  ...serviceEndpoints,
];
