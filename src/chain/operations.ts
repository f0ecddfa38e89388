/** What a transaction does to names, oracles, queries, channels and contracts. Read only from its own members. */
import type { Json, JsonObject } from './encoding/json.js';

export type NameOperation = { on: 'name'; /** nm_ */ name_hash: string } & (
  | {
      op: 'claim';
      /** as written */ name: string;
      owner: string;
      salt: bigint;
      /** null before Lima */ fee: bigint | null;
    }
  | { op: 'update'; /** generations */ ttl: number; /** exact JSON text */ pointers: string; pointerIds: string[] }
  | { op: 'transfer'; /** ak_ or nm_ */ recipient: string }
  | { op: 'revoke' }
);

export type OracleOperation = { on: 'oracle'; /** ok_ */ id: string } & (
  { op: 'register'; ttl: OracleTtl } | { op: 'extend'; /** generations */ by: number }
);

/** `delta`: number of generations after the registration; `block`: a height. */
export interface OracleTtl {
  type: 'delta' | 'block';
  value: number;
}

export type QueryOperation = {
  on: 'query';
  /** oq_ */
  id: string;
  /** ok_; nm_ where the query names the oracle by a name */
  oracle: string;
  op: 'ask' | 'respond';
};
export type ChannelOperation = { on: 'channel'; /** ch_ */ id: string; op: 'create' | 'close' };
export type ContractOperation = { on: 'contract'; /** ct_ */ id: string } & (
  { op: 'create' } | { op: 'call'; /** Null if it is no id. */ caller: string | null }
);

export type Operation = NameOperation | OracleOperation | QueryOperation | ChannelOperation | ContractOperation;

/** What makes the ids of the objects of one account different: the nonce, or the authentication id if a generalized account authenticated. */
export type Distinction = bigint | Uint8Array;

/** The transaction that takes effect: the outermost one or one that it wraps. */
export interface Effective {
  tx: JsonObject;
  type: string;
  wrapped: boolean;
  /** Makes the id of what an account creates unique: the authentication id if a generalized account signed, otherwise the transaction's nonce. */
  distinction: (account: string) => Distinction;
  /** Exact text of a member. */
  textOf: (member: string) => string;
}

/** Whether a value looks like an identifier. The checksum is not checked, because the text is only compared with others. */
export function isIdText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length <= 83 && /^[a-z]{2}_[1-9A-HJ-NP-Za-km-z]+$/.test(value);
}
