/** Turns the body of a request into the unsigned transaction with which a builder answers, or into the error answer of the node. */
import { decodeId, encodeId, isId, withPrefix } from '../../../src/chain/encoding/encoding.js';
import type { IdPrefix } from '../../../src/chain/encoding/encoding.js';
import { contractId, nameHash } from '../../../src/chain/protocol/ids.js';
import { CERES } from '../../../src/chain/protocol/versions.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { isObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { nameFault } from '../../../src/chain/protocol/name-check.js';
import { serializeTransaction } from '../../../src/chain/serialize/transactions.js';
import type { Answer } from '../wire/answer.js';
import { refused } from '../wire/answer.js';
import type { Api } from '../wire/parameters.js';
import { printed } from '../ledger/members.js';
import type { State } from '../ledger/state.js';
import type { Builder } from './builders.js';
import { CRASH, readInteger } from './schema.js';
import type { Schema } from './schema.js';

/** The state and accounts that builders use. */
export interface BuildContext {
  state: State;
  /** Next nonce of an account (ak_), pending transactions included; undefined if there is no such account. */
  nextNonce(account: string): bigint | undefined;
  /** ak_ that is used if the table of the specification has no account. */
  beneficiary: string | undefined;
}

/** Thrown to end a builder with an error answer. */
class Refused extends Error {
  constructor(readonly answer: Answer) {
    super('refused');
  }
}

const refuse = (status: number, reason: string): never => {
  throw new Refused(refused(status, reason));
};
const crash = (): never => {
  throw new Refused(CRASH);
};

/** The schema of a builder. A member that the table of the specification does not have is optional, if there is a default for it. */
export function schemaOf(builder: Builder, api: Api, { beneficiary }: BuildContext): Schema {
  const made = OPTIONAL_MEMBER[builder.type];
  const optional = made !== undefined && (made !== 'sender_id' || beneficiary !== undefined) ? made : undefined;
  const required = [...builder.required, ...(api === 'v2' ? (builder.requiredInV2 ?? []) : [])];
  return {
    members: { ...builder.members, nonce: 'uint64', ttl: 'uint64' },
    required: required.filter((member) => member !== optional),
  };
}

/** For each type, the member that real nodes require but the table of the specification does not have. */
const OPTIONAL_MEMBER: Readonly<Record<string, string>> = {
  SpendTx: 'payload',
  OracleQueryTx: 'sender_id',
  OracleRespondTx: 'oracle_id',
};

export interface BuiltTransaction {
  tx: JsonObject;
  bytes: Uint8Array;
}

/** Builds the transaction of a body that matches the schema. */
export function buildTransaction(
  builder: Builder,
  body: JsonObject,
  context: BuildContext,
): BuiltTransaction | { answer: Answer } {
  try {
    return build(builder, body, context);
  } catch (error) {
    if (error instanceof Refused) return { answer: error.answer };
    // The real node does not check these members either and crashes.
    if (error instanceof MalformedError) return { answer: CRASH };
    throw error;
  }
}

function build(builder: Builder, given: JsonObject, context: BuildContext): BuiltTransaction {
  const missing = [...(builder.crashesWithout ?? []), ...(builder.requiredInV2 ?? [])];
  if (missing.some((member) => given[member] === undefined)) crash();
  const body = withDefaults(builder, given, context);
  checkIds(builder, body);
  const tx: JsonObject = { type: builder.type, version: 1 };
  for (const [member, kind] of Object.entries(builder.members)) {
    const value = body[member];
    if (value === undefined) continue;
    if (kind.startsWith('uint')) tx[member] = integer(value);
    else if (kind === 'ttl' || kind === 'relative ttl') tx[member] = ttl(value as JsonObject);
    else tx[member] = value;
  }
  tx['ttl'] = integer(body['ttl'] ?? 0);
  convertMembers(builder, tx, context);
  tx['nonce'] = nonceOf(builder, body, context);
  checkState(builder, tx, context);
  return { tx, bytes: serializeTransaction(tx) };
}

function withDefaults(builder: Builder, body: JsonObject, { state, beneficiary }: BuildContext): JsonObject {
  switch (builder.type) {
    case 'SpendTx': {
      const recipient = body['recipient_id'] as string;
      const isName = !isId(recipient) && recipient.includes('.') && nameFault(recipient) === undefined;
      return { payload: '', ...body, ...(isName ? { recipient_id: nameHash(recipient) } : {}) };
    }
    case 'OracleQueryTx':
      return beneficiary === undefined ? body : { sender_id: beneficiary, ...body };
    case 'OracleRespondTx': {
      if (body['oracle_id'] !== undefined) return body;
      const query = body['query_id'] as string;
      if (!isId(query, 'oq')) return refuse(400, 'Invalid hash: query_id');
      const asked = state.query(query)?.oracle;
      return asked === undefined
        ? refuse(404, 'Oracle query for key query_id not found')
        : { oracle_id: asked, ...body };
    }
    default:
      return body;
  }
}

function checkIds(builder: Builder, body: JsonObject): void {
  const bad = builder.ids.filter(
    ([member, ...prefixes]) =>
      !fits(body[member] as string, prefixes, builder.type === 'NameClaimTx' && member === 'name'),
  );
  // The node lists the members from the last to the first.
  if (bad.length > 0)
    refuse(
      400,
      `Invalid hash: ${bad
        .map(([member]) => member)
        .reverse()
        .join(',')}`,
    );
}

/** Whether a member is an identifier with one of the prefixes. In a claim, `nm_` contains the text of the name, so it has any length. */
function fits(id: string, prefixes: readonly IdPrefix[], ofAnyLength: boolean): boolean {
  if (!ofAnyLength) return isId(id, ...prefixes);
  try {
    decodeId(id, 'nm');
    return true;
  } catch {
    return false;
  }
}

function integer(value: Json): Json {
  const exact = readInteger(value);
  return exact === undefined ? crash() : printed(exact);
}

const ttl = (given: JsonObject): JsonObject => ({ type: given['type']!, value: integer(given['value']!) });

/** Converts members to the form that they have in the transaction. */
function convertMembers(builder: Builder, tx: JsonObject, { state }: BuildContext): void {
  switch (builder.type) {
    case 'SpendTx':
      tx['payload'] = encodeId('ba', bytesOrText(tx['payload'] as string, 'ba'));
      return;
    case 'OracleRegisterTx': {
      tx['abi_version'] ??= 0;
      if (tx['abi_version'] !== 0)
        for (const member of ['query_format', 'response_format']) tx[member] = toText(tx[member] as string);
      return;
    }
    case 'OracleQueryTx':
      tx['query'] = toText(tx['query'] as string);
      return;
    case 'OracleRespondTx':
      tx['response'] = toText(tx['response'] as string);
      return;
    case 'NameClaimTx':
      tx['name'] = Buffer.from(decodeId(tx['name'] as string)).toString();
      tx['version'] = 2;
      return;
    case 'NameUpdateTx': {
      const pointers = tx['pointers'] as JsonObject[];
      const raw = state.version >= CERES ? (['ba'] as const) : [];
      if (!pointers.every(({ id }) => isId(id as string, 'ak', 'ok', 'ct', 'ch', ...raw)))
        return refuse(400, 'Invalid pointers');
      tx['version'] = pointers.some(({ id }) => (id as string).startsWith('ba_')) ? 2 : 1;
      // The node reverses their order.
      tx['pointers'] = [...pointers].reverse();
      return;
    }
    case 'ChannelCreateTx':
      tx['version'] = delegatesVersion(tx['delegate_ids']!);
      return;
    default:
      if (typeof tx['payload'] === 'string') tx['payload'] = encodeId('tx', decodeId(tx['payload']));
  }
}

function delegatesVersion(delegates: Json): number {
  const lists = isObject(delegates) ? [delegates['initiator'], delegates['responder']] : [delegates];
  const good = lists.every(
    (list) => Array.isArray(list) && list.every((id) => typeof id === 'string' && isId(id, 'ak')),
  );
  if (!good) return refuse(400, 'Invalid hash: delegate_ids');
  return isObject(delegates) ? 2 : 1;
}

/** The bytes of an identifier with this prefix; for any other text, the bytes of the text. */
function bytesOrText(text: string, prefix: IdPrefix): Uint8Array {
  try {
    return decodeId(text, prefix);
  } catch {
    return Buffer.from(text);
  }
}

/** Queries and responses may be given as bytes. */
const toText = (text: string): string => Buffer.from(bytesOrText(text, 'cb')).toString();

function nonceOf(builder: Builder, body: JsonObject, { nextNonce }: BuildContext): Json {
  if (body['nonce'] !== undefined) return integer(body['nonce']);
  const payer = builder.payer!;
  const next = nextNonce(withPrefix('ak', body[payer] as string));
  return next === undefined ? refuse(404, `Account of ${payer} not found`) : printed(next);
}

/** The checks for which the node reads the state after its newest block. */
function checkState(builder: Builder, tx: JsonObject, { state }: BuildContext): void {
  const id = (member: string): string => tx[member] as string;
  switch (builder.type) {
    case 'NameClaimTx': {
      const fault = nameFault(id('name'));
      if (fault !== undefined) refuse(400, `Name validation failed with a reason: ${fault}`);
      return;
    }
    case 'OracleQueryTx':
      if (id('oracle_id').startsWith('ok_') && state.oracle(id('oracle_id')) === undefined)
        refuse(404, 'Oracle address for key oracle_id not found');
      return;
    case 'OracleRespondTx':
      if (state.query(id('query_id'))?.oracle !== id('oracle_id'))
        refuse(404, 'Oracle query for key query_id not found');
      return;
    case 'ContractCallTx':
      if (id('contract_id').startsWith('ct_') && state.contract(id('contract_id')) === undefined)
        refuse(404, `Contract code for '${id('contract_id')}' not found`);
  }
  const bad = (builder.bytes ?? []).filter((member) => !isId(id(member), 'cb'));
  if (bad.length > 0) refuse(400, `Not byte array: ${bad.reverse().join(',')}`);
}

/** The body of the answer. */
export function responseText({ tx, bytes }: BuiltTransaction): string {
  const encoded = `"tx":"${encodeId('tx', bytes)}"`;
  if (tx['type'] !== 'ContractCreateTx') return `{${encoded}}`;
  return `{"contract_id":"${contractId(tx['owner_id'] as string, BigInt(tx['nonce'] as number | bigint))}",${encoded}}`;
}
