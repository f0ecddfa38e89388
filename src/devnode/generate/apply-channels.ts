import { hash } from '../../chain/encoding.js';
import type { JsonObject } from '../../chain/json.js';
import { be32 } from './identities.js';
import type { Identities } from './identities.js';
import { remember } from './world.js';
import type { World } from './world.js';

/** Transactions that end a channel. */
const ENDS = new Set(['ChannelCloseMutualTx', 'ChannelSettleTx']);

export const channelId = (tx: JsonObject, ids: Identities): string =>
  ids.encode(
    'ch',
    hash(
      ids.decode(tx['initiator_id'] as string),
      be32(tx['nonce'] as number),
      ids.decode(tx['responder_id'] as string),
    ),
  );

/** Channels only remember how far their life went; amounts and rounds are taken as they come. */
export function applyChannel(world: World, tx: JsonObject, ids: Identities): boolean {
  if (tx['type'] === 'ChannelCreateTx') {
    const [initiator, responder] = [tx['initiator_id'] as string, tx['responder_id'] as string];
    remember(world, 'channels', { id: channelId(tx, ids), initiator, responder, step: 0 });
    return true;
  }
  const at = world.channels.findIndex(({ id }) => id === tx['channel_id']);
  const channel = world.channels[at];
  if (channel === undefined) return false;
  if (ENDS.has(tx['type'] as string)) world.channels.splice(at, 1);
  else world.channels[at] = { ...channel, step: channel.step + 1 };
  return true;
}
