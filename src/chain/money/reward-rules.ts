/** What the rules of money need to know of a network. */
import { KNOWN } from '../networks.js';
import type { Consensus } from '../protocol/generations.js';
import { hasRewardTable } from '../protocol/rewards.js';
import { REWARD_DELAY } from './key-block.js';
import type { RewardRules } from './key-block.js';

const TREASURY = 'ak_2KAcA2Pp1nrR8Wkt3FtCkReGzAi8vJ9Snxa4PcmrthVx8AhPe8';
const TREASURY_OF_TEST_NETWORK = 'ak_2A3PZPfMC2X7ZVy4qGXz2xh2Lbh79Q4UvZ5fdH7QVFocEgcKzU';

const isBuiltIn = (networkId: string): boolean => KNOWN.some(({ id }) => id === networkId);

/** Null on a hyperchain, whose contracts pay, and on a network that is not built in: its nodes do not tell the delay. */
export const rewardRulesOf = (networkId: string, consensus: Consensus | undefined): RewardRules | null =>
  hasRewardTable(consensus) && isBuiltIn(networkId) ? rulesWithDelay(networkId, REWARD_DELAY) : null;

/** The rules of a network that has a reward table. */
export const rulesWithDelay = (networkId: string, delay: number): RewardRules => ({
  delay,
  treasury: networkId === 'ae_uat' ? TREASURY_OF_TEST_NETWORK : TREASURY,
});
