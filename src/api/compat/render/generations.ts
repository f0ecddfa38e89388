/** Rows of what changed in a generation, and of the sums before it. */
import type { JsonObject } from '../../../chain/encoding/json.js';
import { presetsBelow } from '../../../chain/money/presets.js';
import type { GenerationRow, TotalsRow } from '../../../store/queries/compat/generation-changes.js';

const number = (text: string): number => Number(text);

export function changesRow(row: GenerationRow): JsonObject {
  const { ofLedger, ofRewards } = known(row);
  const opened = BigInt(row.channels_opened);
  return {
    height: number(row.height),
    auctions_started: number(row.auctions_started),
    names_activated: number(row.names_activated),
    names_expired: number(row.names_expired),
    names_revoked: number(row.names_revoked),
    oracles_registered: number(row.oracles_registered),
    oracles_expired: number(row.oracles_expired),
    contracts_created: number(row.contracts_created),
    block_reward: ofRewards(BigInt(row.block_reward)),
    dev_reward: ofRewards(BigInt(row.dev_reward)),
    locked_in_auctions: ofLedger(BigInt(row.locked_in_auctions)),
    burned_in_auctions: ofLedger(BigInt(row.burned_in_auctions)),
    channels_opened: Number(opened),
    channels_closed: ofLedger(opened - BigInt(row.open_channels)),
    locked_in_channels: ofLedger(BigInt(row.locked_in_channels)),
    accounts: number(row.accounts),
    last_tx_hash: row.last_hash,
  };
}

export function totalsRow(row: TotalsRow): JsonObject {
  const { ofLedger, ofRewards } = known(row);
  const presets = presetsOf(row);
  const expired = number(row.names_expired) + number(row.names_revoked);
  return {
    height: number(row.height),
    active_auctions: number(row.auctions_started) - number(row.auctions_ended),
    active_names: number(row.names_activated) - expired,
    inactive_names: expired,
    active_oracles: number(row.oracles_registered) - number(row.oracles_expired),
    inactive_oracles: number(row.oracles_expired),
    contracts: number(row.contracts_created),
    open_channels: ofLedger(BigInt(row.open_channels)),
    locked_in_channels: ofLedger(BigInt(row.locked_in_channels)),
    locked_in_auctions: ofLedger(BigInt(row.locked_in_auctions)),
    burned_in_auctions: ofLedger(BigInt(row.burned_in_auctions)),
    sum_block_reward: ofRewards(BigInt(row.block_reward)),
    sum_dev_reward: ofRewards(BigInt(row.dev_reward)),
    total_token_supply:
      presets === undefined ? null : ofRewards(presets + BigInt(row.block_reward) + BigInt(row.dev_reward)),
    accounts: number(row.accounts),
    last_tx_hash: row.last_hash,
  };
}

/** What key blocks below gave, in lists or as it was said; undefined if that is not known. */
function presetsOf({ network_id: networkId, genesis_coins: genesis, height }: TotalsRow): bigint | undefined {
  const listed = networkId === null ? undefined : presetsBelow(networkId, number(height));
  return listed ?? (genesis === null ? undefined : BigInt(genesis));
}

type Known = (value: bigint) => bigint | null;

/** Null for what is not known yet, or never. */
function known({
  has_ledger: hasLedger,
  has_rewards: hasRewards,
}: GenerationRow): Record<'ofLedger' | 'ofRewards', Known> {
  return {
    ofLedger: (value) => (hasLedger ? value : null),
    ofRewards: (value) => (hasLedger && hasRewards ? value : null),
  };
}
