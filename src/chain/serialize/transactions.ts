/** Converts the JSON of transactions to their binary form. */
import { decodeId, encodeId, hash } from '../encoding/encoding.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { transactionType } from '../transactions/catalogue.js';
import type { Field } from '../transactions/fields.js';
import type { TransactionType } from '../transactions/type.js';
import { fields, list } from './fields.js';
import { writeSpecial } from './special-forms.js';
import type { Decode, Extra, Fields } from './fields.js';
import { encodeRlp, minimalBytes } from '../encoding/rlp.js';
import type { RlpItem } from '../encoding/rlp.js';
import { isSpelling } from './spellings.js';

const SIGNED_TAG = 11;
const SIGNED_VERSION = 1;

interface SerializeOptions {
  /** Turns identifiers into bytes. A caller that serialises many transactions can pass one with a cache. */
  decode?: Decode;
  /** Called with members of the JSON that are not in the binary form. The hash does not prove them. */
  extra?: Extra;
  /** Protocol version of the block that contains the transaction; absent: any spelling in `spellings.ts` is accepted. */
  protocol?: number;
}

/** Serialises the unsigned transaction, which is what gets signed. `tx` is the inner object of an envelope. Throws MalformedError. */
export const serializeTransaction = (tx: JsonObject, { decode, extra, protocol }: SerializeOptions = {}): Uint8Array =>
  transactionBytes(tx, fields(tx, decode, extra, protocol));

function transactionBytes(tx: JsonObject, f: Fields): Uint8Array {
  const name = f.take('type');
  const type = typeof name === 'string' ? transactionType(name) : undefined;
  if (type === undefined)
    throw new MalformedError(`type: ${typeof name === 'string' ? name : 'not text'} has no binary form`);
  const version = versionOf(type, tx, f);
  const items: RlpItem[] = [minimalBytes(type.tag), minimalBytes(version)];
  for (const field of type.fields) {
    if (field.onlyIn === undefined || field.onlyIn === version) writeField(f, field, version, items);
  }
  f.end();
  return encodeRlp(items);
}

/** Serialises `{signatures, tx}`, the envelope of a transaction or of a nested one. Those of a GAMetaTx are absent: there are none. */
export function serializeSigned(envelope: JsonObject, { decode, extra, protocol }: SerializeOptions = {}): Uint8Array {
  return signedBytes(fields(envelope, decode, extra, protocol));
}

function signedBytes(f: Fields): Uint8Array {
  const tx = f.object('tx');
  const printed = f.take('signatures');
  const hasNone = tx['type'] === 'GAMetaTx';
  if (hasNone && printed !== undefined) throw new MalformedError('signatures: a GAMetaTx has none');
  const signatures = hasNone ? [] : list(printed, 'signatures').map(signatureBytes);
  return wrapSigned(signatures, transactionBytes(tx, f.of(tx, 'tx')));
}

function signatureBytes(text: Json): Uint8Array {
  if (typeof text !== 'string') throw new MalformedError('signatures: not texts');
  return decodeId(text, 'sg');
}

/** Signed transaction from raw signatures and a serialised transaction. Signatures must be sorted in the binary form, but are not always in JSON. */
export const wrapSigned = (signatures: readonly Uint8Array[], transaction: Uint8Array): Uint8Array =>
  encodeRlp([
    minimalBytes(SIGNED_TAG),
    minimalBytes(SIGNED_VERSION),
    signatures.length < 2 ? signatures : [...signatures].sort(Buffer.compare),
    transaction,
  ]);

/** `th_…` of a serialised signed transaction. */
export const signedTransactionHash = (signed: Uint8Array): string => encodeId('th', hash(signed));

function versionOf(type: TransactionType, tx: JsonObject, f: Fields): number {
  const printed = f.take('version');
  const version = type.version === undefined ? printed : type.version.of(tx);
  if (typeof version !== 'number' || !type.versions.includes(version))
    throw new MalformedError('version: not one of this type');
  const isPrinted =
    type.version === undefined ||
    printed === type.version.printed ||
    (printed === version && isSpelling('versionOfClaim', f.protocol));
  if (!isPrinted) throw new MalformedError('version: different from that of the type');
  return version;
}

function nested(f: Fields): Uint8Array {
  const bytes = signedBytes(f);
  f.end();
  return bytes;
}

function writeField(f: Fields, { member, form, prefix }: Field, version: number, items: RlpItem[]): void {
  switch (form) {
    case 'int':
      items.push(f.int(member));
      return;
    case 'ttl':
      items.push(f.int(member, 0));
      return;
    case 'id':
      items.push(f.id(member));
      return;
    case 'ids':
      items.push(f.ids(member));
      return;
    case 'bytes':
      items.push(f.bytes(member, prefix!));
      return;
    case 'text':
      items.push(f.text(member));
      return;
    case 'nested':
      items.push(nested(f.within(member)));
      return;
    default:
      writeSpecial(f, member, form, version, items);
  }
}
