import type { Router } from '@koa/router';
import { reward } from '../../chain/rewards.js';
import { MiddlewareError } from '../../observe/errors.js';
import { rewardFacts } from '../../store/queries/rewards.js';
import type { ApiDeps } from '../deps.js';
import { heightParam } from '../parse.js';
import { found, sendJson, tellDepth } from '../reply.js';

export function rewardRoutes(router: Router, { db, config }: ApiDeps): void {
  router.get('/middleware/reward/height/:height', async (ctx) => {
    const height = heightParam(ctx, 'height');
    const answer = await rewardFacts(db, height);
    const facts = found(ctx, answer);
    // Part of the fees comes from the generation before: without it there is no true figure.
    if (facts.fees_before === null && height > 0) {
      throw new MiddlewareError('not_found', 'not_found', `Not found: height ${height - 1} is not loaded yet`);
    }
    tellDepth(ctx, height, answer, config.cacheDepth);
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
  });
}
