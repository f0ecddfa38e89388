/** What the rules of money need to know of a network. */
import { KNOWN } from '../networks.js';
import type { Consensus } from '../protocol/generations.js';
import { hasRewardTable } from '../protocol/rewards.js';
import { FORTUNA, LIMA, MINERVA } from '../protocol/versions.js';
import { REWARD_DELAY } from './key-block.js';
import type { RewardRules } from './key-block.js';

const TREASURY = 'ak_2KAcA2Pp1nrR8Wkt3FtCkReGzAi8vJ9Snxa4PcmrthVx8AhPe8';
const TREASURY_OF_TEST_NETWORK = 'ak_2A3PZPfMC2X7ZVy4qGXz2xh2Lbh79Q4UvZ5fdH7QVFocEgcKzU';

/** Null on a hyperchain, whose contracts pay. */
export function rewardRulesOf(networkId: string, consensus: Consensus | undefined): RewardRules | null {
  if (!hasRewardTable(consensus)) return null;
  return { delay: REWARD_DELAY, treasury: networkId === 'ae_uat' ? TREASURY_OF_TEST_NETWORK : TREASURY };
}

/** Whether coins were given to accounts at hard forks. */
export const hasForkPresets = (networkId: string): boolean => KNOWN.some(({ id }) => id === networkId);

/** Whether the first key block of a protocol version gives coins on networks with such presets. */
export const isForkWithPresets = (version: number, before: number): boolean =>
  version !== before && [MINERVA, FORTUNA, LIMA].includes(version);
