/** Transactions in blocks of a generated chain that the generator did not make: somebody posted them. */
import type { JsonObject } from '../../chain/encoding/json.js';
import { nameHash } from '../../chain/protocol/ids.js';
import type { ChainStore } from '../store/chain-store.js';
import { innerOf, text } from '../ledger/members.js';
import type { Rules } from '../ledger/rules.js';
import { tryExecute } from './execute.js';
import type { Sealed } from './seal.js';
import type { WorldDraft } from './world-draft.js';
import { remove } from './world.js';
import type { World } from './world.js';

export interface PostedTransaction extends Sealed {
  /** As the node prints it. */
  tx: JsonObject;
}

/** What executing each of them gave, as `/info` prints it, by `th_…`; null for nothing. A transaction that is not in there was not posted. */
export const resultsOfPosted = (store: ChainStore) => store.annotations<string | null>('posted');

/** The generator knows only its own accounts: of what others do, only what they take away from those concerns it. */
export function applyPosted(draft: WorldDraft, tx: JsonObject, rules: Rules): void {
  if (!tryExecute(draft, tx, rules)) leaveAuction(draft.world, tx);
}

/** A bid of somebody else: the generator leaves the name to the others. */
function leaveAuction(world: World, tx: JsonObject): void {
  if (tx['tx'] !== undefined) return leaveAuction(world, innerOf(tx));
  if (tx['type'] === 'NameClaimTx') remove(world, 'names', nameHash(text(tx, 'name')));
}
