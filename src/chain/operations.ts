/** What a transaction does to names, oracles, queries, channels and contracts, from its own members alone. */
import type { Distinction } from './protocol/ids.js';
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

/** `delta`: generations from the registration on; `block`: a height. */
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
export type ContractOperation = { on: 'contract'; /** ct_ */ id: string; op: 'create' | 'call' };

export type Operation = NameOperation | OracleOperation | QueryOperation | ChannelOperation | ContractOperation;

/** A transaction that takes effect: the outermost, or the one that it wraps. */
export interface Effective {
  tx: JsonObject;
  type: string;
  wrapped: boolean;
  /** Of an account's creation: its authentication id if a generalized account signed, else the transaction's nonce. */
  distinction: (account: string) => Distinction;
  /** Exact text of a member. */
  textOf: (member: string) => string;
}

/** Whether a value reads like an identifier. The checksum is not checked, as the text is only compared. */
export function isIdText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length <= 83 && /^[a-z]{2}_[1-9A-HJ-NP-Za-km-z]+$/.test(value);
}
