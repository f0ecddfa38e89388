import { activeOracles, oracleQueries } from '../../store/queries/oracles.js';
import { byRows } from '../cost.js';
import { endpoint } from '../endpoint.js';
import type { EndpointDefinition } from '../endpoint.js';
import type { ApiDeps } from '../deps.js';
import * as q from '../query.js';
import { sendList } from '../reply.js';
import * as o from '../schemas/objects.js';
import * as p from '../schemas/parameters.js';

const query = { slice: q.rankedKeysetPages };

/** Common part of the two paths of the list of oracles. */
const list = {
  method: 'get',
  tag: 'oracles',
  query,
  answer: o.oracles,
  cost: byRows,
  cache: 'until-change',
  async handle({ ctx, query: { slice } }, { db, logger }) {
    sendList(ctx, await activeOracles(db, slice), slice, logger);
  },
} satisfies Partial<EndpointDefinition<Record<string, never>, typeof query, ApiDeps>>;

export const oracleList = endpoint({
  ...list,
  path: '/middleware/oracles/list',
  operationId: 'getAllOracles',
  summary: 'Active oracles, latest registrations first',
  description:
    'An oracle is active until the height `expires_at`. Oracles that were only registered inside contract calls are not in the list; `source` marks those that calls changed.',
  wallets: true,
  evidence: { source: "slow model, node's recording", test: 'api/oracles', plan: 'a far page of active oracles' },
});

export const oracleListByOlderPath = endpoint({
  ...list,
  path: '/middleware/oracles/all',
  operationId: 'getOraclesByOlderPath',
  summary: 'The same as `/middleware/oracles/list`',
  description: 'Older clients ask by this path.',
  evidence: { source: 'slow model', test: 'api/oracles', plan: 'a far page of active oracles' },
});

export const queriesOfOracle = endpoint({
  method: 'get',
  path: '/middleware/oracles/{oracle}',
  operationId: 'getOracleData',
  tag: 'oracles',
  summary: 'Questions to an oracle with their answers, newest first',
  description: '`response` is null while there is no answer.',
  params: { oracle: p.oracle },
  query: { slice: q.keysetPages },
  answer: o.oracleQueries,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/oracles', plan: 'the last page of questions' },
  async handle({ ctx, params: { oracle }, query: { slice } }, { db, logger }) {
    sendList(ctx, await oracleQueries(db, oracle, slice), slice, logger);
  },
});
