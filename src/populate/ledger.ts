/** Writes what changed each balance, in parts, behind the load: it follows the stored blocks and their call information. */
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { rewardRulesOf } from '../chain/money/reward-rules.js';
import type { Consensus } from '../chain/protocol/generations.js';
import { hasRewardTable } from '../chain/protocol/rewards.js';
import type { RewardRules } from '../chain/money/key-block.js';
import type { ChainNode } from '../node/client.js';
import type { RosettaNode } from '../node/rosetta.js';
import { MiddlewareError, reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { keyHeadersBelow, readIdentity } from '../store/chain-state.js';
import type { Identity } from '../store/chain-state.js';
import { numberCommit } from '../store/connection/commit-number.js';
import type { DbTransaction, Queryable } from '../store/connection/database.js';
import {
  beginLedger,
  extendLedger,
  isLedgerBehind,
  takeGenesisAccounts,
  takePresets,
} from '../store/projections/ledger-extend.js';
import { askAboutAll } from '../store/projections/node-money.js';
import { beginMending } from '../store/write/mend.js';
import type { BesideOptions } from './beside.js';
import { checkGenesisAccounts } from './genesis-accounts.js';

interface LedgerOptions extends Omit<BesideOptions, 'node' | 'work'> {
  /** How the network pays its leaders; what is known of it if absent. */
  rewards?: RewardRules | undefined;
  /** Waits that long, or less if there is something to do. */
  pauseMs?: number;
  /** Whether the node can be asked what changed balances; absent if no such node is set. */
  rosetta?: Pick<RosettaNode, 'isAway'> | undefined;
  /** The coins of the genesis block, and the node that they are compared with; absent if none are set. */
  genesis?: { accounts: GenesisAccounts; node: Pick<ChainNode, 'get'> } | undefined;
}

/** Pause before new blocks are looked for, and after a fault, ms. */
const IDLE_MS = 1_000;
/** Pause if a setting is wrong: it is read again only by another process, but the node may have been wrong, ms. */
const WRONG_MS = 60_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function keepLedger(options: LedgerOptions): Promise<void> {
  const { database, fence, logger, metrics, signal, rosetta, pauseMs = IDLE_MS } = options;
  let hasBegun = false;
  let hasAsked = false;
  await repeat({
    signal,
    async runOnce() {
      if (!options.mayWork() || (hasBegun && !(await isLedgerBehind(database)))) return pauseMs;
      if (!hasBegun) await checkGenesis(options);
      const height = await database.transaction(async (tx) => {
        await beginMending(tx);
        await fence(tx);
        // Each time: rows of other rules, or of none, are never continued.
        hasBegun = await begin(tx, options, !hasBegun);
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
      return error instanceof MiddlewareError && error.code === 'invalid_config' ? WRONG_MS : pauseMs;
    },
  });
}

async function checkGenesis({ database, genesis, logger }: LedgerOptions): Promise<void> {
  const network = genesis && (await networkOf(database));
  if (network) await checkGenesisAccounts(database, network, { ...genesis, logger });
}

/**
 * Returns whether the network is known: its first key block tells how leaders are paid. `isFirst`: also looks for coins of the genesis block that
 * the rows so far are without.
 */
async function begin(
  tx: DbTransaction,
  { rewards, genesis }: Pick<LedgerOptions, 'rewards' | 'genesis'>,
  isFirst: boolean,
): Promise<boolean> {
  const network = await networkOf(tx);
  if (network === null) return false;
  const { networkId, consensus } = network;
  const rules = rewards ?? rewardRulesOf(networkId, consensus);
  await beginLedger(tx, networkId, rules, rules === null && hasRewardTable(consensus));
  if (!isFirst) return true;
  await takePresets(tx, networkId);
  if (genesis !== undefined) await takeGenesisAccounts(tx, genesis.accounts);
  return true;
}

interface LedgerNetwork extends Identity {
  consensus: Consensus | undefined;
}

async function networkOf(db: Queryable): Promise<LedgerNetwork | null> {
  const identity = await readIdentity(db);
  const first = (await keyHeadersBelow(db, 2, 1))[0];
  return identity === null || first === undefined ? null : { ...identity, consensus: first.consensus };
}
