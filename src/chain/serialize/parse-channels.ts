import type { Json, JsonObject } from '../json.js';
import { MalformedError } from '../malformed.js';
import { decodeRlp } from './decode-rlp.js';
import type { Parser } from './parse.js';
import { bytesOf, fieldReader, integerOf, listOf, sorted } from './parse-fields.js';
import type { FieldReader } from './parse-fields.js';

const CALL_UPDATE_TAG = 574;

const end = (f: FieldReader): JsonObject => ({ ...f.ttl(), fee: f.int(), nonce: f.int() });

const moving =
  (party: string) =>
  (f: FieldReader): JsonObject => ({
    channel_id: f.id(),
    [party]: f.id(),
    amount: f.int(),
    ...f.ttl(),
    fee: f.int(),
    state_hash: f.bytes('st'),
    round: f.int(),
    nonce: f.int(),
  });

const closing = (f: FieldReader): JsonObject => ({
  channel_id: f.id(),
  from_id: f.id(),
  initiator_amount_final: f.int(),
  responder_amount_final: f.int(),
  ...end(f),
});

const disputing = (f: FieldReader): JsonObject => ({
  channel_id: f.id(),
  from_id: f.id(),
  payload: f.bytes('tx'),
  poi: f.bytes('pi'),
  ...end(f),
});

function create(f: FieldReader, version: number): JsonObject {
  const amounts = {
    initiator_id: f.id(),
    initiator_amount: f.int(),
    responder_id: f.id(),
    responder_amount: f.int(),
    channel_reserve: f.int(),
    lock_period: f.int(),
    ...f.ttl(),
    fee: f.int(),
  };
  const delegate_ids: Json = version === 1 ? f.ids() : { initiator: f.ids(), responder: f.ids() };
  return { ...amounts, delegate_ids, state_hash: f.bytes('st'), nonce: f.int() };
}

/** On chain an update is always a contract call. */
function update(bytes: Uint8Array): JsonObject {
  const f = fieldReader(listOf(decodeRlp(bytes)));
  if (f.int() !== CALL_UPDATE_TAG || f.int() !== 1) throw new MalformedError('update: no contract call');
  const call = {
    caller_id: f.id(),
    contract_id: f.id(),
    abi_version: f.int(),
    amount: f.int(),
    call_data: f.bytes('cb'),
    call_stack: f.list().map((item) => integerOf(bytesOf(item))),
    gas_price: f.int(),
    gas: f.int(),
    op: 'OffChainCallContract',
  };
  f.end();
  return sorted(call);
}

const v1 = [1];

/** By tag. */
export const PARSE_CHANNEL: Readonly<Record<number, Parser>> = {
  50: { type: 'ChannelCreateTx', versions: [1, 2], read: create },
  51: { type: 'ChannelDepositTx', versions: v1, read: moving('from_id') },
  52: { type: 'ChannelWithdrawTx', versions: v1, read: moving('to_id') },
  53: { type: 'ChannelCloseMutualTx', versions: v1, read: closing },
  54: { type: 'ChannelCloseSoloTx', versions: v1, read: disputing },
  55: { type: 'ChannelSlashTx', versions: v1, read: disputing },
  56: { type: 'ChannelSettleTx', versions: v1, read: closing },
  57: {
    type: 'ChannelOffchainTx',
    versions: [2],
    read: (f) => ({ channel_id: f.id(), round: f.int(), state_hash: f.bytes('st') }),
  },
  59: {
    type: 'ChannelSnapshotSoloTx',
    versions: v1,
    read: (f) => ({ channel_id: f.id(), from_id: f.id(), payload: f.bytes('tx'), ...end(f) }),
  },
  501: {
    type: 'ChannelSetDelegatesTx',
    versions: v1,
    read: (f) => ({
      channel_id: f.id(),
      from_id: f.id(),
      initiator_delegate_ids: f.ids(),
      responder_delegate_ids: f.ids(),
      payload: f.bytes('tx'),
      state_hash: f.bytes('st'),
      round: f.int(),
      ...end(f),
    }),
  },
  521: {
    type: 'ChannelForceProgressTx',
    versions: v1,
    read: (f) => ({
      channel_id: f.id(),
      from_id: f.id(),
      payload: f.bytes('tx'),
      round: f.int(),
      update: update(f.raw()),
      state_hash: f.bytes('st'),
      offchain_trees: f.bytes('ss'),
      ...end(f),
    }),
  },
};
