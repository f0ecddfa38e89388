/**
 * What the contracts of a hyperchain pay, and what the calls do that the node itself makes to them. Nobody runs them here: amounts and heights are those that
 * a real hyperchain was seen to have.
 */
import { AETTOS_PER_COIN } from '../../../src/chain/protocol/rewards.js';
import type { Epochs } from './epochs.js';
import { credit, debit } from './execution.js';
import type { Draft } from './state.js';

/** Owner of the contracts, for whom the node itself calls them. */
export const CONTRACT_OWNER = 'ak_11111111111111111111111111111115rHyByZ';
/** The contracts that elect the leaders, and hold what they stake. Real nodes have them under these addresses, which follow from the owner. */
export const ELECTION = 'ct_LRbi65kmLtE7YMkG6mvG5TxAXTsPJDZjAtsPuaXtRyPA7gnfJ';
export const STAKING = 'ct_KJgjAXMtRF68AbT5A2aC9fTk8PA4WFv26cFSY27fXs6FtYQHK';

/** The account with the coins of a contract. */
export const accountOf = (contract: string): string => `ak_${contract.slice('ct_'.length)}`;

/** A setting of a network. */
const COINBASE = 100n * AETTOS_PER_COIN;
/** A key block pays for the one so many heights below. */
const DELAY = 2;
/** Aettos that the owner gets with each call of the node. Nobody takes them back. */
const FOR_CALL = 25n * 10n ** 28n;
const CALLS = { microBlock: 1, keyBlock: 4, lastOfEpoch: 5 };

interface LedBlock {
  height: number;
  version: number;
  /** ak_ */
  beneficiary: string;
  /** The next leader made it for one that stayed away, who gets nothing. */
  isHole?: boolean;
}

export const callInMicroBlock = (draft: Draft): void => call(draft, CALLS.microBlock);

/** Each key block pays into the election contract; the last one of an epoch passes what the epoch before has earned on to the stakes. */
export function openLedGeneration(
  draft: Draft,
  { height, version, beneficiary, isHole = false }: LedBlock,
  epochs: Epochs,
): void {
  // Micro blocks say the height of the key block after them.
  const fees = draft.earnings(height)?.fees ?? 0n;
  const earned = isHole || height === 0 ? { fees: 0n, coinbase: 0n } : { fees, coinbase: COINBASE };
  draft.putEarnings(height, { ...earned, beneficiary, version });
  draft.putEarnings(height + 1, { fees: 0n, coinbase: 0n, beneficiary, version });
  const isLast = epochs.isLast(height);
  call(draft, isLast ? CALLS.lastOfEpoch : CALLS.keyBlock);
  const paid = totalAt(draft, height - DELAY);
  if (paid > 0n) credit(draft, accountOf(ELECTION), paid);
  // The leaders of a very short epoch are not paid yet when the next one ends: the end after that passes it on.
  if (isLast) passOn(draft, Math.min(epochs.lastEnded(height - 1).height, height - DELAY));
}

/** Passes on what was earned up to a height and not passed on before. */
function passOn(draft: Draft, upTo: number): void {
  let sum = 0n;
  for (let height = upTo; draft.earnings(height) !== undefined; height--) {
    sum += totalAt(draft, height);
    draft.putEarnings(height, undefined);
  }
  debit(draft, accountOf(ELECTION), sum);
  credit(draft, accountOf(STAKING), sum);
}

function totalAt(draft: Draft, height: number): bigint {
  const { fees, coinbase } = draft.earnings(height) ?? { fees: 0n, coinbase: 0n };
  return fees + coinbase;
}

function call(draft: Draft, times: number): void {
  credit(draft, CONTRACT_OWNER, FOR_CALL * BigInt(times));
  const owner = draft.account(CONTRACT_OWNER)!;
  draft.put('account', CONTRACT_OWNER, { ...owner, nonce: owner.nonce + BigInt(times) });
}
