/** Binary form of transactions, from the JSON in which the node prints them. */
import { decodeId, encodeId, hash } from '../encoding.js';
import type { Json, JsonObject } from '../json.js';
import { isObject } from '../json.js';
import { MalformedError } from '../malformed.js';
import { CHANNEL_FIELDS } from './channels.js';
import { fields, idBytes, list, textBytes } from './fields.js';
import type { Decode, Fields } from './fields.js';
import { encodeRlp, minimalBytes } from './rlp.js';
import type { RlpItem } from './rlp.js';

const TAGS: Readonly<Record<string, number>> = {
  SpendTx: 12,
  OracleRegisterTx: 22,
  OracleQueryTx: 23,
  OracleRespondTx: 24,
  OracleResponseTx: 24,
  OracleExtendTx: 25,
  NameClaimTx: 32,
  NamePreclaimTx: 33,
  NameUpdateTx: 34,
  NameRevokeTx: 35,
  NameTransferTx: 36,
  ContractCreateTx: 42,
  ContractCallTx: 43,
  ChannelCreateTx: 50,
  ChannelDepositTx: 51,
  ChannelWithdrawTx: 52,
  ChannelCloseMutualTx: 53,
  ChannelCloseSoloTx: 54,
  ChannelSlashTx: 55,
  ChannelSettleTx: 56,
  ChannelOffchainTx: 57,
  ChannelSnapshotSoloTx: 59,
  ChannelSetDelegatesTx: 501,
  ChannelForceProgressTx: 521,
  GAAttachTx: 80,
  GAMetaTx: 81,
  PayingForTx: 82,
};
const SIGNED_TAG = 11;
const SIGNED_VERSION = 1;
const DELTA = 0;
const BLOCK = 1;
const POINTER_TO_ID = 1;
const POINTER_TO_DATA = 2;

/** Ways to turn identifiers into bytes: a caller that serialises many transactions gives one that remembers. */
export interface SerializeOptions {
  decode?: Decode;
}

/** The unsigned transaction, which is what gets signed. `tx` is the inner object of an envelope. Throws MalformedError. */
export function serializeTransaction(tx: JsonObject, { decode = decodeId }: SerializeOptions = {}): Uint8Array {
  const type = tx['type'];
  const tag = typeof type === 'string' ? TAGS[type] : undefined;
  if (typeof type !== 'string' || tag === undefined)
    throw new MalformedError(`type: ${typeof type === 'string' ? type : 'no text'} has no binary form`);
  const f = fields(tx, decode);
  const write = CHANNEL_FIELDS[type] ?? FIELDS[type]!;
  return encodeRlp([minimalBytes(tag), minimalBytes(versionOf(type, tx)), ...write(f)]);
}

/** `{signatures, tx}` (the envelope or the reduced one of a nested transaction) with its signatures; their absence means none. */
export function serializeSigned(envelope: JsonObject, options: SerializeOptions = {}): Uint8Array {
  const decode = options.decode ?? decodeId;
  const signatures = list(envelope['signatures'] ?? [], 'signatures').map((text) => {
    if (typeof text !== 'string') throw new MalformedError('signatures: not texts');
    return decodeId(text, 'sg');
  });
  if (!isObject(envelope['tx'])) throw new MalformedError('tx: not an object');
  return wrapSigned(signatures, serializeTransaction(envelope['tx'], { decode }));
}

/** Signed transaction of raw signatures and a serialised transaction. The binary form is sorted, the node's JSON is not always. */
export const wrapSigned = (signatures: readonly Uint8Array[], transaction: Uint8Array): Uint8Array =>
  encodeRlp([
    minimalBytes(SIGNED_TAG),
    minimalBytes(SIGNED_VERSION),
    [...signatures].sort(Buffer.compare),
    transaction,
  ]);

/**
 * `th_…` of a serialised signed transaction.
 * Reserved for the proof of each transaction at load; until then tests hold the serialisation to recorded hashes by it.
 */
export const signedTransactionHash = (signed: Uint8Array): string => encodeId('th', hash(signed));

/** The JSON's `version` is the serialisation's, but for claims, which nodes since 5.0 always call version 2. */
function versionOf(type: string, tx: JsonObject): number {
  if (type === 'NameClaimTx') return tx['name_fee'] === undefined ? 1 : 2;
  const version = tx['version'];
  if (typeof version !== 'number') throw new MalformedError('version: not a number');
  return version;
}

function relative(f: Fields, member: string): RlpItem[] {
  const ttl = f.object(member);
  if (ttl['type'] !== 'delta' && ttl['type'] !== 'block')
    throw new MalformedError(`${member}.type: neither delta nor block`);
  return [minimalBytes(ttl['type'] === 'delta' ? DELTA : BLOCK), fields(ttl).int('value')];
}

function contractVersion(f: Fields): Uint8Array {
  const number = (member: string): number => Number(BigInt(`0x${Buffer.from(f.int(member)).toString('hex')}`));
  const vm = number('vm_version');
  const abi = f.value('abi_version') === undefined ? vm : number('abi_version');
  return minimalBytes(vm === abi && vm <= 2 ? vm : vm * 65536 + abi);
}

function pointers(f: Fields): RlpItem {
  const tagged = f.value('version') === 2;
  return list(f.value('pointers'), 'pointers').map((pointer) => {
    if (!isObject(pointer)) throw new MalformedError('pointers: not objects');
    const p = fields(pointer, f.decode);
    const key = pointer['encoded_key'] === undefined ? p.text('key') : p.bytes('encoded_key', 'ba');
    return [key, pointerValue(pointer['id'], tagged, f.decode)];
  });
}

function pointerValue(id: Json | undefined, tagged: boolean, decode: Decode): Uint8Array {
  if (!tagged) return idBytes(id, 'pointers.id', decode);
  if (typeof id === 'string' && id.startsWith('ba_'))
    return Buffer.concat([Uint8Array.of(POINTER_TO_DATA), decode(id)]);
  return Buffer.concat([Uint8Array.of(POINTER_TO_ID), idBytes(id, 'pointers.id', decode)]);
}

function payload(f: Fields): Uint8Array {
  const value = f.value('payload');
  // Nodes before 3.0 printed the payload as raw text.
  return typeof value === 'string' && !value.startsWith('ba_') ? textBytes(value) : f.bytes('payload', 'ba');
}

function functionHash(f: Fields): Uint8Array {
  const value = f.value('auth_fun');
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value))
    throw new MalformedError('auth_fun: not 0x and 64 digits');
  return Buffer.from(value.slice(2), 'hex');
}

const nested = (f: Fields): Uint8Array => serializeSigned(f.object('tx'), { decode: f.decode });

const FIELDS: Readonly<Record<string, (f: Fields) => RlpItem[]>> = {
  SpendTx: (f) => [
    f.id('sender_id'),
    f.id('recipient_id'),
    f.int('amount'),
    f.int('fee'),
    f.int('ttl', 0),
    f.int('nonce'),
    payload(f),
  ],
  OracleRegisterTx: (f) => [
    f.id('account_id'),
    f.int('nonce'),
    f.text('query_format'),
    f.text('response_format'),
    f.int('query_fee'),
    ...relative(f, 'oracle_ttl'),
    f.int('fee'),
    f.int('ttl', 0),
    f.value('abi_version') === undefined ? f.int('vm_version') : f.int('abi_version'),
  ],
  OracleExtendTx: (f) => [
    f.id('oracle_id'),
    f.int('nonce'),
    ...relative(f, 'oracle_ttl'),
    f.int('fee'),
    f.int('ttl', 0),
  ],
  OracleQueryTx: (f) => [
    f.id('sender_id'),
    f.int('nonce'),
    f.id('oracle_id'),
    f.text('query'),
    f.int('query_fee'),
    ...relative(f, 'query_ttl'),
    ...relative(f, 'response_ttl'),
    f.int('fee'),
    f.int('ttl', 0),
  ],
  OracleRespondTx: respond,
  OracleResponseTx: respond,
  NamePreclaimTx: (f) => [f.id('account_id'), f.int('nonce'), f.id('commitment_id'), f.int('fee'), f.int('ttl', 0)],
  NameClaimTx: (f) => [
    f.id('account_id'),
    f.int('nonce'),
    f.text('name'),
    f.int('name_salt'),
    ...(f.value('name_fee') === undefined ? [] : [f.int('name_fee')]),
    f.int('fee'),
    f.int('ttl', 0),
  ],
  NameUpdateTx: (f) => [
    f.id('account_id'),
    f.int('nonce'),
    f.id('name_id'),
    f.int('name_ttl'),
    pointers(f),
    f.int('client_ttl'),
    f.int('fee'),
    f.int('ttl', 0),
  ],
  NameTransferTx: (f) => [
    f.id('account_id'),
    f.int('nonce'),
    f.id('name_id'),
    f.id('recipient_id'),
    f.int('fee'),
    f.int('ttl', 0),
  ],
  NameRevokeTx: (f) => [f.id('account_id'), f.int('nonce'), f.id('name_id'), f.int('fee'), f.int('ttl', 0)],
  ContractCreateTx: (f) => [
    f.id('owner_id'),
    f.int('nonce'),
    f.bytes('code', 'cb'),
    contractVersion(f),
    f.int('fee'),
    f.int('ttl', 0),
    f.int('deposit'),
    f.int('amount'),
    f.int('gas'),
    f.int('gas_price'),
    f.bytes('call_data', 'cb'),
  ],
  ContractCallTx: (f) => [
    f.id('caller_id'),
    f.int('nonce'),
    f.id('contract_id'),
    f.value('abi_version') === undefined ? f.int('vm_version') : f.int('abi_version'),
    f.int('fee'),
    f.int('ttl', 0),
    f.int('amount'),
    f.int('gas'),
    f.int('gas_price'),
    f.bytes('call_data', 'cb'),
  ],
  GAAttachTx: (f) => [
    f.id('owner_id'),
    f.int('nonce'),
    f.bytes('code', 'cb'),
    functionHash(f),
    contractVersion(f),
    f.int('fee'),
    f.int('ttl', 0),
    f.int('gas'),
    f.int('gas_price'),
    f.bytes('call_data', 'cb'),
  ],
  GAMetaTx: (f) => [
    f.id('ga_id'),
    f.bytes('auth_data', 'cb'),
    f.int('abi_version'),
    f.int('fee'),
    f.int('gas'),
    f.int('gas_price'),
    ...(f.value('version') === 1 ? [f.int('ttl', 0)] : []),
    nested(f),
  ],
  PayingForTx: (f) => [f.id('payer_id'), f.int('nonce'), f.int('fee'), nested(f)],
};

function respond(f: Fields): RlpItem[] {
  return [
    f.id('oracle_id'),
    f.int('nonce'),
    f.bytes('query_id', 'oq'),
    f.text('response'),
    ...relative(f, 'response_ttl'),
    f.int('fee'),
    f.int('ttl', 0),
  ];
}
