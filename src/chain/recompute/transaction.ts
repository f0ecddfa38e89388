/**
 * Computes a second time what follows from one stored transaction, to verify what the populator derived. For this reason it shares no code
 * with the populator for reading transactions and deriving from them. The rules are in docs/protocol.
 */
import { decodeId, encodeId, hash } from '../encoding/encoding.js';
import { memberText } from '../encoding/json-walk.js';
import { MalformedError } from '../malformed.js';

/** A transaction as it is stored. */
export interface StoredText {
  /** Exact text of the envelope, and of the node's call information. */
  body: string;
  info: string | null;
  /** Stored position of the inner transaction in `body`: first character (counted from 1) and length in characters. */
  txStart: number;
  txLength: number;
}

type NameEffect = { on: 'name'; hash: string } & (
  | { does: 'claim'; name: string; owner: string; salted: boolean; fee: bigint | null }
  | { does: 'update'; ttl: number; pointers: string; pointerIds: string[] }
  | { does: 'transfer'; recipient: string }
  | { does: 'revoke' }
);

/** What a transaction does. */
export type Effect =
  | NameEffect
  | { on: 'oracle'; id: string; does: 'register'; relative: boolean; value: number }
  | { on: 'oracle'; id: string; does: 'extend'; value: number }
  | { on: 'query' | 'channel'; id: string; does: 'begin' | 'end' }
  | { on: 'contract'; id: string; does: 'create' }
  | { on: 'contract'; id: string; does: 'call'; caller: string | null; data: string | undefined };

export interface Recomputed {
  hash: string;
  type: string;
  blockHash: string;
  /** -1 if it is no height. */
  blockHeight: number;
  /** Size of the inner transaction as compact JSON, in bytes. */
  size: number;
  fee: bigint;
  /** Amount of a spend that is not wrapped. */
  spent: bigint | undefined;
  valid: boolean;
  /** Entries `kind id`, distinct. Lists that depend on what a name points to are not included. */
  lists: Set<string>;
  effect: Effect | undefined;
  /** A name for which the transaction is also listed under the account or oracle that the name points to. */
  byName: { name: string; to: 'account' | 'oracle' } | undefined;
}

type Members = Record<string, unknown>;

/** Kinds of lists, as they are stored. */
const LIST = {
  ...{ account: 1, pair: 2, contract: 3, channel: 4, oracle: 5, name: 6, oracleLife: 7, nameUse: 8, bid: 9 },
  ...{ wrapped: 10, pointed: 11, oracleAnswer: 12 },
};

/** Returns undefined if `body` is not a transaction, or its inner transaction is not at the stored position. */
export function recompute(stored: StoredText): Recomputed | undefined {
  const parts = splitEnvelope(stored);
  if (parts === undefined) return undefined;
  const { envelope, tx, text } = parts;
  const type = /^\w{1,64}$/.test(textOrEmpty(tx, 'type')) ? textOrEmpty(tx, 'type') : 'unknown';
  const found: Recomputed = {
    hash: textOrEmpty(envelope, 'hash'),
    type,
    blockHash: textOrEmpty(envelope, 'block_hash'),
    blockHeight: Number.isSafeInteger(envelope['block_height']) ? (envelope['block_height'] as number) : -1,
    size: sizeOf(text),
    fee: integerOf(tx, text, 'fee') ?? 0n,
    spent: type === 'SpendTx' ? (integerOf(tx, text, 'amount') ?? 0n) : undefined,
    valid: true,
    lists: new Set(),
    effect: undefined,
    byName: undefined,
  };
  listParties(tx, type, found.lists);
  try {
    addEffect(effective({ tx, text, type }, stored.info), found);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    found.valid = false;
  }
  return found;
}

/** Parses the inner transaction, and the envelope with `0` in place of it. So the inner transaction must be the member `tx` of the envelope. */
function splitEnvelope({
  body,
  txStart,
  txLength,
}: StoredText): { envelope: Members; tx: Members; text: string } | undefined {
  const characters = /[\ud800-\udfff]/.test(body) ? [...body] : body;
  const cut = (from: number, to?: number): string =>
    typeof characters === 'string' ? characters.slice(from, to) : characters.slice(from, to).join('');
  const end = txStart - 1 + txLength;
  const text = txStart < 1 ? '' : cut(txStart - 1, end);
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  const envelope = parsed(`${cut(0, txStart - 1)}0${cut(end)}`);
  const tx = parsed(text);
  return isMembers(envelope) && envelope['tx'] === 0 && isMembers(tx) ? { envelope, tx, text } : undefined;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(/\s/.test(text) ? text.replace(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1') : text);
}

const PARTIES =
  'sender_id recipient_id account_id ga_id caller_id initiator_id responder_id from_id to_id owner_id payer_id';
const PARTY_MEMBERS = PARTIES.split(' ');

function listParties(tx: Members, type: string, lists: Set<string>): void {
  for (const party of PARTY_MEMBERS) if (isId(tx[party])) lists.add(`${LIST.account} ${tx[party]}`);
  for (let at = member(tx['tx'], 'tx'); isMembers(at); at = member(at['tx'], 'tx')) {
    for (const party of PARTY_MEMBERS) {
      const id = at[party];
      if (isId(id) && !lists.has(`${LIST.account} ${id}`)) lists.add(`${LIST.wrapped} ${id}`);
    }
  }
  const { sender_id: sender, recipient_id: recipient } = tx;
  if (type === 'SpendTx' && isId(sender) && isId(recipient)) lists.add(`${LIST.pair} ${sender}>${recipient}`);
}

/** A text member of the transaction that takes effect; undefined if it has none. Throws MalformedError if a wrapped transaction cannot be read. */
export function effectiveMember(stored: StoredText, name: string): string | undefined {
  const parts = splitEnvelope(stored);
  if (parts === undefined) return undefined;
  const value = effective({ ...parts, type: textOrEmpty(parts.tx, 'type') }, stored.info).tx[name];
  return typeof value === 'string' ? value : undefined;
}

/** The types of a transaction and those that it wraps, and type and `abi_version` of the one that takes effect; undefined if they cannot be read. */
export function typesOf(stored: StoredText): { types: string[]; type: string; abi: unknown } | undefined {
  const parts = splitEnvelope(stored);
  if (parts === undefined) return undefined;
  const types: string[] = [];
  for (let at: unknown = parts.tx; isMembers(at); at = member(at['tx'], 'tx')) types.push(textOrEmpty(at, 'type'));
  try {
    const { tx, type } = effective({ ...parts, type: textOrEmpty(parts.tx, 'type') }, stored.info);
    return { types, type, abi: tx['abi_version'] };
  } catch (error) {
    if (error instanceof MalformedError) return { types, type: '', abi: undefined };
    throw error;
  }
}

/** The transaction that takes effect. */
interface Effective {
  tx: Members;
  text: string;
  type: string;
  wrapped: boolean;
  /** Accounts that a contract authenticated, with the authentication id that replaces the nonce. */
  authenticated: ReadonlyMap<string, Uint8Array>;
}

function effective(outer: { tx: Members; text: string; type: string }, info: string | null): Effective {
  let { tx, text, type } = outer;
  let wrapped = false;
  const authenticated = new Map<string, Uint8Array>();
  let call = type === 'GAMetaTx' || type === 'PayingForTx' ? member(parsed(info), 'ga_info') : undefined;
  for (;;) {
    if (type === 'GAMetaTx') {
      const outcome = member(call, 'return_type');
      if (outcome !== undefined && outcome !== 'ok') break;
      const account = readText(tx, 'ga_id');
      authenticated.set(account, hash(keyOf(account), decodeId(readText(tx, 'auth_data'), 'cb')));
      call = member(member(call, 'inner_object'), 'ga_info');
    } else if (type !== 'PayingForTx') break;
    const inner = member(tx['tx'], 'tx');
    const source = memberText(memberText(text, 'tx') ?? '{}', 'tx');
    if (!isMembers(inner) || source === undefined) throw new MalformedError('tx: no wrapped transaction');
    [tx, text, type] = [inner, source, readText(inner, 'type')];
    wrapped = true;
  }
  return { tx, text, type, wrapped, authenticated };
}

/** Adds the effect of the transaction and the lists that follow from it. Throws MalformedError at the first member that cannot be read. */
function addEffect(of: Effective, found: Recomputed): void {
  const { tx, type, wrapped } = of;
  const { lists } = found;
  addNameUse(tx, type, wrapped, found);
  if (isId(tx['channel_id'])) lists.add(`${LIST.channel} ${tx['channel_id']}`);
  if (/^Name(Update|Transfer|Revoke)Tx$/.test(type) && isId(tx['name_id'], 'nm_'))
    lists.add(`${LIST.name} ${tx['name_id']}`);
  if (type === 'OracleExtendTx' && isId(tx['oracle_id'], 'ok_')) lists.add(`${LIST.oracleLife} ${tx['oracle_id']}`);
  if (type === 'OracleQueryTx' && isId(tx['oracle_id'], 'ok_')) lists.add(`${LIST.oracle} ${tx['oracle_id']}`);
  if (/^OracleRespon(d|se)Tx$/.test(type) && isId(tx['oracle_id'], 'ok_'))
    lists.add(`${LIST.oracleAnswer} ${tx['oracle_id']}`);
  const effect = effectOf(of);
  found.effect = effect;
  if (effect?.on === 'name') {
    lists.add(`${LIST.name} ${effect.hash}`);
    if (effect.does === 'claim' && effect.fee !== null) lists.add(`${LIST.bid} ${effect.owner}`);
    if (effect.does === 'update')
      for (const id of effect.pointerIds)
        if (['ak_', 'ct_', 'ok_', 'ch_'].includes(id.slice(0, 3))) lists.add(`${LIST.pointed} ${id}`);
  } else if (effect?.on === 'oracle') lists.add(`${LIST.oracleLife} ${effect.id}`);
  else if (effect?.on === 'channel') lists.add(`${LIST.channel} ${effect.id}`);
  else if (effect?.on === 'contract' && !(wrapped && effect.does === 'call'))
    lists.add(`${LIST.contract} ${effect.id}`);
}

function addNameUse(tx: Members, type: string, wrapped: boolean, found: Recomputed): void {
  const names: Record<string, unknown> = {
    SpendTx: wrapped ? undefined : tx['recipient_id'],
    ContractCallTx: wrapped ? undefined : tx['contract_id'],
    OracleQueryTx: tx['oracle_id'],
    NameTransferTx: tx['recipient_id'],
  };
  const name = names[type];
  if (!isId(name, 'nm_')) return;
  found.lists.add(`${LIST.nameUse} ${name}`);
  if (type !== 'ContractCallTx') found.byName = { name, to: type === 'OracleQueryTx' ? 'oracle' : 'account' };
}

function effectOf(of: Effective): Effect | undefined {
  const { tx, text, type } = of;
  switch (type) {
    case 'NameClaimTx':
      return claimOf(tx, text);
    case 'NameUpdateTx':
      return updateOf(tx, text);
    case 'NameTransferTx':
      return { on: 'name', hash: readId(tx, 'name_id'), does: 'transfer', recipient: readId(tx, 'recipient_id') };
    case 'NameRevokeTx':
      return { on: 'name', hash: readId(tx, 'name_id'), does: 'revoke' };
    case 'OracleRegisterTx':
      return { on: 'oracle', id: `ok_${readId(tx, 'account_id').slice(3)}`, does: 'register', ...oracleTtl(tx, text) };
    case 'OracleExtendTx':
      return { on: 'oracle', id: readId(tx, 'oracle_id'), does: 'extend', value: oracleTtl(tx, text).value };
    case 'OracleQueryTx':
      return { on: 'query', id: queryId(of), does: 'begin' };
    case 'OracleRespondTx':
    case 'OracleResponseTx':
      readId(tx, 'oracle_id');
      return { on: 'query', id: readId(tx, 'query_id'), does: 'end' };
    case 'ChannelCreateTx':
      return { on: 'channel', id: channelId(of), does: 'begin' };
    case 'ChannelCloseMutualTx':
    case 'ChannelCloseSoloTx':
    case 'ChannelSlashTx':
    case 'ChannelSettleTx':
      return { on: 'channel', id: readId(tx, 'channel_id'), does: 'end' };
    case 'ContractCreateTx':
    case 'GAAttachTx':
      return { on: 'contract', id: contractId(of), does: 'create' };
    case 'ContractCallTx': {
      const contract = readId(tx, 'contract_id');
      if (contract.startsWith('nm_')) return undefined;
      const { call_data: data, caller_id: caller } = tx;
      return {
        on: 'contract',
        id: contract,
        does: 'call',
        caller: isId(caller) ? caller : null,
        data: typeof data === 'string' ? data : undefined,
      };
    }
    default:
      return undefined;
  }
}

function claimOf(tx: Members, text: string): Effect {
  const name = tx['name'];
  if (typeof name !== 'string' || name === '' || name.includes('\0')) throw new MalformedError('name: not text');
  const offered = tx['name_fee'];
  return {
    on: 'name',
    hash: nameHash(name),
    does: 'claim',
    name,
    owner: readId(tx, 'account_id'),
    salted: readAmount(tx, text, 'name_salt') !== 0n,
    fee: offered === undefined || offered === null ? null : readAmount(tx, text, 'name_fee'),
  };
}

function updateOf(tx: Members, text: string): Effect {
  const { pointers } = tx;
  if (!Array.isArray(pointers)) throw new MalformedError('pointers: not a list');
  const pointed = (pointers as unknown[]).map((pointer) => member(pointer, 'id')).filter((one) => isId(one));
  return {
    on: 'name',
    hash: readId(tx, 'name_id'),
    does: 'update',
    ttl: readGenerations(integerOf(tx, text, 'name_ttl')),
    pointers: memberText(text, 'pointers')!,
    pointerIds: [...new Set(pointed)],
  };
}

function oracleTtl(tx: Members, text: string): { relative: boolean; value: number } {
  const ttl = tx['oracle_ttl'];
  const kind = member(ttl, 'type');
  if (!isMembers(ttl) || (kind !== 'delta' && kind !== 'block')) throw new MalformedError('oracle_ttl');
  return {
    relative: kind === 'delta',
    value: readGenerations(integerOf(ttl, memberText(text, 'oracle_ttl')!, 'value')),
  };
}

/** The nonce in `length` bytes, or in as few as possible; the authentication id if a contract authenticated the account. */
function distinction({ tx, text, authenticated }: Effective, account: string, length?: number): Uint8Array {
  const id = authenticated.get(account);
  if (id !== undefined) return id;
  const nonce = integerOf(tx, text, 'nonce');
  if (nonce === undefined || nonce < 0n || nonce >= 1n << 256n) throw new MalformedError('nonce');
  const hex = nonce === 0n ? '00' : nonce.toString(16);
  return Buffer.from(hex.padStart(length === undefined ? hex.length + (hex.length % 2) : length * 2, '0'), 'hex');
}

function contractId(of: Effective): string {
  const owner = readId(of.tx, 'owner_id');
  return encodeId('ct', hash(keyOf(owner), distinction(of, owner)));
}

function channelId(of: Effective): string {
  const initiator = readId(of.tx, 'initiator_id');
  const responder = readId(of.tx, 'responder_id');
  return encodeId('ch', hash(keyOf(initiator), distinction(of, initiator, 32), keyOf(responder)));
}

/** The authentication id already contains the sender, so the sender is left out where it replaces the nonce. */
function queryId(of: Effective): string {
  const sender = readId(of.tx, 'sender_id');
  const oracle = keyOf(readId(of.tx, 'oracle_id'));
  const nonceBytes = distinction(of, sender, 32);
  return encodeId(
    'oq',
    of.authenticated.has(sender) ? hash(nonceBytes, oracle) : hash(keyOf(sender), nonceBytes, oracle),
  );
}

/** The form of a name that is hashed and whose length counts. */
export function asciiForm(name: string): string {
  if (name.length > 1000) throw new MalformedError('name: too long');
  if (/^[\x21-\x7e]*$/.test(name)) return name.toLowerCase();
  const ascii = /[\s%@:/?#\\[\]]/.test(name) ? '' : hostOf(`http://${name}/`);
  if (ascii === '') throw new MalformedError('name: has no ASCII form');
  return ascii;
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return '';
  }
}

function nameHash(name: string): string {
  const ascii = asciiForm(name);
  if (ascii.endsWith('.chain')) return encodeId('nm', hash(Buffer.from(ascii)));
  const byLabels = ascii
    .split('.')
    .reduce<Uint8Array>((before, label) => hash(before, hash(Buffer.from(label))), new Uint8Array(32));
  return encodeId('nm', byLabels);
}

function keyOf(text: string): Uint8Array {
  const bytes = decodeId(text);
  if (bytes.length !== 32) throw new MalformedError('not a key of 32 bytes');
  return bytes;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (of: unknown, name: string): unknown => (isMembers(of) ? of[name] : undefined);

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ID = /^[a-z]{2}_[1-9A-HJ-NP-Za-km-z]{1,80}$/;

const isId = (value: unknown, prefix = ''): value is string =>
  typeof value === 'string' && value.startsWith(prefix) && ID.test(value);

function readId(tx: Members, name: string): string {
  const value = tx[name];
  if (isId(value)) return value;
  throw new MalformedError(`${name}: not an identifier`);
}

function readText(tx: Members, name: string): string {
  const value = tx[name];
  if (typeof value === 'string') return value;
  throw new MalformedError(`${name}: not text`);
}

const textOrEmpty = (of: Members, name: string): string => (typeof of[name] === 'string' ? of[name] : '');

/** An integer member with all its digits, printed as a number or as text; undefined if it is not an integer. `text` is the source of `of`. */
function integerOf(of: Members, text: string, name: string): bigint | undefined {
  const value = of[name];
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return BigInt(value);
    const digits = memberText(text, name) ?? '';
    return /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  }
  return typeof value === 'string' && /^\d{1,100}$/.test(value) ? BigInt(value) : undefined;
}

function readAmount(of: Members, text: string, name: string): bigint {
  const value = integerOf(of, text, name);
  if (value !== undefined && value >= 0n) return value;
  throw new MalformedError(`${name}: not an amount`);
}

function readGenerations(value: bigint | undefined): number {
  if (value !== undefined && value >= 0n && value < 1n << 52n) return Number(value);
  throw new MalformedError('not a number of generations');
}
