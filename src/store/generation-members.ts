/** What `generation_changes` counts. */

/** Codes; never changed once released. */
export const MEMBERS = {
  auctions_started: 1,
  auctions_ended: 2,
  names_activated: 3,
  names_expired: 4,
  names_revoked: 5,
  oracles_registered: 6,
  oracles_expired: 7,
  contracts_created: 8,
  channels_opened: 9,
  accounts: 10,
  block_reward: 20,
  dev_reward: 21,
  locked_in_auctions: 22,
  burned_in_auctions: 23,
  open_channels: 24,
  locked_in_channels: 25,
} as const;

/** The first code of what follows from the ledger. */
export const OF_LEDGER = 20;

/** Logarithms of the numbers of generations of a row, from the shortest to the longest. */
export const SPANS = [0, 8, 16] as const;
