/** Sums up all coins by where they are, in the format of `/debug/token-supply`. */
import { LOCKED_ACCOUNT } from './execution.js';
import type { State } from './state.js';

/** Members with the names of the node. */
interface Supply {
  accounts: bigint;
  auctions: bigint;
  channels: bigint;
  contract_oracles: bigint;
  contracts: bigint;
  locked: bigint;
  oracle_queries: bigint;
  oracles: bigint;
  pending_rewards: bigint;
  total: bigint;
}

export function supplyOf(state: State): Supply {
  const supply: Supply = {
    accounts: 0n,
    auctions: 0n,
    channels: 0n,
    contract_oracles: 0n,
    contracts: 0n,
    locked: 0n,
    oracle_queries: 0n,
    oracles: 0n,
    pending_rewards: 0n,
    total: 0n,
  };
  for (const [key, { balance }] of state.all('account')) supply[kindOf(state, `ak_${key}`)] += balance;
  // As real nodes do: a deposit is in no balance.
  for (const [, { id, deposit }] of state.all('contract')) supply[kindOf(state, id)] += deposit;
  for (const [, { amount }] of state.all('channel')) supply.channels += amount;
  for (const [, { bid }] of state.all('auction')) supply.auctions += bid;
  for (const [, { fee, response }] of state.all('query')) if (response === undefined) supply.oracle_queries += fee;
  for (const [, { fees, coinbase }] of state.all('earnings')) supply.pending_rewards += fees + coinbase;
  supply.total = Object.values<bigint>({ ...supply }).reduce((sum, part) => sum + part, 0n);
  return supply;
}

function kindOf(state: State, id: string): 'accounts' | 'contract_oracles' | 'contracts' | 'locked' | 'oracles' {
  if (id === LOCKED_ACCOUNT) return 'locked';
  const isOracle = state.oracle(id) !== undefined;
  if (state.contract(id) !== undefined) return isOracle ? 'contract_oracles' : 'contracts';
  return isOracle ? 'oracles' : 'accounts';
}
