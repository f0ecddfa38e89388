/** Writes fields with forms that only few transaction types use. Each writer throws MalformedError, which names the member. */
import { decodeId } from '../encoding/encoding.js';
import type { Json } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import type { Form } from '../transactions/fields.js';
import { idBytes, integer, list } from './fields.js';
import type { Decode, Fields } from './fields.js';
import { isTextOf } from './parse-fields.js';
import { encodeRlp, minimalBytes } from '../encoding/rlp.js';
import type { RlpItem } from '../encoding/rlp.js';
import { isSpelling } from './spellings.js';

const DELTA = 0;
const BLOCK = 1;
const POINTER_TO_ID = 1;
const POINTER_TO_DATA = 2;
const CALL_UPDATE_TAG = 574;
const CALL_UPDATE_VERSION = 1;

type SpecialForm = Exclude<Form, 'int' | 'ttl' | 'id' | 'ids' | 'bytes' | 'text' | 'nested'>;

export function writeSpecial(f: Fields, member: string, form: SpecialForm, version: number, items: RlpItem[]): void {
  switch (form) {
    case 'relative':
      items.push(...relative(f, member));
      return;
    case 'payload':
      items.push(payload(f, member));
      return;
    case 'abi':
      items.push(f.versionNumber(hasVmVersionAlone(f) ? 'vm_version' : member));
      return;
    case 'vmAndAbi':
      items.push(vmAndAbi(f));
      return;
    case 'functionHash':
      items.push(functionHash(f, member));
      return;
    case 'pointers':
      items.push(pointers(f, member, version));
      return;
    case 'delegates':
      items.push(...delegates(f, member));
      return;
    case 'update':
      items.push(update(f.within(member)));
      return;
  }
}

function relative(f: Fields, member: string): RlpItem[] {
  const ttl = f.within(member);
  const type = ttl.take('type');
  if (type !== 'delta' && type !== 'block') throw new MalformedError(`${member}.type: neither delta nor block`);
  const value = ttl.int('value');
  ttl.end();
  return [minimalBytes(type === 'delta' ? DELTA : BLOCK), value];
}

function payload(f: Fields, member: string): Uint8Array {
  const value = f.peek(member);
  const isRaw = typeof value === 'string' && !value.startsWith('ba_');
  return isRaw && isSpelling('rawPayload', f.protocol) ? f.text(member) : f.bytes(member, 'ba');
}

const hasVmVersionAlone = (f: Fields): boolean =>
  f.peek('abi_version') === undefined && isSpelling('vmVersionAlone', f.protocol);

function vmAndAbi(f: Fields): Uint8Array {
  const number = (member: string): number => Number(`0x${Buffer.from(f.versionNumber(member)).toString('hex')}`);
  const vm = number('vm_version');
  const abi = hasVmVersionAlone(f) ? vm : number('abi_version');
  return minimalBytes(vm === abi && vm <= 2 ? vm : vm * 65536 + abi);
}

function functionHash(f: Fields, member: string): Uint8Array {
  const value = f.take(member);
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/.test(value))
    throw new MalformedError(`${member}: not 0x and 64 digits`);
  return Buffer.from(value.slice(2), 'hex');
}

function pointers(f: Fields, member: string, version: number): RlpItem {
  const tagged = version === 2;
  return f.each(member).map((pointer) => {
    const key = pointerKey(pointer);
    const value = pointerValue(pointer.take('id'), tagged, f.decode);
    pointer.end();
    return [key, value];
  });
}

function pointerKey(pointer: Fields): Uint8Array {
  if (pointer.peek('encoded_key') === undefined && isSpelling('withoutEncodedKey', pointer.protocol))
    return pointer.text('key');
  const key = pointer.bytes('encoded_key', 'ba');
  if (!isTextOf(pointer.take('key'), key)) throw new MalformedError('pointers.key: different from encoded_key');
  return key;
}

function pointerValue(id: Json | undefined, tagged: boolean, decode: Decode): Uint8Array {
  if (!tagged) return idBytes(id, 'pointers.id', decode);
  if (typeof id === 'string' && id.startsWith('ba_'))
    return Buffer.concat([Uint8Array.of(POINTER_TO_DATA), decodeId(id)]);
  return Buffer.concat([Uint8Array.of(POINTER_TO_ID), idBytes(id, 'pointers.id', decode)]);
}

function delegates(f: Fields, member: string): RlpItem[] {
  if (Array.isArray(f.peek(member))) return [f.ids(member)];
  const parties = f.within(member);
  const items = [parties.ids('initiator'), parties.ids('responder')];
  parties.end();
  return items;
}

/** On the chain, an update is always a contract call. */
function update(f: Fields): Uint8Array {
  if (f.take('op') !== 'OffChainCallContract') throw new MalformedError('update.op: not OffChainCallContract');
  const bytes = encodeRlp([
    minimalBytes(CALL_UPDATE_TAG),
    minimalBytes(CALL_UPDATE_VERSION),
    f.id('caller_id'),
    f.id('contract_id'),
    f.versionNumber('abi_version'),
    f.int('amount'),
    f.int('gas'),
    f.int('gas_price'),
    f.bytes('call_data', 'cb'),
    list(f.take('call_stack'), 'update.call_stack').map((item) => integer(item, 'update.call_stack')),
  ]);
  f.end();
  return bytes;
}
