/** Everything that follows from one transaction alone: the lists it belongs to, its operations, and the names that must be resolved for it. */
import { effectiveOf, runsContract } from './effective.js';
import type { Transaction } from './facts.js';
import { MalformedError } from './malformed.js';
import { ListKind } from './lists.js';
import { isIdText } from './operations.js';
import type { Effective, Operation } from './operations.js';
import type { JsonObject } from './encoding/json.js';
import { transactionType } from './transactions/catalogue.js';
import { nestedTransactions } from './transactions/nested.js';
import type { NameRole, TransactionType } from './transactions/type.js';

export { ListKind };

interface ListEntry {
  kind: ListKind;
  id: string;
}

/** A name that the transaction gives in place of an account, an oracle or a contract. */
export interface NameUse {
  /** nm_ */
  name: string;
  role: NameRole;
}

export interface Derived {
  /** False if the operation cannot be derived. The lists then contain only what the readable members give. */
  valid: boolean;
  /** Distinct. Lists that depend on resolving a name are not included. */
  lists: ListEntry[];
  operations: Operation[];
  nameUses: NameUse[];
  /** It, or a transaction that it wraps, runs the code of a contract. */
  runsContract: boolean;
}

type Resolves = NonNullable<TransactionType['resolves']>;

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

/** What pointers are looked up by: accounts, contracts, oracles and channels. */
const POINTED = /^(?:ak|ct|ok|ch)_/;

/** Never throws. The lists of accounts and pairs come from the outermost transaction; everything else comes from the one that takes effect. */
export function derive(transaction: Transaction): Derived {
  const derived: Derived = {
    valid: true,
    lists: [],
    operations: [],
    nameUses: [],
    runsContract: runsContract(transaction),
  };
  listAccounts(transaction, derived.lists);
  try {
    const effective = effectiveOf(transaction);
    const type = transactionType(effective.type);
    if (type?.resolves !== undefined) addNameUse(effective, type.resolves, derived);
    listObjects(effective, type, derived.lists);
    const operation = type?.operation?.(effective);
    if (operation !== undefined) {
      derived.operations.push(operation);
      // A wrapped call is decoded, but is not among the transactions of its contract.
      const isWrappedCall = effective.wrapped && operation.on === 'contract' && operation.op === 'call';
      if (!isWrappedCall) listOperation(operation, derived.lists);
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    derived.valid = false;
  }
  return derived;
}

/** Ids in the members of a transaction that name an account. */
const accountsIn = (tx: JsonObject): string[] => ACCOUNT_MEMBERS.map((member) => tx[member]).filter(isIdText);

function listAccounts({ tx, type }: Transaction, lists: ListEntry[]): void {
  for (const id of accountsIn(tx)) add(lists, ListKind.account, id);
  const outer = new Set(lists.map(({ id }) => id));
  for (const wrapped of nestedTransactions(tx)) {
    for (const id of wrapped === tx ? [] : accountsIn(wrapped)) if (!outer.has(id)) add(lists, ListKind.wrapped, id);
  }
  const sender = tx['sender_id'];
  const recipient = tx['recipient_id'];
  if (transactionType(type)?.pair === true && isIdText(sender) && isIdText(recipient))
    add(lists, ListKind.pair, `${sender}>${recipient}`);
}

/** A wrapped spend or call is not listed under accounts or contracts, so its name does not have to be resolved. */
function addNameUse({ tx, wrapped }: Effective, { member, role }: Resolves, derived: Derived): void {
  if (wrapped && (role === 'payment' || role === 'contract')) return;
  const name = tx[member];
  if (!isIdText(name) || !name.startsWith('nm_')) return;
  derived.nameUses.push({ name, role });
  add(derived.lists, ListKind.nameUse, name);
}

function listObjects({ tx }: Effective, type: TransactionType | undefined, lists: ListEntry[]): void {
  const channel = tx['channel_id'];
  if (isIdText(channel)) add(lists, ListKind.channel, channel);
  const listed = type?.listed;
  const id = listed && tx[listed.member];
  if (listed !== undefined && isIdText(id) && id.startsWith(listed.prefix)) add(lists, listed.kind, id);
}

/** Adds the lists whose ids are computed by the operation rather than read from a member, and the lists of contracts. */
function listOperation(operation: Operation, lists: ListEntry[]): void {
  if (operation.on === 'contract') add(lists, ListKind.contract, operation.id);
  else if (operation.on === 'channel') add(lists, ListKind.channel, operation.id);
  else if (operation.on === 'name') {
    add(lists, ListKind.name, operation.name_hash);
    if (operation.op === 'claim' && operation.fee !== null) add(lists, ListKind.bid, operation.owner);
    if (operation.op === 'update') {
      for (const id of operation.pointerIds) if (POINTED.test(id)) add(lists, ListKind.pointed, id);
    }
  } else if (operation.on === 'oracle') add(lists, ListKind.oracleLife, operation.id);
}

function add(lists: ListEntry[], kind: ListKind, id: string): void {
  if (!lists.some((entry) => entry.kind === kind && entry.id === id)) lists.push({ kind, id });
}
