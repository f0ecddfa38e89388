import type { JsonObject } from '../../chain/encoding/json.js';
import { channelKey } from '../../chain/protocol/ids.js';
import type { Identities } from './identities.js';
import { remember } from './world.js';
import type { Channel, World } from './world.js';

export const NO_PAYLOAD = 'tx_Xfbg4g==';
/** Rounds between two steps; those of step n are above n times that, and not above the next one's. */
export const STEP_ROUNDS = 10;

const channelId = (tx: JsonObject, ids: Identities): string =>
  ids.encode(
    'ch',
    channelKey(
      ids.decode(tx['initiator_id'] as string),
      BigInt(tx['nonce'] as number),
      ids.decode(tx['responder_id'] as string),
    ),
  );

/** The channel after a transaction of its life, null when it ends with it; undefined for one that is not valid there. */
function changed(channel: Channel, tx: JsonObject, height: number): Channel | null | undefined {
  const big = (member: string): bigint => BigInt(tx[member] as number | bigint);
  const next = { ...channel, step: channel.step + 1 };
  switch (tx['type']) {
    case 'ChannelDepositTx':
      return agreed(next, tx, big('amount'));
    case 'ChannelWithdrawTx':
      return agreed(next, tx, -big('amount'));
    case 'ChannelSetDelegatesTx':
      return agreed(next, tx, 0n);
    case 'ChannelSnapshotSoloTx':
    case 'ChannelForceProgressTx':
      return next;
    case 'ChannelCloseSoloTx':
    case 'ChannelSlashTx':
      return { ...next, lockedUntil: height + channel.lockPeriod };
    default: {
      const isSettled = tx['type'] === 'ChannelSettleTx';
      if (isSettled && (channel.lockedUntil === 0 || height < channel.lockedUntil)) return undefined;
      const paid = big('initiator_amount_final') + big('responder_amount_final') + (isSettled ? 0n : big('fee'));
      return paid > channel.amount ? undefined : null;
    }
  }
}

/** Both sign these, while the channel is open. */
function agreed(channel: Channel, tx: JsonObject, more: bigint): Channel | undefined {
  const [round, amount] = [tx['round'] as number, channel.amount + more];
  if (channel.lockedUntil !== 0 || round <= channel.round || amount < 2n * channel.reserve) return undefined;
  return { ...channel, round, amount };
}

export function applyChannel(world: World, tx: JsonObject, ids: Identities): boolean {
  if (tx['type'] === 'ChannelCreateTx') {
    remember(world, 'channels', {
      id: channelId(tx, ids),
      initiator: tx['initiator_id'] as string,
      responder: tx['responder_id'] as string,
      amount: BigInt(tx['initiator_amount'] as bigint) + BigInt(tx['responder_amount'] as bigint),
      reserve: BigInt(tx['channel_reserve'] as number),
      round: 1,
      lockPeriod: tx['lock_period'] as number,
      lockedUntil: 0,
      step: 0,
    });
    return true;
  }
  const at = world.channels.findIndex(({ id }) => id === tx['channel_id']);
  const channel = world.channels[at];
  const next = channel === undefined ? undefined : changed(channel, tx, world.height);
  if (next === undefined) return false;
  if (next === null) world.channels.splice(at, 1);
  else world.channels[at] = withProof(next, tx);
  return true;
}

/** Rounds of what only one party proves follow from its payload, which is made for the step. */
const withProof = (channel: Channel, tx: JsonObject): Channel =>
  tx['type'] === 'ChannelForceProgressTx'
    ? { ...channel, round: tx['round'] as number }
    : 'payload' in tx && tx['payload'] !== NO_PAYLOAD && tx['type'] !== 'ChannelSetDelegatesTx'
      ? { ...channel, round: channel.step * STEP_ROUNDS }
      : channel;
