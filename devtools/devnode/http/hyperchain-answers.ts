/** The endpoints about the contracts of a hyperchain, which nodes have since 7.3. */
import { parseExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { ELECTION, STAKING } from '../ledger/hyperchain.js';
import type { Epochs } from '../ledger/epochs.js';
import type { ChainStore } from '../store/chain-store.js';
import type { ChainView } from '../store/chain-view.js';
import type { Answer } from '../wire/answer.js';
import { NOT_FOUND, ok } from '../wire/answer.js';

/** The network to which generated hyperchains are pinned. It does not exist. */
const PARENT_NETWORK = 'ae_dev';

export const createHyperchainAnswers =
  (store: ChainStore, epochs: Epochs) =>
  (path: string, view: ChainView): Answer => {
    switch (path) {
      case 'contracts':
        return ok(JSON.stringify({ election: ELECTION, rewards: STAKING, staking: STAKING }));
      case 'pin-tx':
        return ok(JSON.stringify(pin(store, view, epochs)));
      default:
        return NOT_FOUND;
    }
  };

/** What is to be written to the parent chain: the last key block of the epoch before. The leader is that of the newest key block, as nobody knows later ones. */
function pin(store: ChainStore, view: ChainView, epochs: Epochs): JsonObject {
  const { epoch, height } = epochs.lastEnded(view.height);
  const hash = store.id(view.keyAt(height));
  const { miner } = parseExact(store.blockText(view.keyAt(view.height)).toString()) as JsonObject;
  const hex = (value: number): string => value.toString(16).toUpperCase();
  return {
    block_hash: hash,
    epoch,
    height,
    last_leader: miner!,
    parent_network_id: PARENT_NETWORK,
    parent_payload: `${hex(epoch)}:${hex(height)} ${hash}`,
    parent_type: 'aeternity',
  };
}
