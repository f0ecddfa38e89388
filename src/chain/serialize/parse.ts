/** Converts binary transactions to the JSON that the node prints. */
import { encodeId } from '../encoding/encoding.js';
import type { IdPrefix } from '../encoding/encoding.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { taggedType } from '../transactions/catalogue.js';
import type { Field, Form } from '../transactions/fields.js';
import { decodeRlp } from './decode-rlp.js';
import { bytesOf, fieldReader, idOf, integerOf, listOf, sorted } from './parse-fields.js';
import type { FieldReader } from './parse-fields.js';

const SIGNED_TAG = 11;
const SIGNATURE_BYTES = 64;

/** `signatures` as `sg_…`, in the order of the binary form. */
export interface ParsedSigned {
  signatures: string[];
  /** The transaction as the node prints it, with sorted members. */
  tx: JsonObject;
  /** The unsigned transaction, which the signatures sign. */
  unsigned: Uint8Array;
}

/** Parses a signed transaction. Throws MalformedError for bytes that a node would not accept as one. */
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

/** Parses an unsigned transaction. Throws MalformedError for an unknown type or version and for wrong fields. */
export function parseTransaction(bytes: Uint8Array): JsonObject {
  const f = fieldReader(listOf(decodeRlp(bytes)));
  const [tag, version] = [Number(f.int()), Number(f.int())];
  const type = taggedType(tag);
  if (type === undefined || !type.versions.includes(version)) {
    throw new MalformedError(`binary: no transaction of tag ${tag}, version ${version}`);
  }
  const members: { [key: string]: Json } = { type: type.name, version: type.version?.printed ?? version };
  for (const field of type.fields) {
    if (field.onlyIn === undefined || field.onlyIn === version) readField(f, field, version, members);
  }
  f.end();
  return sorted(members);
}

function readField(
  f: FieldReader,
  { member, form, prefix }: Field,
  version: number,
  members: { [key: string]: Json },
): void {
  switch (form) {
    case 'ttl':
      Object.assign(members, f.ttl());
      return;
    case 'vmAndAbi':
      Object.assign(members, vmAndAbi(f));
      return;
    default:
      members[member] = readMember(f, form, prefix, version);
  }
}

function readMember(
  f: FieldReader,
  form: Exclude<Form, 'ttl' | 'vmAndAbi'>,
  prefix: IdPrefix | undefined,
  version: number,
): Json {
  switch (form) {
    case 'int':
    case 'abi':
      return f.int();
    case 'id':
      return f.id();
    case 'ids':
      return f.ids();
    case 'bytes':
      return f.bytes(prefix!);
    case 'payload':
      return f.bytes('ba');
    case 'text':
      return f.text();
    case 'relative':
      return f.relative();
    case 'functionHash':
      return `0x${Buffer.from(f.raw()).toString('hex')}`;
    case 'pointers':
      return pointers(f, version);
    case 'delegates':
      return version === 1 ? f.ids() : { initiator: f.ids(), responder: f.ids() };
    case 'update':
      return update(f.raw());
    case 'nested':
      return nested(f);
  }
}

function vmAndAbi(f: FieldReader): JsonObject {
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
    if (key === undefined || value === undefined || more.length > 0) throw new MalformedError('pointers: not a pair');
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

/** The envelope of a nested transaction. A GAMetaTx has no signatures. */
function nested(f: FieldReader): JsonObject {
  const { signatures, tx } = parseSigned(f.raw());
  return tx['type'] === 'GAMetaTx' ? { tx } : { signatures, tx };
}

const CALL_UPDATE_TAG = 574;

/** On the chain, an update is always a contract call. */
function update(bytes: Uint8Array): JsonObject {
  const f = fieldReader(listOf(decodeRlp(bytes)));
  if (f.int() !== CALL_UPDATE_TAG || f.int() !== 1) throw new MalformedError('update: not a contract call');
  const call = {
    caller_id: f.id(),
    contract_id: f.id(),
    abi_version: f.int(),
    amount: f.int(),
    gas: f.int(),
    gas_price: f.int(),
    call_data: f.bytes('cb'),
    call_stack: f.list().map((item) => integerOf(bytesOf(item))),
    op: 'OffChainCallContract',
  };
  f.end();
  return sorted(call);
}
