/** Posted transactions in a generated chain, which the generator did not make itself. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { nameHash } from '../../../src/chain/protocol/ids.js';
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

/** Results of posted transactions in the format of `/info`, by `th_…`; null for a transaction without result. Other transactions have no entry. */
export const resultsOfPosted = (store: ChainStore) => store.annotations<string | null>('posted');

/** Applies a posted transaction to the world. The world contains only generated accounts, so most posted transactions cannot be executed there. */
export function applyPosted(draft: WorldDraft, tx: JsonObject, rules: Rules): void {
  if (!tryExecute(draft, tx, rules)) leaveAuction(draft.world, tx);
}

/** After the bid of another account, the generator no longer uses the name. */
function leaveAuction(world: World, tx: JsonObject): void {
  if (tx['tx'] !== undefined) return leaveAuction(world, innerOf(tx));
  if (tx['type'] === 'NameClaimTx') remove(world, 'names', nameHash(text(tx, 'name')));
}
