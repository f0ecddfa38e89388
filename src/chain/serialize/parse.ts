/** The node's JSON of transactions, from their binary form. */
import { encodeId } from '../encoding.js';
import type { Json, JsonObject } from '../json.js';
import { MalformedError } from '../malformed.js';
import { decodeRlp } from './decode-rlp.js';
import { PARSE_CHANNEL } from './parse-channels.js';
import { bytesOf, fieldReader, idOf, listOf, sorted } from './parse-fields.js';
import type { FieldReader } from './parse-fields.js';

const SIGNED_TAG = 11;
const SIGNATURE_BYTES = 64;

/** `signatures` as `sg_…`, in the order of the binary form. */
export interface ParsedSigned {
  signatures: string[];
  /** As the node prints it, members in the order of the alphabet. */
  tx: JsonObject;
  /** What is signed. */
  unsigned: Uint8Array;
}

/** A signed transaction. Throws MalformedError for anything that a node would not take for one. */
export function parseSigned(bytes: Uint8Array): ParsedSigned {
  const items = listOf(decodeRlp(bytes));
  const f = fieldReader(items);
  if (f.int() !== SIGNED_TAG || f.int() !== 1) throw new MalformedError('binary: not a signed transaction');
  const signatures = f.list().map((item) => {
    const signature = bytesOf(item);
    if (signature.length !== SIGNATURE_BYTES) throw new MalformedError('signatures: not 64 bytes');
    return encodeId('sg', signature);
  });
  const unsigned = f.raw();
  f.end();
  return { signatures, tx: parseTransaction(unsigned), unsigned };
}

/** An unsigned transaction. Throws MalformedError for unknown types and versions and for fields that do not fit. */
export function parseTransaction(bytes: Uint8Array): JsonObject {
  const f = fieldReader(listOf(decodeRlp(bytes)));
  const [tag, version] = [Number(f.int()), Number(f.int())];
  const parser = PARSERS[tag] ?? PARSE_CHANNEL[tag];
  if (parser === undefined || !parser.versions.includes(version)) {
    throw new MalformedError(`binary: no transaction of tag ${tag}, version ${version}`);
  }
  const members = parser.read(f, version);
  f.end();
  // Nodes since 5.0 call every claim version 2.
  return sorted({ ...members, type: parser.type, version: tag === CLAIM_TAG ? 2 : version });
}

const CLAIM_TAG = 32;

export interface Parser {
  type: string;
  versions: readonly number[];
  read(f: FieldReader, version: number): { [key: string]: Json };
}

/** For versions that only differ by a field between others: members read in the order of the binary form. */
function contractVersion(f: FieldReader): JsonObject {
  const version = Number(f.int());
  return version <= 0xffff
    ? { vm_version: version, abi_version: version }
    : { vm_version: version >>> 16, abi_version: version & 0xffff };
}

const DATA_POINTER = 2;
const ID_POINTER = 1;

function pointers(f: FieldReader, version: number): JsonObject[] {
  return f.list().map((item) => {
    const [key, value, ...more] = listOf(item).map(bytesOf);
    if (key === undefined || value === undefined || more.length > 0) throw new MalformedError('pointers: no pair');
    return {
      encoded_key: encodeId('ba', key),
      id: version === 1 ? idOf(value) : pointed(value),
      key: Buffer.from(key).toString('utf8'),
    };
  });
}

function pointed(value: Uint8Array): string {
  if (value[0] === DATA_POINTER) return encodeId('ba', value.subarray(1));
  if (value[0] === ID_POINTER) return idOf(value.subarray(1));
  throw new MalformedError('pointers: neither identifier nor data');
}

/** The reduced envelope of a nested transaction: without signatures around a GAMetaTx. */
function nested(f: FieldReader): JsonObject {
  const { signatures, tx } = parseSigned(f.raw());
  return tx['type'] === 'GAMetaTx' ? { tx } : { signatures, tx };
}

const v1 = [1];

const PARSERS: Readonly<Record<number, Parser>> = {
  12: {
    type: 'SpendTx',
    versions: v1,
    read: (f) => ({
      sender_id: f.id(),
      recipient_id: f.id(),
      amount: f.int(),
      fee: f.int(),
      ...f.ttl(),
      nonce: f.int(),
      payload: f.bytes('ba'),
    }),
  },
  22: {
    type: 'OracleRegisterTx',
    versions: v1,
    read: (f) => ({
      account_id: f.id(),
      nonce: f.int(),
      query_format: f.text(),
      response_format: f.text(),
      query_fee: f.int(),
      oracle_ttl: f.relative(),
      fee: f.int(),
      ...f.ttl(),
      abi_version: f.int(),
    }),
  },
  23: {
    type: 'OracleQueryTx',
    versions: v1,
    read: (f) => ({
      sender_id: f.id(),
      nonce: f.int(),
      oracle_id: f.id(),
      query: f.text(),
      query_fee: f.int(),
      query_ttl: f.relative(),
      response_ttl: f.relative(),
      fee: f.int(),
      ...f.ttl(),
    }),
  },
  24: {
    type: 'OracleRespondTx',
    versions: v1,
    read: (f) => ({
      oracle_id: f.id(),
      nonce: f.int(),
      query_id: f.bytes('oq'),
      response: f.text(),
      response_ttl: f.relative(),
      fee: f.int(),
      ...f.ttl(),
    }),
  },
  25: {
    type: 'OracleExtendTx',
    versions: v1,
    read: (f) => ({ oracle_id: f.id(), nonce: f.int(), oracle_ttl: f.relative(), fee: f.int(), ...f.ttl() }),
  },
  [CLAIM_TAG]: {
    type: 'NameClaimTx',
    versions: [1, 2],
    read: (f, version) => ({
      account_id: f.id(),
      nonce: f.int(),
      name: f.text(),
      name_salt: f.int(),
      ...(version === 2 ? { name_fee: f.int() } : {}),
      fee: f.int(),
      ...f.ttl(),
    }),
  },
  33: {
    type: 'NamePreclaimTx',
    versions: v1,
    read: (f) => ({ account_id: f.id(), nonce: f.int(), commitment_id: f.id(), fee: f.int(), ...f.ttl() }),
  },
  34: {
    type: 'NameUpdateTx',
    versions: [1, 2],
    read: (f, version) => ({
      account_id: f.id(),
      nonce: f.int(),
      name_id: f.id(),
      name_ttl: f.int(),
      pointers: pointers(f, version),
      client_ttl: f.int(),
      fee: f.int(),
      ...f.ttl(),
    }),
  },
  35: {
    type: 'NameRevokeTx',
    versions: v1,
    read: (f) => ({ account_id: f.id(), nonce: f.int(), name_id: f.id(), fee: f.int(), ...f.ttl() }),
  },
  36: {
    type: 'NameTransferTx',
    versions: v1,
    read: (f) => ({
      account_id: f.id(),
      nonce: f.int(),
      name_id: f.id(),
      recipient_id: f.id(),
      fee: f.int(),
      ...f.ttl(),
    }),
  },
  42: {
    type: 'ContractCreateTx',
    versions: v1,
    read: (f) => ({
      owner_id: f.id(),
      nonce: f.int(),
      code: f.bytes('cb'),
      ...contractVersion(f),
      fee: f.int(),
      ...f.ttl(),
      deposit: f.int(),
      amount: f.int(),
      gas: f.int(),
      gas_price: f.int(),
      call_data: f.bytes('cb'),
    }),
  },
  43: {
    type: 'ContractCallTx',
    versions: v1,
    read: (f) => ({
      caller_id: f.id(),
      nonce: f.int(),
      contract_id: f.id(),
      abi_version: f.int(),
      fee: f.int(),
      ...f.ttl(),
      amount: f.int(),
      gas: f.int(),
      gas_price: f.int(),
      call_data: f.bytes('cb'),
    }),
  },
  80: {
    type: 'GAAttachTx',
    versions: v1,
    read: (f) => ({
      owner_id: f.id(),
      nonce: f.int(),
      code: f.bytes('cb'),
      auth_fun: `0x${Buffer.from(f.raw()).toString('hex')}`,
      ...contractVersion(f),
      fee: f.int(),
      ...f.ttl(),
      gas: f.int(),
      gas_price: f.int(),
      call_data: f.bytes('cb'),
    }),
  },
  81: {
    type: 'GAMetaTx',
    versions: [1, 2],
    read: (f, version) => ({
      ga_id: f.id(),
      auth_data: f.bytes('cb'),
      abi_version: f.int(),
      fee: f.int(),
      gas: f.int(),
      gas_price: f.int(),
      ...(version === 1 ? f.ttl() : {}),
      tx: nested(f),
    }),
  },
  82: {
    type: 'PayingForTx',
    versions: v1,
    read: (f) => ({ payer_id: f.id(), nonce: f.int(), fee: f.int(), tx: nested(f) }),
  },
};
