/** Writes what changed each balance, in parts, behind the load: it follows the stored blocks and their call information. */
import { rewardRulesOf } from '../chain/money/reward-rules.js';
import { hasRewardTable } from '../chain/protocol/rewards.js';
import type { RewardRules } from '../chain/money/key-block.js';
import type { RosettaNode } from '../node/rosetta.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { keyHeadersBelow, readIdentity } from '../store/chain-state.js';
import { numberCommit } from '../store/connection/commit-number.js';
import type { Queryable } from '../store/connection/database.js';
import { beginLedger, extendLedger, isLedgerBehind } from '../store/projections/ledger-extend.js';
import { askAboutAll } from '../store/projections/node-money.js';
import { beginMending } from '../store/write/mend.js';
import type { BesideOptions } from './beside.js';

interface LedgerOptions extends Omit<BesideOptions, 'node' | 'work'> {
  /** How the network pays its leaders; what is known of it if absent. */
  rewards?: RewardRules | undefined;
  /** Waits that long, or less if there is something to do. */
  pauseMs?: number;
  /** Whether the node can be asked what changed balances; absent if no such node is set. */
  rosetta?: Pick<RosettaNode, 'isAway'> | undefined;
}

/** Pause before new blocks are looked for, and after a fault, ms. */
const IDLE_MS = 1_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function keepLedger(options: LedgerOptions): Promise<void> {
  const { database, fence, logger, metrics, signal, rosetta, pauseMs = IDLE_MS } = options;
  let hasBegun = false;
  let hasAsked = false;
  await repeat({
    signal,
    async runOnce() {
      if (!options.mayWork() || (hasBegun && !(await isLedgerBehind(database)))) return pauseMs;
      const height = await database.transaction(async (tx) => {
        await beginMending(tx);
        await fence(tx);
        // Each time: rows of other rules, or of none, are never continued.
        hasBegun = await begin(tx, options.rewards);
        if (hasBegun && rosetta !== undefined && !hasAsked) await askAboutAll(tx);
        hasAsked = hasBegun;
        const asking = { isOn: rosetta !== undefined, isAway: rosetta?.isAway() === true };
        const reached = hasBegun ? await extendLedger(tx, asking) : null;
        if (reached !== null) await numberCommit(tx);
        return reached;
      });
      if (height === null) return pauseMs;
      metrics.ledgerHeight.set(height);
      return 0;
    },
    onFault(error) {
      hasBegun = false;
      logger.warn({ reason: reasonOf(error) }, 'Could not write what changed balances, will retry');
      return pauseMs;
    },
  });
}

/** Returns whether the network is known: its first key block tells how leaders are paid. */
async function begin(tx: Parameters<typeof beginLedger>[0], rewards: RewardRules | undefined): Promise<boolean> {
  const network = await networkOf(tx);
  if (network === null) return false;
  const { networkId, consensus } = network;
  const rules = rewards ?? rewardRulesOf(networkId, consensus);
  await beginLedger(tx, networkId, rules, rules === null && hasRewardTable(consensus));
  return true;
}

async function networkOf(
  db: Queryable,
): Promise<{ networkId: string; consensus: Parameters<typeof rewardRulesOf>[1] } | null> {
  const identity = await readIdentity(db);
  const first = (await keyHeadersBelow(db, 2, 1))[0];
  return identity === null || first === undefined
    ? null
    : { networkId: identity.networkId, consensus: first.consensus };
}
