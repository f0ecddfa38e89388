import type { JsonObject } from '../encoding/json.js';
import type { ListKind } from '../lists.js';
import type { Effective, Operation } from '../operations.js';
import type { Field } from './fields.js';
import type { ValueFlow } from './value-flow.js';

/** What a name stands for where it is given for an account, oracle or contract. */
export type NameRole = 'payment' | 'oracle' | 'recipient' | 'contract';

/** One type of transactions: everything that the product knows about it. */
export interface TransactionType {
  readonly name: string;
  /** The name that older nodes gave it. */
  readonly formerly?: string;
  /** Version of the first protocol that has it, if that is not the first of all. */
  readonly since?: number;
  /** Both parties of its channel sign it, not its account alone. */
  readonly bothSign?: true;
  /** It wraps a transaction, which takes effect if a contract authenticates it, or always because it is paid for. */
  readonly wraps?: 'authenticated' | 'paid';

  /** Tag of the binary form. */
  readonly tag: number;
  readonly versions: readonly number[];
  /** The fields after tag and version, in order. */
  readonly fields: readonly Field[];
  /** For types of which the node does not print the version of the binary form. */
  readonly version?: { readonly printed: number; readonly of: (tx: JsonObject) => number };

  /** What it does to a name, oracle, query, channel or contract. Throws MalformedError if a member for that is wrong. */
  readonly operation?: (effective: Effective) => Operation | undefined;
  /** The list of an object that it is in by a member, also if its operation cannot be read. `derive` adds the lists of all types. */
  readonly listed?: { readonly member: string; readonly prefix: string; readonly kind: ListKind };
  /** It is in the list of its sender and recipient. */
  readonly pair?: true;
  /** Member in which a name may be given for what it points to. */
  readonly resolves?: { readonly member: string; readonly role: NameRole };

  /** What it moves; absent of what is never in a block. */
  readonly valueFlow?: ValueFlow;
}
