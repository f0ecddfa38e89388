/** Compares where all coins are with what a node says of them (`/v3/debug/token-supply`), part by part. */
import { exactInteger, isObject, parseExact } from '../chain/encoding/json.js';
import type { JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import { heightOf } from '../chain/position.js';
import { issuedUpTo } from '../chain/protocol/rewards.js';
import type { Queryable } from '../store/connection/database.js';
import { readLedger } from '../store/projections/ledger-blocks.js';
import { supplyAfter } from '../store/queries/supply.js';

interface SupplyPart {
  part: string;
  ours: bigint;
  node: bigint;
}

/** Where it can be compared: the last key blocks of ranges, or that of the last height with movements. None where contracts pay the leaders. */
export async function supplyHeights(
  db: Queryable,
  ranges: readonly { to: number }[] | undefined,
): Promise<readonly number[]> {
  const ledger = await readLedger(db, false);
  if (ledger === undefined || (ledger.rules.rewards === null && !ledger.rules.listsRewards)) return [];
  const top = heightOf(ledger.position);
  return [...new Set((ranges ?? [{ to: top }]).map(({ to }) => Math.min(to, top)))];
}

/** Parts that differ after a key block; undefined if it is not stored, or movements are not written up to it. `text`: the answer of the node. */
export async function wrongSupply(
  db: Queryable,
  { height, hash }: { height: number; hash: string },
  text: string,
): Promise<SupplyPart[] | undefined> {
  const supply = parseExact(text);
  if (!isObject(supply)) throw new MalformedError('token supply: not an object');
  const ours = await supplyAfter(db, height, hash);
  if (ours === undefined) return undefined;
  const of = (...members: string[]): bigint => members.reduce((sum, member) => sum + amountIn(supply, member), 0n);
  const { balances, locked, held, channels, deposits, fees, rewards } = ours;
  const pending = issuedUpTo(height) - issuedUpTo(0) + fees - rewards;
  const parts: SupplyPart[] = [
    // The node counts the deposit of a contract with its balance.
    {
      part: 'balances',
      ours: balances + deposits,
      node: of('accounts', 'contracts', 'contract_oracles', 'oracles', 'locked'),
    },
    { part: 'locked', ours: locked, node: of('locked') },
    { part: 'bids and queries', ours: held, node: of('auctions', 'oracle_queries') },
    { part: 'channels', ours: channels, node: of('channels') },
    { part: 'pending rewards', ours: pending, node: of('pending_rewards') },
    { part: 'total', ours: balances + deposits + held + channels + pending, node: of('total') },
  ];
  return parts.filter((one) => one.ours !== one.node);
}

function amountIn(supply: JsonObject, member: string): bigint {
  const value = exactInteger(supply[member]);
  if (value === undefined) throw new MalformedError(`token supply: no ${member}`);
  return value;
}
