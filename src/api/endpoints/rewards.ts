import { readKeyBlock } from '../../chain/facts.js';
import { hasRewardTable, reward } from '../../chain/protocol/rewards.js';
import { MiddlewareError } from '../../observe/errors.js';
import { rewardFacts } from '../../store/queries/rewards.js';
import { endpoint } from '../endpoint.js';
import { requireRow, sendJson, markImmutable } from '../reply.js';
import * as p from '../schemas/parameters.js';
import { reward as rewardAnswer } from '../schemas/service.js';

export const rewardAtHeight = endpoint({
  method: 'get',
  path: '/middleware/reward/height/{height}',
  operationId: 'getRewardAtHeight',
  tag: 'blocks',
  summary: 'What the key block of a height earns',
  description:
    'The coinbase, and the part of the fees that goes to the beneficiary. 404 on a hyperchain: its contracts pay the leaders, and no table says what.',
  params: { height: p.height },
  answer: rewardAnswer,
  refusals: [404],
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/sums-and-rewards', plan: 'a reward' },
  async handle({ ctx, params: { height } }, { db, finalHeight }) {
    const answer = await rewardFacts(db, height);
    const facts = requireRow(ctx, answer);
    if (!hasRewardTable(readKeyBlock(facts.newest).consensus))
      throw new MiddlewareError(
        'not_found',
        'Not found: the contracts of a hyperchain pay its leaders, no table says what',
      );
    // Without the fees of the generation before, the reward would be wrong.
    if (facts.fees_before === null && height > 0) {
      throw new MiddlewareError('not_found', `Not found: height ${height - 1} is not loaded yet`);
    }
    await markImmutable(ctx, height, answer, finalHeight);
    const { coinbase, fees, total } = reward(height, BigInt(facts.fees_before ?? 0), BigInt(facts.fees));
    sendJson(
      ctx,
      JSON.stringify({
        height,
        coinbase: String(coinbase),
        beneficiary: facts.beneficiary,
        fees: String(fees),
        total: String(total),
      }),
    );
  },
});
