import type { ChannelOperation, Effective } from '../operations.js';
import { channelId } from '../protocol/ids.js';
import { IRIS } from '../protocol/versions.js';
import { bytes, fee, id, ids, int, nonce, ttl } from './fields.js';
import type { Field } from './fields.js';
import { readId } from './members.js';
import { feeOnly, receives, sends, directionUnknown } from './value-flow.js';
import type { ValueFlow } from './value-flow.js';
import type { TransactionType } from './type.js';

const channel = id('channel_id');
const from = id('from_id');
const round = int('round');
const payload = bytes('payload', 'tx');
const stateHash = bytes('state_hash', 'st');
const commonFields = [ttl, fee, nonce];

const closeFields = [channel, from, int('initiator_amount_final'), int('responder_amount_final'), ...commonFields];
const disputeFields = [channel, from, payload, bytes('poi', 'pi'), ...commonFields];
const depositFields = (party: string): Field[] => [
  channel,
  id(party),
  int('amount'),
  ttl,
  fee,
  stateHash,
  round,
  nonce,
];

const finalAmountsUnknown: ValueFlow = {
  roles: [directionUnknown('from_id', 'channel_id')],
  unknown: { reason: 'only the creation of the channel states which party gets which final amount' },
};

export const CHANNELS: readonly TransactionType[] = [
  {
    name: 'ChannelCreateTx',
    signers: ['initiator_id', 'responder_id'],
    tag: 50,
    versions: [1, 2],
    fields: [
      id('initiator_id'),
      int('initiator_amount'),
      id('responder_id'),
      int('responder_amount'),
      int('channel_reserve'),
      int('lock_period'),
      ttl,
      fee,
      { member: 'delegate_ids', form: 'delegates' },
      stateHash,
      nonce,
    ],
    operation: createOperation,
    valueFlow: {
      roles: [
        sends('initiator_id', ['initiator_amount'], 'responder_id'),
        sends('responder_id', ['responder_amount'], 'initiator_id'),
      ],
    },
  },
  {
    name: 'ChannelSetDelegatesTx',
    since: IRIS,
    signers: 'parties',
    tag: 501,
    versions: [1],
    fields: [
      channel,
      from,
      ids('initiator_delegate_ids'),
      ids('responder_delegate_ids'),
      payload,
      stateHash,
      round,
      ...commonFields,
    ],
    valueFlow: feeOnly('from_id', 'channel_id'),
  },
  {
    name: 'ChannelDepositTx',
    signers: 'parties',
    tag: 51,
    versions: [1],
    fields: depositFields('from_id'),
    valueFlow: { roles: [sends('from_id', ['amount'], 'channel_id')] },
  },
  {
    name: 'ChannelWithdrawTx',
    signers: 'parties',
    tag: 52,
    versions: [1],
    fields: depositFields('to_id'),
    valueFlow: { roles: [receives('to_id', ['amount'], 'channel_id')] },
  },
  {
    name: 'ChannelForceProgressTx',
    runsContract: true,
    signers: ['from_id'],
    tag: 521,
    versions: [1],
    fields: [
      channel,
      from,
      payload,
      round,
      { member: 'update', form: 'update' },
      stateHash,
      bytes('offchain_trees', 'ss'),
      ...commonFields,
    ],
    valueFlow: {
      ...feeOnly('from_id', 'channel_id'),
      unknown: { reason: 'it runs a contract of the channel, for gas' },
    },
  },
  {
    name: 'ChannelCloseMutualTx',
    signers: 'parties',
    tag: 53,
    versions: [1],
    fields: closeFields,
    operation: closeOperation,
    valueFlow: finalAmountsUnknown,
  },
  {
    name: 'ChannelCloseSoloTx',
    signers: ['from_id'],
    tag: 54,
    versions: [1],
    fields: disputeFields,
    operation: closeOperation,
    valueFlow: feeOnly('from_id', 'channel_id'),
  },
  {
    name: 'ChannelSlashTx',
    signers: ['from_id'],
    tag: 55,
    versions: [1],
    fields: disputeFields,
    operation: closeOperation,
    valueFlow: feeOnly('from_id', 'channel_id'),
  },
  {
    name: 'ChannelSettleTx',
    signers: ['from_id'],
    tag: 56,
    versions: [1],
    fields: closeFields,
    operation: closeOperation,
    valueFlow: finalAmountsUnknown,
  },
  {
    name: 'ChannelSnapshotSoloTx',
    signers: ['from_id'],
    tag: 59,
    versions: [1],
    fields: [channel, from, payload, ...commonFields],
    valueFlow: feeOnly('from_id', 'channel_id'),
  },
  // Occurs only in the payload of other transactions, never in a block.
  { name: 'ChannelOffchainTx', signers: 'parties', tag: 57, versions: [2], fields: [channel, round, stateHash] },
];

function createOperation({ tx, distinction }: Effective): ChannelOperation {
  const initiator = readId(tx, 'initiator_id');
  const responder = readId(tx, 'responder_id');
  return { on: 'channel', op: 'create', id: channelId(initiator, distinction(initiator), responder) };
}

function closeOperation({ tx }: Effective): ChannelOperation {
  return { on: 'channel', op: 'close', id: readId(tx, 'channel_id') };
}
