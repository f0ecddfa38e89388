/** Rows of transactions. */
import { encodeId } from '../../../chain/encoding/encoding.js';
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { integer } from '../../../chain/facts.js';
import { channelId, contractId, nameHash, oracleId, queryId } from '../../../chain/protocol/ids.js';
import { parseSigned } from '../../../chain/serialize/parse.js';
import { serializeSigned } from '../../../chain/serialize/transactions.js';
import { decodeId } from '../../../chain/encoding/encoding.js';
import { nestedTransactions } from '../../../chain/transactions/nested.js';
import type { CompatTransactionRow } from '../../../store/queries/compat/transactions.js';
import type { Version } from '../endpoint.js';
import * as v from './values.js';

interface Options {
  version: Version;
  /** Whether payments to a name show the account that it pointed to. */
  recipient?: boolean;
}

/** A transaction as lists and single answers show it. */
export function transactionRow(row: CompatTransactionRow, { version, recipient = true }: Options): JsonObject {
  const envelope = parseExact(row.body) as JsonObject;
  const { signatures } = envelope;
  return {
    hash: envelope['hash']!,
    block_hash: envelope['block_hash']!,
    block_height: envelope['block_height']!,
    micro_index: row.micro_index,
    micro_time: Number(row.micro_time),
    ...(signatures !== undefined && { signatures }),
    encoded_tx: encodedTx(envelope),
    ...(version === 'v2' && row.tx_index !== null && { tx_index: Number(row.tx_index) }),
    tx: shownTx(envelope['tx'] as JsonObject, infoOf(row), { row, recipient, isOuter: true }),
  };
}

/** The signed transaction. Early nodes do not print it. */
function encodedTx({ encoded_tx: printed, signatures, tx }: JsonObject): Json {
  if (typeof printed === 'string') return printed;
  const envelope: JsonObject = { ...(signatures !== undefined && { signatures }), tx: tx! };
  const bytes = v.orUndefined(() => serializeSigned(envelope));
  return bytes === undefined ? null : encodeId('tx', bytes);
}

const infoOf = ({ info }: CompatTransactionRow): JsonObject | undefined => {
  const value = info === null ? undefined : v.orUndefined(() => parseExact(info));
  return isObject(value) ? value : undefined;
};

interface Details {
  row: CompatTransactionRow;
  recipient: boolean;
  /** It is not wrapped by another one. */
  isOuter: boolean;
}

/** `info`: call information of this level. */
function shownTx(tx: JsonObject, info: JsonObject | undefined, details: Details): JsonObject {
  const additions = ADDITIONS[v.textOf(tx['type'])]?.(tx, info, details) ?? {};
  return { ...tx, ...additions };
}

type Additions = (tx: JsonObject, info: JsonObject | undefined, details: Details) => JsonObject;

const callIn = (info: JsonObject | undefined): JsonObject | undefined => objectIn(info, 'call_info');

const objectIn = (object: JsonObject | undefined, member: string): JsonObject | undefined => {
  const value = object?.[member];
  return isObject(value) ? value : undefined;
};

const textIn = (tx: JsonObject, member: string): string => v.textOf(tx[member]);

/** A computed identifier as a member; none if the transaction is malformed. */
const withId = (member: string, compute: () => string): JsonObject => {
  const found = v.orUndefined(compute);
  return found === undefined ? {} : { [member]: found };
};

const nonceIn = (tx: JsonObject): bigint => integer(tx['nonce']) ?? 0n;

function contractCreate(tx: JsonObject, info: JsonObject | undefined, { isOuter, row }: Details): JsonObject {
  if (!isOuter) return {};
  const call = callIn(info);
  return {
    ...withId('contract_id', () => contractId(textIn(tx, 'owner_id'), nonceIn(tx))),
    args: v.argumentsOf(tx['call_data']) ?? [],
    ...v.codeFacts(tx['code']),
    aexn_type: tokenType(row),
    caller_id: call?.['caller_id'] ?? tx['owner_id']!,
    return_type: call?.['return_type'] ?? creationOutcome(row),
    return_value: call?.['return_value'] ?? null,
    gas_used: call?.['gas_used'] ?? null,
    log: v.shownLog(call?.['log']),
  };
}

function contractCall(tx: JsonObject, info: JsonObject | undefined, { row }: Details): JsonObject {
  const call = callIn(info);
  const decoded = row.call === null ? undefined : v.orUndefined(() => parseExact(row.call!));
  const known = isObject(decoded) ? decoded : undefined;
  const type = call?.['return_type'];
  return {
    function: known?.['function'] ?? '<unknown>',
    arguments: known === undefined ? (v.argumentsOf(tx['call_data']) ?? '') : v.shownValue(known['arguments'] ?? []),
    ...resultOf(type, call?.['return_value']),
    caller_id: tx['caller_id']!,
    return_type: type ?? null,
    gas_used: call?.['gas_used'] ?? null,
    log: v.shownLog(call?.['log']),
    aexn_type: tokenType(row),
  };
}

const tokenType = ({ token_kind: kind }: CompatTransactionRow): Json => (kind === null ? null : `aex${kind}`);

/** `result` and `return` in the words that clients compare, and the text of a revert. */
function resultOf(type: Json | undefined, value: Json | undefined): JsonObject {
  if (type === undefined) return { result: null, return: null };
  if (type === 'ok') return { result: 'ok', return: v.returnedValue(value) ?? null };
  if (type !== 'revert') return { result: 'invalid', return: 'error' };
  const reason = v.returnedValue(value);
  return { result: 'ok', return: 'invalid', revert_reason: isObject(reason) ? reason['value']! : null };
}

/** How the creation of a contract ended, where only that is stored. */
const creationOutcome = ({ creation_failed: failed }: CompatTransactionRow): Json =>
  failed === null ? null : failed ? 'error' : 'ok';

function attach(tx: JsonObject, info: JsonObject | undefined, { row }: Details): JsonObject {
  const call = callIn(info);
  return {
    ...withId('contract_id', () => contractId(textIn(tx, 'owner_id'), nonceIn(tx))),
    auth_fun_name: v.functionName(tx['code'], tx['auth_fun']),
    args: v.argumentsOf(tx['call_data']) ?? [],
    gas_used: call?.['gas_used'] ?? null,
    return_type: call?.['return_type'] ?? creationOutcome(row),
  };
}

/** A wrapping transaction: the one in it has the additions of its own type. */
function wrapping(tx: JsonObject, innerInfo: JsonObject | undefined, details: Details): JsonObject {
  const envelope = objectIn(tx, 'tx');
  const inner = objectIn(envelope, 'tx');
  if (envelope === undefined || inner === undefined) return {};
  return {
    tx: {
      signatures: envelope['signatures'] ?? [],
      tx: shownTx(inner, innerInfo, { ...details, isOuter: false }),
    },
  };
}

function meta(tx: JsonObject, info: JsonObject | undefined, details: Details): JsonObject {
  const authentication = objectIn(info, 'ga_info');
  return {
    ...wrapping(tx, objectIn(authentication, 'inner_object'), details),
    return_type: authentication?.['return_type'] ?? 'unknown',
    gas_used: authentication?.['gas_used'] ?? null,
  };
}

function spend(tx: JsonObject, _info: JsonObject | undefined, { row, recipient }: Details): JsonObject {
  if (!recipient || !textIn(tx, 'recipient_id').startsWith('nm_') || row.paid === null) return {};
  return { recipient: { name: row.name, account: row.paid } };
}

const named: Additions = (_tx, _info, { row }) => ({ name: row.name });

/** The parties of the channel, and the round of the state that the transaction carries. */
function channel(tx: JsonObject, _info: JsonObject | undefined, { row }: Details): JsonObject {
  // A transaction that has a round of its own shows that one.
  const round = tx['round'] === undefined ? roundIn(tx['payload']) : undefined;
  return { ...partiesOf(row.channel_creation), ...(round !== undefined && { round }) };
}

/** `initiator_id` and `responder_id` of the transaction that created a channel, which may be wrapped. */
function partiesOf(creation: string | null): JsonObject {
  const envelope = creation === null ? undefined : (parseExact(creation) as JsonObject);
  const [innermost] = [...nestedTransactions(envelope?.['tx'])].reverse();
  const { initiator_id: initiator, responder_id: responder } = innermost ?? {};
  return initiator === undefined || responder === undefined ? {} : { initiator_id: initiator, responder_id: responder };
}

/** Round of a state that both parties signed; undefined without one. */
export function roundIn(payload: Json | undefined): Json | undefined {
  if (typeof payload !== 'string') return undefined;
  return v.orUndefined(() => {
    const bytes = decodeId(payload, 'tx');
    return bytes.length === 0 ? undefined : parseSigned(bytes).tx['round'];
  });
}

/** What follows from the members alone. */
const BY_MEMBERS: Readonly<Record<string, (tx: JsonObject) => JsonObject>> = {
  OracleRegisterTx: (tx) => withId('oracle_id', () => oracleId(textIn(tx, 'account_id'))),
  OracleQueryTx: (tx) => ({
    ...withId('query_id', () => queryId(textIn(tx, 'sender_id'), nonceIn(tx), textIn(tx, 'oracle_id'))),
    query: v.base64(tx['query']),
  }),
  OracleRespondTx: (tx) => ({ response: v.base64(tx['response']) }),
  NameClaimTx: (tx) => withId('name_id', () => nameHash(textIn(tx, 'name'))),
};

const withPointers = (tx: JsonObject): JsonObject => ({ pointers: v.encodedPointers(tx['pointers']) });

/** What a contract did inside a call, as the transaction that does the same. */
export const internalTransaction = (tx: JsonObject): JsonObject => ({
  ...tx,
  ...BY_MEMBERS[v.textOf(tx['type'])]?.(tx),
  ...(tx['type'] === 'NameUpdateTx' && withPointers(tx)),
});

const ADDITIONS: Readonly<Record<string, Additions>> = {
  ...BY_MEMBERS,
  SpendTx: spend,
  ContractCreateTx: contractCreate,
  ContractCallTx: contractCall,
  GAAttachTx: attach,
  GAMetaTx: meta,
  PayingForTx: wrapping,
  NameUpdateTx: (tx, info, details) => ({ ...named(tx, info, details), ...withPointers(tx) }),
  NameTransferTx: named,
  NameRevokeTx: named,
  ChannelCreateTx: (tx) =>
    withId('channel_id', () => channelId(textIn(tx, 'initiator_id'), nonceIn(tx), textIn(tx, 'responder_id'))),
  ChannelCloseMutualTx: channel,
  ChannelCloseSoloTx: channel,
  ChannelSlashTx: channel,
  ChannelSnapshotSoloTx: channel,
  ChannelSettleTx: channel,
  ChannelForceProgressTx: channel,
};
