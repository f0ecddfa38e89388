/** Effects of channel transactions. The state that both parties agreed on off chain is read from the signed payload and not checked. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { channelId } from '../../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { parseSigned } from '../../../src/chain/serialize/parse.js';
import { credit, debit, distinctionOf, lock } from './execution.js';
import type { Effects, Execution } from './execution.js';
import { forcedCall } from './contracts.js';
import { big, count, originOf, text } from './members.js';
import { Refusal } from './types.js';
import type { Channel, Info } from './types.js';

export const NO_PAYLOAD = 'tx_Xfbg4g==';

function create(execution: Execution, tx: JsonObject): undefined {
  const { draft } = execution;
  const [initiator, responder] = [text(tx, 'initiator_id'), text(tx, 'responder_id')];
  const [initiatorAmount, responderAmount] = [big(tx, 'initiator_amount'), big(tx, 'responder_amount')];
  const reserve = big(tx, 'channel_reserve');
  if (initiatorAmount < reserve) throw new Refusal('insufficient_initiator_amount');
  if (responderAmount < reserve) throw new Refusal('insufficient_responder_amount');
  const id = channelId(initiator, distinctionOf(execution, tx), responder);
  if (draft.channel(id) !== undefined) throw new Refusal('channel_already_exists');
  debit(draft, initiator, initiatorAmount);
  debit(draft, responder, responderAmount);
  draft.put('channel', id, {
    id,
    initiator,
    responder,
    initiatorAmount,
    responderAmount,
    amount: initiatorAmount + responderAmount,
    reserve,
    lockPeriod: count(tx, 'lock_period'),
    lockedUntil: 0,
    round: 1n,
    soloRound: 0n,
    stateHash: text(tx, 'state_hash'),
    delegates: tx['delegate_ids']!,
  });
}

function channelOf({ draft }: Execution, tx: JsonObject): Channel {
  const channel = draft.channel(text(tx, 'channel_id'));
  if (channel === undefined) throw new Refusal('channel_does_not_exist');
  return channel;
}

const isParty = ({ initiator, responder }: Channel, account: string): boolean =>
  account === initiator || account === responder;

function channelOfParty(execution: Execution, tx: JsonObject): Channel {
  const channel = channelOf(execution, tx);
  if (!isParty(channel, originOf(tx))) throw new Refusal('account_not_peer');
  return channel;
}

/** Transactions that both parties sign need an active channel and a newer round. */
function activeChannel(execution: Execution, tx: JsonObject): Channel {
  const channel = channelOfParty(execution, tx);
  if (channel.lockedUntil !== 0) throw new Refusal('channel_not_active');
  if (big(tx, 'round') <= channel.round) throw new Refusal('old_round');
  return { ...channel, round: big(tx, 'round'), soloRound: 0n, stateHash: text(tx, 'state_hash') };
}

function deposit(execution: Execution, tx: JsonObject): undefined {
  const channel = activeChannel(execution, tx);
  const amount = big(tx, 'amount');
  debit(execution.draft, originOf(tx), amount);
  const share = originOf(tx) === channel.initiator ? 'initiatorAmount' : 'responderAmount';
  execution.draft.put('channel', channel.id, {
    ...channel,
    amount: channel.amount + amount,
    [share]: channel[share] + amount,
  });
}

function withdraw(execution: Execution, tx: JsonObject): undefined {
  const channel = activeChannel(execution, tx);
  const amount = big(tx, 'amount');
  if (channel.amount - amount < 2n * channel.reserve) throw new Refusal('not_enough_channel_funds');
  credit(execution.draft, originOf(tx), amount);
  const share = originOf(tx) === channel.initiator ? 'initiatorAmount' : 'responderAmount';
  execution.draft.put('channel', channel.id, {
    ...channel,
    amount: channel.amount - amount,
    [share]: channel[share] - amount,
  });
}

function setDelegates(execution: Execution, tx: JsonObject): undefined {
  const channel = activeChannel(execution, tx);
  const delegates = { initiator: tx['initiator_delegate_ids']!, responder: tx['responder_delegate_ids']! };
  execution.draft.put('channel', channel.id, { ...channel, delegates });
}

/** Round and state hash of the payload; those of the channel if there is no payload. */
function provenState(channel: Channel, tx: JsonObject): Pick<Channel, 'round' | 'stateHash'> {
  const payload = text(tx, 'payload');
  if (payload === NO_PAYLOAD) return { round: channel.round, stateHash: channel.stateHash };
  const { tx: offchain } = parseSigned(decodeId(payload, 'tx'));
  if (offchain['channel_id'] !== channel.id) throw new Refusal('bad_channel_id');
  return { round: big(offchain, 'round'), stateHash: text(offchain, 'state_hash') };
}

function snapshot(execution: Execution, tx: JsonObject): undefined {
  const channel = channelOfParty(execution, tx);
  const { round, stateHash } = provenState(channel, tx);
  if (round <= channel.round) throw new Refusal('old_round');
  execution.draft.put('channel', channel.id, { ...channel, round, soloRound: 0n, stateHash });
}

/** A solo close starts the lock period, in which it can be disputed. A slash starts it again. */
function dispute(execution: Execution, tx: JsonObject, channel: Channel): undefined {
  const lockedUntil = execution.draft.height + channel.lockPeriod;
  execution.draft.put('channel', channel.id, { ...channel, ...provenState(channel, tx), lockedUntil });
}

const closeSolo = (execution: Execution, tx: JsonObject): undefined =>
  dispute(execution, tx, channelOfParty(execution, tx));

/** Delegates may slash, too. */
const slash = (execution: Execution, tx: JsonObject): undefined => dispute(execution, tx, channelOf(execution, tx));

function forceProgress(execution: Execution, tx: JsonObject): Info {
  const channel = channelOfParty(execution, tx);
  const info = forcedCall(execution, tx);
  const round = big(tx, 'round');
  execution.draft.put('channel', channel.id, {
    ...channel,
    round,
    soloRound: round,
    stateHash: text(tx, 'state_hash'),
  });
  return info;
}

/** The fee is paid from the channel. Coins that neither party gets are locked. */
function closeMutual(execution: Execution, tx: JsonObject): undefined {
  const channel = channelOfParty(execution, tx);
  payOut(execution, tx, channel, big(tx, 'fee'));
}

function settle(execution: Execution, tx: JsonObject): undefined {
  const channel = channelOfParty(execution, tx);
  const { lockedUntil } = channel;
  if (lockedUntil === 0) throw new Refusal('channel_not_closing');
  if (execution.draft.height < lockedUntil) throw new Refusal('channel_not_closed');
  payOut(execution, tx, channel, 0n);
}

function payOut(execution: Execution, tx: JsonObject, channel: Channel, fee: bigint): void {
  const { draft } = execution;
  const [first, second] = [big(tx, 'initiator_amount_final'), big(tx, 'responder_amount_final')];
  const rest = channel.amount - first - second - fee;
  if (rest < 0n) throw new Refusal('wrong_amounts');
  draft.put('channel', channel.id, undefined);
  credit(draft, channel.initiator, first);
  credit(draft, channel.responder, second);
  if (fee > 0n) execution.earn(fee);
  lock(draft, rest);
}

/** Whether the channel pays the fee, not the origin. */
export const paysFromChannel = (type: string): boolean => type === 'ChannelCloseMutualTx';

/** Effects of channel transactions, by type. */
export const channels: Effects = {
  ChannelCreateTx: create,
  ChannelDepositTx: deposit,
  ChannelWithdrawTx: withdraw,
  ChannelSnapshotSoloTx: snapshot,
  ChannelSetDelegatesTx: setDelegates,
  ChannelForceProgressTx: forceProgress,
  ChannelCloseMutualTx: closeMutual,
  ChannelCloseSoloTx: closeSolo,
  ChannelSlashTx: slash,
  ChannelSettleTx: settle,
};
