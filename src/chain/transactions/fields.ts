/** Describes the fields of binary transactions as data. `serialize/` uses them to write and read transactions. */
import type { IdPrefix } from '../encoding/encoding.js';

/** How a member of the JSON is written in binary. One form may be several RLP items or several members. */
export type Form =
  /** Unsigned integer. */
  | 'int'
  /** Unsigned integer that the node does not print when it is 0. */
  | 'ttl'
  /** Kind and key of an object. */
  | 'id'
  | 'ids'
  /** The bytes of an identifier with `prefix`, without kind. */
  | 'bytes'
  | 'text'
  /** Relative or absolute time to live: two items. */
  | 'relative'
  /** `ba_`; raw text before protocol version 3. */
  | 'payload'
  /** `vm_version` in the oldest releases of the node. */
  | 'abi'
  /** `vm_version` and `abi_version` in one integer. */
  | 'vmAndAbi'
  /** `0x` and hexadecimal digits. */
  | 'functionHash'
  | 'pointers'
  /** One list, or one for each party: two items. */
  | 'delegates'
  /** An update of a channel's state. */
  | 'update'
  /** A signed transaction. */
  | 'nested';

export interface Field {
  readonly member: string;
  readonly form: Form;
  readonly prefix?: IdPrefix;
  /** The one version of the transaction type that has the field; every version if absent. */
  readonly onlyIn?: number;
}

const of =
  (form: Form) =>
  (member: string): Field => ({ member, form });

export const int = of('int');
export const id = of('id');
export const ids = of('ids');
export const text = of('text');
export const relative = of('relative');
export const bytes = (member: string, prefix: IdPrefix): Field => ({ member, form: 'bytes', prefix });
export const onlyIn = (version: number, field: Field): Field => ({ ...field, onlyIn: version });

export const fee = int('fee');
export const nonce = int('nonce');
export const ttl: Field = { member: 'ttl', form: 'ttl' };
export const abi: Field = { member: 'abi_version', form: 'abi' };
export const vmAndAbi: Field = { member: 'vm_version', form: 'vmAndAbi' };
export const nested: Field = { member: 'tx', form: 'nested' };
