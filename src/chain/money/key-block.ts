/** What a key block does to balances, before all transactions of its generation. See docs/protocol/money.md. */
import { coinbase, leaderShare } from '../protocol/rewards.js';
import { FORTUNA, IRIS } from '../protocol/versions.js';
import { LOCKED } from './movement.js';
import type { Holdings, Movement, Moves } from './movement.js';

/** What a generation earns for its leaders. */
export interface Earnings {
  beneficiary: string;
  version: number;
  /** Fees and gas of its transactions. */
  fees: bigint;
  /** Its leader was reported. */
  isReported: boolean;
}

/** How a network pays its leaders. */
export interface RewardRules {
  /** Key blocks between the one that closes a generation and the one that pays for it. */
  delay: number;
  /** ak_ of the account with a share from Fortuna to Iris; null if there is none. */
  treasury: string | null;
}

export const REWARD_DELAY = 180;

/** Share of the treasury in thousandths, rounded down for each payment. */
const TREASURY_SHARE = 109n;

/** The generation for which a key block pays; negative if it pays for none. */
export const paidGeneration = (height: number, { delay }: RewardRules): number => height - delay - 1;

/** The coins that stand in no block. */
export interface Presets {
  movements: readonly Movement[];
  /** False if the key block gives some that are in no list. */
  areAll: boolean;
}

export const NO_PRESETS: Presets = { movements: [], areAll: true };

interface Opening {
  height: number;
  /** Ended objects are released from it. */
  holdings: Holdings;
  /** Null where it is not known what is paid and when, as on a hyperchain. */
  rules: RewardRules | null;
  /** What generations earned; undefined if that is not known. */
  earnings: (height: number) => Earnings | undefined;
  presets: Presets;
}

/** In the order of the node. */
export function keyBlockMoves({ height, holdings, rules, earnings, presets }: Opening): Moves {
  const moves: Moves = { movements: [], fees: 0n, gaps: [] };
  endObjects(height, holdings, moves.movements);
  moves.movements.push(...presets.movements);
  if (!presets.areAll) moves.gaps.push('preset');
  if (rules === null) {
    if (height > 0) moves.gaps.push('reward');
    return moves;
  }
  const paid = paidGeneration(height, rules);
  if (paid < 0) return moves;
  const [opened, closed] = [earnings(paid), earnings(paid + 1)];
  if (opened === undefined || closed === undefined) moves.gaps.push('result');
  else if (opened.isReported || closed.isReported) moves.gaps.push('fraud');
  else payRewards({ paid, opened, closed }, rules, moves.movements);
  return moves;
}

/** The bid of an auction that ends becomes locked. A query that nobody answered gives its fee back. */
function endObjects(height: number, holdings: Holdings, movements: Movement[]): void {
  // Ids are compared as they are: two copies of a chain must have the same order.
  const ending = [...holdings.endingAfter(height - 1)].sort((a, b) => (a.on + a.id < b.on + b.id ? -1 : 1));
  for (const { on, id, amount, account } of ending) {
    holdings.release({ on, id });
    if (amount === 0n) continue;
    if (on === 'auction') movements.push({ account: LOCKED, kind: 'lock', amount, counterparty: id });
    else movements.push({ account, kind: 'oracle_refund', amount, counterparty: null });
  }
}

/** The leader that opened the generation gets its share of the fees; the one that closed it the rest, and its coinbase. */
function payRewards(
  { paid, opened, closed }: { paid: number; opened: Earnings; closed: Earnings },
  { treasury }: RewardRules,
  movements: Movement[],
): void {
  const share = leaderShare(opened.fees);
  const payments: [string, bigint][] = [
    // Nobody led the genesis block.
    [opened.beneficiary, paid === 0 ? 0n : share],
    [closed.beneficiary, opened.fees - share + coinbase(paid + 1)],
  ];
  const rewards = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void =>
    void rewards.set(account, (rewards.get(account) ?? 0n) + amount);
  for (const [beneficiary, amount] of payments) {
    const tax = treasury === null ? 0n : treasuryShare(opened.version, amount);
    add(beneficiary, amount - tax);
    if (treasury !== null) add(treasury, tax);
  }
  for (const [account, amount] of rewards) {
    const kind = account === treasury ? 'treasury' : 'reward';
    if (amount > 0n) movements.push({ account, kind, amount, counterparty: null });
  }
}

const treasuryShare = (version: number, amount: bigint): bigint =>
  version < FORTUNA || version > IRIS ? 0n : (amount * TREASURY_SHARE) / 1000n;
