import type { JsonObject } from '../json.js';
import { MalformedError } from '../malformed.js';
import { fields } from './fields.js';
import type { Decode, Fields } from './fields.js';
import { encodeRlp, minimalBytes } from './rlp.js';
import type { RlpItem } from './rlp.js';

const CALL_UPDATE_TAG = 574;
const CALL_UPDATE_VERSION = 1;

const end = (f: Fields): RlpItem[] => [f.int('ttl', 0), f.int('fee'), f.int('nonce')];

const closing = (f: Fields): RlpItem[] => [
  f.id('channel_id'),
  f.id('from_id'),
  f.int('initiator_amount_final'),
  f.int('responder_amount_final'),
  ...end(f),
];

const disputing = (f: Fields): RlpItem[] => [
  f.id('channel_id'),
  f.id('from_id'),
  f.bytes('payload', 'tx'),
  f.bytes('poi', 'pi'),
  ...end(f),
];

const moving = (f: Fields, party: string): RlpItem[] => [
  f.id('channel_id'),
  f.id(party),
  f.int('amount'),
  f.int('ttl', 0),
  f.int('fee'),
  f.bytes('state_hash', 'st'),
  f.int('round'),
  f.int('nonce'),
];

function create(f: Fields): RlpItem[] {
  const separate = !Array.isArray(f.value('delegate_ids'));
  const delegates = separate ? fields(f.object('delegate_ids'), f.decode) : undefined;
  return [
    f.id('initiator_id'),
    f.int('initiator_amount'),
    f.id('responder_id'),
    f.int('responder_amount'),
    f.int('channel_reserve'),
    f.int('lock_period'),
    f.int('ttl', 0),
    f.int('fee'),
    ...(delegates === undefined ? [f.ids('delegate_ids')] : [delegates.ids('initiator'), delegates.ids('responder')]),
    f.bytes('state_hash', 'st'),
    f.int('nonce'),
  ];
}

/** On chain an update is always a contract call. */
function update(object: JsonObject, decode: Decode): Uint8Array {
  const f = fields(object, decode);
  if (object['op'] !== 'OffChainCallContract') throw new MalformedError('update.op: not OffChainCallContract');
  const stack = object['call_stack'];
  if (!Array.isArray(stack)) throw new MalformedError('update.call_stack: not an array');
  return encodeRlp([
    minimalBytes(CALL_UPDATE_TAG),
    minimalBytes(CALL_UPDATE_VERSION),
    f.id('caller_id'),
    f.id('contract_id'),
    f.int('abi_version'),
    f.int('amount'),
    f.bytes('call_data', 'cb'),
    stack.map((_, index) => fields({ item: stack[index]! }).int('item')),
    f.int('gas_price'),
    f.int('gas'),
  ]);
}

/** Fields after tag and version, in order, of the channel transactions. */
export const CHANNEL_FIELDS: Readonly<Record<string, (f: Fields) => RlpItem[]>> = {
  ChannelCreateTx: create,
  ChannelDepositTx: (f) => moving(f, 'from_id'),
  ChannelWithdrawTx: (f) => moving(f, 'to_id'),
  ChannelCloseMutualTx: closing,
  ChannelSettleTx: closing,
  ChannelCloseSoloTx: disputing,
  ChannelSlashTx: disputing,
  ChannelSnapshotSoloTx: (f) => [f.id('channel_id'), f.id('from_id'), f.bytes('payload', 'tx'), ...end(f)],
  ChannelSetDelegatesTx: (f) => [
    f.id('channel_id'),
    f.id('from_id'),
    f.ids('initiator_delegate_ids'),
    f.ids('responder_delegate_ids'),
    f.bytes('payload', 'tx'),
    f.bytes('state_hash', 'st'),
    f.int('round'),
    ...end(f),
  ],
  ChannelForceProgressTx: (f) => [
    f.id('channel_id'),
    f.id('from_id'),
    f.bytes('payload', 'tx'),
    f.int('round'),
    update(f.object('update'), f.decode),
    f.bytes('state_hash', 'st'),
    f.bytes('offchain_trees', 'ss'),
    ...end(f),
  ],
  ChannelOffchainTx: (f) => [f.id('channel_id'), f.int('round'), f.bytes('state_hash', 'st')],
};
