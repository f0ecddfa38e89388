/** What a transaction does to names, oracles, queries, channels and contracts, from its own members alone. */
import { integer } from './facts.js';
import { channelId, contractId, nameHash, oracleId, queryId } from './ids.js';
import type { Distinction } from './ids.js';
import { isObject } from './json.js';
import type { Json, JsonObject } from './json.js';
import { MalformedError } from './malformed.js';

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
  /** ok_; nm_ where the question was put by name */
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

type Reader = (effective: Effective) => Operation | undefined;

const closesChannel: Reader = ({ tx }) => ({ on: 'channel', op: 'close', id: id(tx, 'channel_id') });

const createsContract: Reader = ({ tx, distinction }) => {
  const owner = id(tx, 'owner_id');
  return { on: 'contract', op: 'create', id: contractId(owner, distinction(owner)) };
};

const respondsToQuery: Reader = ({ tx }) => ({
  on: 'query',
  op: 'respond',
  id: id(tx, 'query_id'),
  oracle: id(tx, 'oracle_id'),
});

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['NameClaimTx', claimsName],
  ['NameUpdateTx', updatesName],
  [
    'NameTransferTx',
    ({ tx }) => ({ on: 'name', op: 'transfer', name_hash: id(tx, 'name_id'), recipient: id(tx, 'recipient_id') }),
  ],
  ['NameRevokeTx', ({ tx }) => ({ on: 'name', op: 'revoke', name_hash: id(tx, 'name_id') })],
  ['OracleRegisterTx', registersOracle],
  ['OracleExtendTx', extendsOracle],
  ['OracleQueryTx', asksOracle],
  ['OracleRespondTx', respondsToQuery],
  // The same type under the name that older nodes gave it.
  ['OracleResponseTx', respondsToQuery],
  ['ChannelCreateTx', createsChannel],
  ['ChannelCloseMutualTx', closesChannel],
  ['ChannelCloseSoloTx', closesChannel],
  ['ChannelSlashTx', closesChannel],
  ['ChannelSettleTx', closesChannel],
  ['ContractCreateTx', createsContract],
  ['GAAttachTx', createsContract],
  ['ContractCallTx', callsContract],
]);

/** The operation of a transaction, if its type has one. Throws MalformedError if a member it needs is missing or ill-typed. */
export const operationOf = (effective: Effective): Operation | undefined => READERS.get(effective.type)?.(effective);

/** Whether a value reads like an identifier. The checksum is the node's affair; text is only compared. */
export function isIdText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length <= 83 && /^[a-z]{2}_[1-9A-HJ-NP-Za-km-z]+$/.test(value);
}

function claimsName({ tx }: Effective): Operation {
  const name = text(tx, 'name');
  const fee = tx['name_fee'];
  return {
    on: 'name',
    op: 'claim',
    name_hash: nameHash(name),
    name,
    owner: id(tx, 'account_id'),
    salt: amount(tx, 'name_salt'),
    fee: fee === undefined || fee === null ? null : amount(tx, 'name_fee'),
  };
}

function updatesName({ tx, textOf }: Effective): Operation {
  const pointers = tx['pointers'];
  if (!Array.isArray(pointers)) throw new MalformedError('pointers: not a list');
  const ids = pointers.map((pointer) => (isObject(pointer) ? pointer['id'] : undefined)).filter(isIdText);
  return {
    on: 'name',
    op: 'update',
    name_hash: id(tx, 'name_id'),
    ttl: generations(tx['name_ttl'], 'name_ttl'),
    pointers: textOf('pointers'),
    pointerIds: [...new Set(ids)],
  };
}

function registersOracle({ tx }: Effective): Operation {
  return { on: 'oracle', op: 'register', id: oracleId(id(tx, 'account_id')), ttl: oracleTtl(tx) };
}

function extendsOracle({ tx }: Effective): Operation {
  return { on: 'oracle', op: 'extend', id: id(tx, 'oracle_id'), by: oracleTtl(tx).value };
}

function asksOracle({ tx, distinction }: Effective): Operation {
  const sender = id(tx, 'sender_id');
  const oracle = id(tx, 'oracle_id');
  return { on: 'query', op: 'ask', id: queryId(sender, distinction(sender), oracle), oracle };
}

function createsChannel({ tx, distinction }: Effective): Operation {
  const initiator = id(tx, 'initiator_id');
  const responder = id(tx, 'responder_id');
  return { on: 'channel', op: 'create', id: channelId(initiator, distinction(initiator), responder) };
}

/** Wrapped calls and calls by name are not listed under the contract. */
function callsContract({ tx, wrapped }: Effective): Operation | undefined {
  const contract = id(tx, 'contract_id');
  return wrapped || contract.startsWith('nm_') ? undefined : { on: 'contract', op: 'call', id: contract };
}

function oracleTtl(tx: JsonObject): OracleTtl {
  const ttl = tx['oracle_ttl'];
  if (!isObject(ttl)) throw new MalformedError('oracle_ttl: not an object');
  const type = ttl['type'];
  if (type !== 'delta' && type !== 'block') throw new MalformedError('oracle_ttl: neither delta nor block');
  return { type, value: generations(ttl['value'], 'oracle_ttl') };
}

function id(tx: JsonObject, member: string): string {
  const value = tx[member];
  if (isIdText(value)) return value;
  throw new MalformedError(`${member}: not an identifier`);
}

function text(tx: JsonObject, member: string): string {
  const value = tx[member];
  // PostgreSQL has no text with U+0000.
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new MalformedError(`${member}: not text`);
}

function amount(tx: JsonObject, member: string): bigint {
  const value = integer(tx[member]);
  if (value !== undefined && value >= 0n) return value;
  throw new MalformedError(`${member}: not an amount`);
}

/** Small enough that heights added to it stay exact. */
function generations(value: Json | undefined, member: string): number {
  const number = integer(value);
  if (number !== undefined && number >= 0n && number < 2n ** 52n) return Number(number);
  throw new MalformedError(`${member}: not a number of generations`);
}
