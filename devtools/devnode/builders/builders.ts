/** The input of each transaction builder: the schema of the node and the identifiers that it decodes, in the order of its checks. */
import type { IdPrefix } from '../../../src/chain/encoding/encoding.js';
import type { Kind } from './schema.js';

export interface Builder {
  type: string;
  /** Known members, except `nonce` and `ttl`. */
  members: Readonly<Record<string, Kind>>;
  /** Required members, in the order in which the node reports missing ones. */
  required: readonly string[];
  /** Members that the schema requires only in `/v2`. In `/v3` the node crashes without them. */
  requiredInV2?: readonly string[];
  /** Members without which the node crashes, although no schema requires them. */
  crashesWithout?: readonly string[];
  /** Members that are identifiers, with the prefixes they may have. */
  ids: readonly (readonly [member: string, ...prefixes: IdPrefix[]])[];
  /** Member with the account whose next nonce is the default; without it a nonce is required. */
  payer?: string;
  /** Members with bytes as `cb_`. */
  bytes?: readonly string[];
}

const UINT = 'uint' as const;
const TEXT = 'text' as const;

const closeBuilder = (type: string): Builder => ({
  type,
  members: {
    channel_id: TEXT,
    from_id: TEXT,
    initiator_amount_final: UINT,
    responder_amount_final: UINT,
    fee: UINT,
  },
  required: ['channel_id', 'from_id', 'initiator_amount_final', 'responder_amount_final', 'fee', 'nonce'],
  ids: [
    ['channel_id', 'ch'],
    ['from_id', 'ak'],
  ],
});

const amountBuilder = (type: string, party: string): Builder => ({
  type,
  members: { channel_id: TEXT, [party]: TEXT, amount: UINT, fee: UINT, state_hash: TEXT, round: UINT },
  required: ['channel_id', party, 'amount', 'fee', 'nonce'],
  crashesWithout: ['state_hash', 'round'],
  ids: [
    ['channel_id', 'ch'],
    [party, 'ak'],
    ['state_hash', 'st'],
  ],
});

const disputeBuilder = (type: string): Builder => ({
  type,
  members: { channel_id: TEXT, from_id: TEXT, payload: TEXT, poi: TEXT, fee: UINT },
  required: ['channel_id', 'from_id', 'payload', 'poi', 'fee'],
  ids: [
    ['channel_id', 'ch'],
    ['from_id', 'ak'],
    ['poi', 'pi'],
    ['payload', 'tx', 'ba'],
  ],
  payer: 'from_id',
});

const ORACLE_REGISTER: Builder = {
  type: 'OracleRegisterTx',
  members: {
    account_id: TEXT,
    query_format: TEXT,
    response_format: TEXT,
    query_fee: UINT,
    oracle_ttl: 'ttl',
    fee: UINT,
    abi_version: 'uint16',
  },
  required: ['account_id', 'query_format', 'response_format', 'query_fee', 'oracle_ttl', 'fee'],
  ids: [['account_id', 'ak']],
  payer: 'account_id',
};

const ACCOUNT_AND_NAME = [
  ['account_id', 'ak'],
  ['name_id', 'nm'],
] as const;

/** The builders, by their path after `debug`. */
export const BUILDERS: Readonly<Record<string, Builder>> = {
  'oracles/register': ORACLE_REGISTER,
  // This path is in the table of the specification, but real nodes never had it.
  'oracles/oracle': ORACLE_REGISTER,
  'oracles/extend': {
    type: 'OracleExtendTx',
    members: { oracle_id: TEXT, oracle_ttl: 'relative ttl', fee: UINT },
    required: ['oracle_id', 'oracle_ttl', 'fee'],
    ids: [['oracle_id', 'ok']],
    payer: 'oracle_id',
  },
  'oracles/query': {
    type: 'OracleQueryTx',
    members: {
      sender_id: TEXT,
      oracle_id: TEXT,
      query: TEXT,
      query_fee: UINT,
      query_ttl: 'ttl',
      response_ttl: 'relative ttl',
      fee: UINT,
    },
    required: ['sender_id', 'oracle_id', 'query', 'query_fee', 'query_ttl', 'response_ttl', 'fee'],
    ids: [
      ['sender_id', 'ak'],
      ['oracle_id', 'ok', 'nm'],
    ],
    payer: 'sender_id',
  },
  'oracles/respond': {
    type: 'OracleRespondTx',
    members: { oracle_id: TEXT, query_id: TEXT, response: TEXT, response_ttl: 'relative ttl', fee: UINT },
    required: ['oracle_id', 'query_id', 'response', 'response_ttl', 'fee'],
    ids: [
      ['oracle_id', 'ok'],
      ['query_id', 'oq'],
    ],
    payer: 'oracle_id',
  },
  'names/preclaim': {
    type: 'NamePreclaimTx',
    members: { account_id: TEXT, commitment_id: TEXT, fee: UINT },
    required: ['account_id', 'commitment_id', 'fee'],
    ids: [
      ['account_id', 'ak'],
      ['commitment_id', 'cm'],
    ],
    payer: 'account_id',
  },
  'names/claim': {
    type: 'NameClaimTx',
    members: { account_id: TEXT, name: TEXT, name_salt: UINT, name_fee: UINT, fee: UINT },
    required: ['account_id', 'name', 'name_salt', 'fee'],
    ids: [
      ['account_id', 'ak'],
      ['name', 'nm'],
    ],
    payer: 'account_id',
  },
  'names/update': {
    type: 'NameUpdateTx',
    members: {
      account_id: TEXT,
      name_id: TEXT,
      name_ttl: 'uint64',
      client_ttl: 'uint64',
      pointers: 'pointers',
      fee: UINT,
    },
    required: ['account_id', 'name_id', 'name_ttl', 'client_ttl', 'pointers', 'fee'],
    ids: ACCOUNT_AND_NAME,
    payer: 'account_id',
  },
  'names/transfer': {
    type: 'NameTransferTx',
    members: { account_id: TEXT, name_id: TEXT, recipient_id: TEXT, fee: UINT },
    required: ['account_id', 'name_id', 'recipient_id', 'fee'],
    ids: [
      ['account_id', 'ak'],
      ['recipient_id', 'ak', 'nm'],
      ['name_id', 'nm'],
    ],
    payer: 'account_id',
  },
  'names/revoke': {
    type: 'NameRevokeTx',
    members: { account_id: TEXT, name_id: TEXT, fee: UINT },
    required: ['account_id', 'name_id', 'fee'],
    ids: ACCOUNT_AND_NAME,
    payer: 'account_id',
  },
  'transactions/spend': {
    type: 'SpendTx',
    members: { sender_id: TEXT, recipient_id: TEXT, amount: UINT, fee: UINT, payload: TEXT },
    required: ['recipient_id', 'amount', 'fee', 'sender_id', 'payload'],
    ids: [
      ['sender_id', 'ak'],
      ['recipient_id', 'ak', 'nm', 'ok', 'ct'],
    ],
    payer: 'sender_id',
  },
  'contracts/create': {
    type: 'ContractCreateTx',
    members: {
      owner_id: TEXT,
      code: TEXT,
      vm_version: 'uint16',
      abi_version: 'uint16',
      deposit: UINT,
      amount: UINT,
      gas: 'uint64',
      gas_price: UINT,
      fee: UINT,
      call_data: TEXT,
    },
    required: [
      'owner_id',
      'code',
      'vm_version',
      'abi_version',
      'deposit',
      'amount',
      'gas',
      'gas_price',
      'fee',
      'call_data',
    ],
    ids: [['owner_id', 'ak']],
    payer: 'owner_id',
    bytes: ['code', 'call_data'],
  },
  'contracts/call': {
    type: 'ContractCallTx',
    members: {
      caller_id: TEXT,
      contract_id: TEXT,
      abi_version: 'uint16',
      amount: UINT,
      gas: 'uint64',
      gas_price: UINT,
      fee: UINT,
      call_data: TEXT,
    },
    required: ['caller_id', 'contract_id', 'abi_version', 'amount', 'gas', 'gas_price', 'fee', 'call_data'],
    ids: [
      ['caller_id', 'ak'],
      ['contract_id', 'ct', 'nm'],
    ],
    payer: 'caller_id',
    bytes: ['call_data'],
  },
  'channels/create': {
    type: 'ChannelCreateTx',
    members: {
      initiator_id: TEXT,
      initiator_amount: UINT,
      responder_id: TEXT,
      responder_amount: UINT,
      push_amount: UINT,
      channel_reserve: UINT,
      lock_period: UINT,
      state_hash: TEXT,
      delegate_ids: 'any',
      fee: UINT,
    },
    required: [
      'initiator_id',
      'initiator_amount',
      'responder_id',
      'responder_amount',
      'channel_reserve',
      'lock_period',
      'state_hash',
      'fee',
    ],
    requiredInV2: ['push_amount'],
    crashesWithout: ['delegate_ids'],
    ids: [
      ['initiator_id', 'ak'],
      ['responder_id', 'ak'],
      ['state_hash', 'st'],
    ],
    payer: 'initiator_id',
  },
  'channels/deposit': amountBuilder('ChannelDepositTx', 'from_id'),
  'channels/withdraw': amountBuilder('ChannelWithdrawTx', 'to_id'),
  'channels/close/mutual': closeBuilder('ChannelCloseMutualTx'),
  'channels/settle': closeBuilder('ChannelSettleTx'),
  'channels/close/solo': disputeBuilder('ChannelCloseSoloTx'),
  'channels/slash': disputeBuilder('ChannelSlashTx'),
  'channels/snapshot/solo': {
    type: 'ChannelSnapshotSoloTx',
    members: { channel_id: TEXT, from_id: TEXT, payload: TEXT, fee: UINT },
    required: ['channel_id', 'from_id', 'payload', 'fee'],
    ids: [
      ['channel_id', 'ch'],
      ['from_id', 'ak'],
      ['payload', 'tx', 'ba'],
    ],
    payer: 'from_id',
  },
  'channels/set-delegates': {
    type: 'ChannelSetDelegatesTx',
    members: {
      channel_id: TEXT,
      from_id: TEXT,
      initiator_delegate_ids: 'texts',
      responder_delegate_ids: 'texts',
      state_hash: TEXT,
      round: UINT,
      payload: TEXT,
      fee: UINT,
    },
    required: [
      'channel_id',
      'from_id',
      'initiator_delegate_ids',
      'responder_delegate_ids',
      'state_hash',
      'round',
      'payload',
      'fee',
    ],
    ids: [
      ['channel_id', 'ch'],
      ['from_id', 'ak'],
      ['state_hash', 'st'],
      ['payload', 'tx', 'ba'],
    ],
    payer: 'from_id',
  },
};
