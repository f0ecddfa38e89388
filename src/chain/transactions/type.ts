import type { JsonObject } from '../encoding/json.js';
import type { ListKind } from '../lists.js';
import type { Effective, Operation } from '../operations.js';
import type { Field } from './fields.js';
import type { ValueFlow } from './value-flow.js';

/** What a name is used as: the recipient of a payment, an oracle, the recipient of a name, or a contract. */
export type NameRole = 'payment' | 'oracle' | 'recipient' | 'contract';

/** Everything that the program knows about one type of transactions. */
export interface TransactionType {
  readonly name: string;
  /** Its name in older releases of the node. */
  readonly formerly?: string;
  /** First protocol version that has it; absent if all versions do. */
  readonly since?: number;
  /** Members that contain the accounts which must sign it; `parties`: both parties of its channel must. */
  readonly signers: readonly string[] | 'parties';
  /** It wraps a transaction. `authenticated`: which takes effect if a contract authenticates it; `paid`: which always takes effect. */
  readonly wraps?: 'authenticated' | 'paid';

  /** It runs the code of a contract: the node has call information of it. */
  readonly runsContract?: true;

  /** Tag of the binary form. */
  readonly tag: number;
  readonly versions: readonly number[];
  /** The fields after tag and version, in the order of the binary form. */
  readonly fields: readonly Field[];
  /** For types whose printed version is not that of the binary form: the printed version, and how to compute the other one. */
  readonly version?: { readonly printed: number; readonly of: (tx: JsonObject) => number };

  /** What it does to a name, oracle, query, channel or contract. Throws MalformedError if a needed member is wrong. */
  readonly operation?: (effective: Effective) => Operation | undefined;
  /** It is in the list of the object in this member, even if its operation cannot be read. `derive` adds the lists that are common to all types. */
  readonly listed?: { readonly member: string; readonly prefix: string; readonly kind: ListKind };
  /** It is in the list of the pair of its sender and recipient. */
  readonly pair?: true;
  /** Member that may contain a name instead of what the name points to. */
  readonly resolves?: { readonly member: string; readonly role: NameRole };

  /** Which amounts it moves; absent if it is never in a block. */
  readonly valueFlow?: ValueFlow;
}
