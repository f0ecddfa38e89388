import { factsOf } from '../../chain/networks.js';
import { recordedNetwork } from '../../store/queries/network.js';
import { endpoint } from '../endpoint.js';
import { requireRow, sendJson } from '../reply.js';
import { network as networkAnswer } from '../schemas/service.js';

export const network = endpoint({
  method: 'get',
  path: '/middleware/network',
  operationId: 'getNetwork',
  tag: 'service',
  summary: 'The network of the chain: its form, its time between key blocks, its coin',
  description:
    '404 before anything is stored. The time between key blocks is the intended one of the main network and the test network, and of others the mean of the last 100. `rewards` is `unknown` where no table says what key blocks issue: there `/middleware/reward` is 404 and `coinbase` is null.',
  answer: networkAnswer,
  refusals: [404],
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/network', plan: 'the network' },
  async handle({ ctx }, { db }) {
    const { id, genesisHash, consensus, blockMs, hasRewardTable, currency } = factsOf(
      requireRow(ctx, await recordedNetwork(db)),
    );
    sendJson(
      ctx,
      JSON.stringify({
        network_id: id,
        genesis_key_block_hash: genesisHash,
        consensus: consensus ?? null,
        milliseconds_per_block: blockMs ?? null,
        rewards: hasRewardTable ? 'protocol' : 'unknown',
        currency,
      }),
    );
  },
});
