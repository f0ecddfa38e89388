import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { NEWEST_KEY_BLOCK } from './generations.js';

interface RewardRow {
  beneficiary: string;
  /** Sum of the fees of the generation's transactions, in aettos. */
  fees: string;
  /** The same of the previous generation; null if that is not stored. */
  fees_before: string | null;
  /** Text of the newest key block, which tells the form of the chain. */
  newest: string;
}

/** What the rewards of a generation are computed from. */
export function rewardFacts(db: Queryable, height: number): Promise<Answer<RewardRow>> {
  return answer<RewardRow>(db, {
    name: 'rewards.facts',
    text: `
      SELECT k.beneficiary, own.fees, before.fees AS fees_before, ${NEWEST_KEY_BLOCK} AS newest
      FROM key_blocks AS k
      JOIN generations AS own ON own.height = k.height
      LEFT JOIN generations AS before ON before.height = k.height - 1
      WHERE k.height = $1::bigint`,
    values: [height],
  });
}
