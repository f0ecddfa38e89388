/** Effects of a key block, before all transactions of its generation: objects expire, and leaders are paid. */
import { coinbase, leaderShare } from '../../../src/chain/protocol/rewards.js';
import { FORTUNA, IRIS } from '../../../src/chain/protocol/versions.js';
import { credit } from './execution.js';
import { openLedGeneration } from './hyperchain.js';
import { closeAuction, endName } from './names.js';
import { endOracle, endQuery } from './oracles.js';
import type { Rules } from './rules.js';
import type { Draft, Ending } from './state.js';

interface Opening {
  height: number;
  version: number;
  /** ak_ */
  beneficiary: string;
  /** Whether the key block of a hyperchain was made for a leader that stayed away. */
  isHole?: boolean;
}

export function openGeneration(draft: Draft, opening: Opening, rules: Rules): void {
  const { height, version, beneficiary } = opening;
  beginGeneration(draft, height, version);
  if (rules.consensus === 'hyperchain') return openLedGeneration(draft, opening, rules.epochs);
  draft.putEarnings(height, { fees: 0n, coinbase: coinbase(height), beneficiary, version });
  payRewards(draft, height, rules);
}

/** Transactions of a micro block take effect at its height, which may be above that of its key block. */
export const beginMicroBlock = (draft: Draft, keyHeight: number, rules: Rules): void =>
  draft.startGeneration(rules.microHeightAfter(keyHeight), draft.version);

/** The effects of a key block except rewards. */
export function beginGeneration(draft: Draft, height: number, version: number): void {
  draft.startGeneration(height, version);
  for (const ending of draft.expiring(height - 1)) endObject(draft, ending, height - 1);
  draft.forget(height - 1);
}

/** Ends an object if it really expires at `height`. An object that was extended is still listed under its old height. */
function endObject(draft: Draft, { kind, id }: Ending, height: number): void {
  switch (kind) {
    case 'preclaim':
      if (draft.preclaim(id)?.expires === height) draft.put('preclaim', id, undefined);
      return;
    case 'name': {
      const name = draft.name(id);
      if (name?.expires === height) endName({ draft }, name);
      return;
    }
    case 'auction': {
      const auction = draft.auction(id);
      if (auction?.endsAt === height) closeAuction({ draft }, auction);
      return;
    }
    case 'oracle': {
      const oracle = draft.oracle(id);
      if (oracle?.expires === height) endOracle(draft, oracle);
      return;
    }
    case 'query': {
      const query = draft.query(id);
      if (query?.expires === height) endQuery(draft, query);
    }
  }
}

/** The leader that opened the generation gets `leaderShare` of its fees. The one that closed it gets the rest of the fees and the coinbase. */
function payRewards(draft: Draft, height: number, rules: Rules): void {
  const paid = height - rules.rewardDelay - 1;
  if (paid < 0) return;
  const opened = draft.earnings(paid);
  const closed = draft.earnings(paid + 1);
  if (opened === undefined || closed === undefined) return;
  const leader = leaderShare(opened.fees);
  const rest = opened.fees - leader + closed.coinbase;
  const payment = (amount: bigint, beneficiary: string): void => {
    const share = protocolShareOf(opened.version, amount, rules);
    if (amount > share) credit(draft, beneficiary, amount - share);
    if (share > 0n) credit(draft, rules.protocolBeneficiary, share);
  };
  if (paid > 0) payment(leader, opened.beneficiary);
  payment(rest, closed.beneficiary);
  draft.putEarnings(paid, undefined);
  draft.putEarnings(paid + 1, { ...closed, coinbase: 0n });
}

function protocolShareOf(version: number, amount: bigint, rules: Rules): bigint {
  if (version < FORTUNA || version > IRIS) return 0n;
  return (amount * rules.protocolShare) / 1000n;
}
