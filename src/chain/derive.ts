/** Everything that follows from one transaction alone: the lists it stands in, what it does, and which names it relies on. */
import { effectiveOf } from './effective.js';
import type { Transaction } from './facts.js';
import { MalformedError } from './malformed.js';
import { isIdText, operationOf } from './operations.js';
import type { Effective, Operation } from './operations.js';

/** Kinds of lists that transactions stand in; stored, so never renumbered. */
export const ListKind = {
  /** Members of the outermost transaction that name an account, and accounts paid through a name. */
  account: 1,
  /** `<sender>><receiver>` of a SpendTx. */
  pair: 2,
  /** Creation of a contract and calls by its `ct_`. */
  contract: 3,
  /** Creation of a channel and everything with its `ch_`. */
  channel: 4,
  /** Questions put to an `ok_`. */
  oracle: 5,
  /** Claims, updates, transfers and revocations of an `nm_`. */
  name: 6,
  /** Registrations and extensions of an `ok_`. */
  oracleLife: 7,
  /** Transactions that name an `nm_` where it must be resolved. */
  nameUse: 8,
  /** Claims and bids of an `ak_` that offered a fee for the name. */
  bid: 9,
} as const;
export type ListKind = (typeof ListKind)[keyof typeof ListKind];

export interface ListEntry {
  kind: ListKind;
  id: string;
}

/** A name that stands where an account, oracle or contract is meant. */
export interface NameUse {
  /** nm_ */
  name: string;
  role: 'payment' | 'oracle' | 'recipient' | 'contract';
}

export interface Derived {
  /** False if what the transaction does could not be told from it; its lists then are as far as its members allow. */
  valid: boolean;
  /** Distinct; without those that depend on resolving names. */
  lists: ListEntry[];
  operations: Operation[];
  uses: NameUse[];
}

const ACCOUNT_MEMBERS = [
  'sender_id',
  'recipient_id',
  'account_id',
  'ga_id',
  'caller_id',
  'initiator_id',
  'responder_id',
  'from_id',
  'to_id',
  'owner_id',
  'payer_id',
];

/** Members that put the transaction that takes effect under an object, whether or not its operation can be told. */
const OBJECT_MEMBERS: ReadonlyMap<string, { member: string; prefix: string; kind: ListKind }> = new Map([
  ['NameUpdateTx', { member: 'name_id', prefix: 'nm_', kind: ListKind.name }],
  ['NameTransferTx', { member: 'name_id', prefix: 'nm_', kind: ListKind.name }],
  ['NameRevokeTx', { member: 'name_id', prefix: 'nm_', kind: ListKind.name }],
  ['OracleExtendTx', { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracleLife }],
  ['OracleQueryTx', { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracle }],
]);

const NAME_USES: ReadonlyMap<string, { member: string; role: NameUse['role'] }> = new Map([
  ['SpendTx', { member: 'recipient_id', role: 'payment' }],
  ['OracleQueryTx', { member: 'oracle_id', role: 'oracle' }],
  ['NameTransferTx', { member: 'recipient_id', role: 'recipient' }],
  ['ContractCallTx', { member: 'contract_id', role: 'contract' }],
]);

/** Never throws. Lists of accounts and pairs look at the outermost transaction only, all else at the one that takes effect. */
export function derive(transaction: Transaction): Derived {
  const derived: Derived = { valid: true, lists: [], operations: [], uses: [] };
  listAccounts(transaction, derived.lists);
  try {
    const effective = effectiveOf(transaction);
    noteUse(effective, derived);
    listObjects(effective, derived.lists);
    const operation = operationOf(effective);
    if (operation !== undefined) {
      derived.operations.push(operation);
      listResult(operation, derived.lists);
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    derived.valid = false;
  }
  return derived;
}

function listAccounts({ tx, type }: Transaction, lists: ListEntry[]): void {
  for (const member of ACCOUNT_MEMBERS) {
    const id = tx[member];
    if (isIdText(id)) add(lists, ListKind.account, id);
  }
  const sender = tx['sender_id'];
  const recipient = tx['recipient_id'];
  if (type === 'SpendTx' && isIdText(sender) && isIdText(recipient))
    add(lists, ListKind.pair, `${sender}>${recipient}`);
}

/** A wrapped spend or call is not listed under accounts and contracts, so who its name stands for does not matter. */
function noteUse({ tx, type, wrapped }: Effective, derived: Derived): void {
  const use = NAME_USES.get(type);
  if (use === undefined || (wrapped && (use.role === 'payment' || use.role === 'contract'))) return;
  const name = tx[use.member];
  if (!isIdText(name) || !name.startsWith('nm_')) return;
  derived.uses.push({ name, role: use.role });
  add(derived.lists, ListKind.nameUse, name);
}

function listObjects({ tx, type }: Effective, lists: ListEntry[]): void {
  const channel = tx['channel_id'];
  if (isIdText(channel)) add(lists, ListKind.channel, channel);
  const named = OBJECT_MEMBERS.get(type);
  const id = named && tx[named.member];
  if (named !== undefined && isIdText(id) && id.startsWith(named.prefix)) add(lists, named.kind, id);
}

/** Lists under ids that are no members but follow from them, and of contracts. */
function listResult(operation: Operation, lists: ListEntry[]): void {
  if (operation.on === 'contract') add(lists, ListKind.contract, operation.id);
  else if (operation.on === 'channel') add(lists, ListKind.channel, operation.id);
  else if (operation.on === 'name') {
    add(lists, ListKind.name, operation.name_hash);
    if (operation.op === 'claim' && operation.fee !== null) add(lists, ListKind.bid, operation.owner);
  } else if (operation.on === 'oracle') add(lists, ListKind.oracleLife, operation.id);
}

function add(lists: ListEntry[], kind: ListKind, id: string): void {
  if (!lists.some((entry) => entry.kind === kind && entry.id === id)) lists.push({ kind, id });
}
