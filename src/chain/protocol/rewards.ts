/** Rewards of the beneficiary of a key block. All amounts are in aettos. See docs/protocol/rewards.md. */
import type { Consensus } from './generations.js';
import { FALLS, RISES } from './rewards-schedule.js';

export const AETTOS_PER_COIN = 10n ** 18n;

interface Reward {
  coinbase: bigint;
  fees: bigint;
  total: bigint;
}

/** Whether the table says what the key blocks of a chain issue: the contracts of a hyperchain pay its leaders what they are set to. */
export const hasRewardTable = (consensus: Consensus | undefined): boolean => consensus !== 'hyperchain';

/** Amount issued for the key block at a height. It rises by one coin at each height of `RISES` and falls by one at each of `FALLS`. */
export function coinbase(height: number): bigint {
  return BigInt(countUpTo(RISES, height) - countUpTo(FALLS, height)) * AETTOS_PER_COIN;
}

/** Amount issued for the key blocks up to a height, itself included. */
export function issuedUpTo(height: number): bigint {
  const coins = (changes: readonly number[]): number =>
    changes.reduce((sum, from) => sum + Math.max(0, height - from + 1), 0);
  return BigInt(coins(RISES) - coins(FALLS)) * AETTOS_PER_COIN;
}

/** `feesBefore`: fees of the previous generation; `fees`: fees of the generation that the key block opened. */
export function reward(height: number, feesBefore: bigint, fees: bigint): Reward {
  const issued = coinbase(height);
  const earned = height === 0 ? 0n : feesBefore - leaderShare(feesBefore) + leaderShare(fees);
  return { coinbase: issued, fees: earned, total: issued + earned };
}

/** 40 % of the fees, rounded down, for the miner that opened the generation. The miner that closed it gets the rest. */
export const leaderShare = (fees: bigint): bigint => (fees * 4n) / 10n;

/** Number of entries at or below the height; the list is ascending. */
function countUpTo(heights: readonly number[], height: number): number {
  let low = 0;
  let high = heights.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (heights[middle]! <= height) low = middle + 1;
    else high = middle;
  }
  return low;
}
