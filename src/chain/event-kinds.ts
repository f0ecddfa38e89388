/**
 * The kinds of events in the event log, and the topics that clients subscribe to. Types, the lists of kinds in SQL, frames, cursors,
 * the words of the protocol and the tables of `docs/events.md` are derived from this file. The store writes the events.
 */
import { memberSpan } from './encoding/json-walk.js';
import type { IdPrefix } from './encoding/encoding.js';
import { heightOf, microOf } from './position.js';
import { partiesOf, tokenTransfers } from './tokens/transfers.js';
import type { TokenKinds } from './tokens/transfers.js';

interface TopicRules {
  /** The other spelling of its name. */
  readonly alias: string;
  /** Shown in the table of `docs/events.md`. */
  readonly reports: string;
  /** What a subscription may name to receive only the events about it; absent if it cannot. */
  readonly targets?: {
    readonly prefixes: readonly IdPrefix[];
    /** What these are, in errors. */
    readonly named: string;
    /** What the payload of an event is about. */
    readonly in: (payload: string) => readonly string[];
  };
}

/** The topics of subscriptions, in the order in which replies list them. `object` is one subscription for each target. */
export const TOPICS = {
  key_blocks: { alias: 'KeyBlocks', reports: 'each key block' },
  micro_blocks: {
    alias: 'MicroBlocks',
    reports: "each micro block: the node's header and `key_block_id`, here the height plus one",
  },
  transactions: { alias: 'Transactions', reports: 'each transaction when it is first seen in a block' },
  tx_update: {
    alias: 'TxUpdate',
    reports: 'a transaction that is now in another block, or in none (`block_hash` `"none"`, `block_height` -1)',
  },
  object: {
    alias: 'Object',
    reports: 'each transaction, when first seen, that names the `target` or creates it',
  },
  rollback: { alias: 'Rollback', reports: 'blocks that were removed from the chain' },
  contract_logs: {
    alias: 'ContractLogs',
    reports: 'the events that the contracts of a transaction emitted, when its call information is known',
    targets: { prefixes: ['ct'], named: 'a contract (ct_…)', in: contractsOf },
  },
  token_transfers: {
    alias: 'TokenTransfers',
    reports: 'the tokens that a transaction moved, made or ended, by these events',
    targets: { prefixes: ['ct', 'ak'], named: 'a token (ct_…) or an account (ak_…)', in: partiesOf },
  },
} as const satisfies Record<string, TopicRules>;

export type TopicKind = keyof typeof TOPICS;

/** The topics whose subscriptions may have a target. `object` must have one. */
export type TargetedTopic = {
  [Kind in TopicKind]: (typeof TOPICS)[Kind] extends { targets: object } ? Kind : never;
}[TopicKind];

/** The targets of a topic; undefined if it has none. */
export const targetsOf = (kind: TopicKind): TopicRules['targets'] => (TOPICS[kind] as TopicRules).targets;

export const isTargeted = (kind: TopicKind): kind is TargetedTopic => targetsOf(kind) !== undefined;

export const TOPIC_KINDS = Object.keys(TOPICS) as TopicKind[];

/** What an event is about: a block; a transaction in a block; a transaction that is in no block any more; a rollback; the logs of a transaction. */
type Subject = 'block' | 'transaction' | 'removed transaction' | 'rollback' | 'logs';

/** An event as the log stores it. `body` is what was removed for a rollback, otherwise the text that the node printed. */
interface LoggedEvent {
  position: bigint;
  hash: string;
  body: string;
  /** Of the logs of a transaction: which of their contracts are tokens; null for other events. */
  tokens: TokenKinds | null;
}

export interface EventKindRules {
  /** Subscribers of this topic receive the event. */
  readonly topic: Exclude<TopicKind, 'object'>;
  /** Decides the format of the cursor. */
  readonly subject: Subject;
  /** Whether subscribers of the objects in the transaction receive it, too. */
  readonly toObjects: boolean;
  /** Whether all subscribers receive it. If not, only clients that receive the stored chain while it is being loaded do. */
  readonly announced: boolean;
  /** Shown in the table of `docs/events.md`. */
  readonly description: string;
  /** The payload of the frame as JSON text, with every digit that the node printed. */
  readonly payload: (event: LoggedEvent) => string;
  /** What subscribers of another topic receive of the same event, after those of `topic`. Its payload is undefined if it has nothing for them. */
  readonly also?: {
    readonly topic: Exclude<TopicKind, 'object'>;
    readonly payload: (event: LoggedEvent) => string | undefined;
  };
}

const KINDS = {
  key_block: {
    topic: 'key_blocks',
    subject: 'block',
    toObjects: false,
    announced: true,
    description: 'a key block was added',
    payload: asPrinted,
  },
  micro_block: {
    topic: 'micro_blocks',
    subject: 'block',
    toObjects: false,
    announced: true,
    description: 'a micro block was added',
    payload: withKeyBlockId,
  },
  transaction: {
    topic: 'transactions',
    subject: 'transaction',
    toObjects: true,
    announced: true,
    description: 'a transaction was added that was not announced before',
    payload: asPrinted,
  },
  tx_update: {
    topic: 'tx_update',
    subject: 'transaction',
    toObjects: false,
    announced: true,
    description: 'a transaction that was announced before is in another block now',
    payload: asPrinted,
  },
  left: {
    topic: 'tx_update',
    subject: 'removed transaction',
    toObjects: false,
    announced: true,
    description: 'a reorg removed a transaction; its position and text are those it had',
    payload: withoutBlock,
  },
  rollback: {
    topic: 'rollback',
    subject: 'rollback',
    toObjects: false,
    announced: true,
    description: 'the blocks from a position on were removed; its hash is that of the new head',
    payload: removedBlocks,
  },
  contract_logs: {
    topic: 'contract_logs',
    subject: 'logs',
    toObjects: false,
    announced: true,
    description: 'the call information of a transaction is known, and contains logs',
    payload: asPrinted,
    also: { topic: 'token_transfers', payload: transfersOfTokens },
  },
  load_rollback: {
    topic: 'rollback',
    subject: 'rollback',
    toObjects: false,
    announced: false,
    description: '`rollback` while the head is not followed yet',
    payload: removedBlocks,
  },
  load_left: {
    topic: 'tx_update',
    subject: 'removed transaction',
    toObjects: false,
    announced: false,
    description: '`left` while the head is not followed yet',
    payload: withoutBlock,
  },
} as const satisfies Record<string, EventKindRules>;

/** Name of a kind, as the event log stores it. */
export type EventKind = keyof typeof KINDS;

/** The rules of each kind, by name. */
export const EVENT_KINDS: Readonly<Record<EventKind, EventKindRules>> = KINDS;

/** The kinds that match the predicate, in the order of the table above. */
export const kindsWhere = (predicate: (form: EventKindRules) => boolean): EventKind[] =>
  (Object.keys(KINDS) as EventKind[]).filter((kind) => predicate(EVENT_KINDS[kind]));

function asPrinted({ body }: LoggedEvent): string {
  return body;
}

function transfersOfTokens({ body, tokens }: LoggedEvent): string | undefined {
  return tokens === null ? undefined : tokenTransfers(body, tokens);
}

/** The contracts that emitted logs, and those that were called. */
function contractsOf(logs: string): string[] {
  const found = (JSON.parse(logs) as { logs: { contract_id: string; called_id: string }[] }).logs;
  return found.flatMap(({ contract_id: emitter, called_id: called }) => [emitter, called]);
}

/**
 * Clients of the original middleware expect this member, which was an id of its database. Here it is the height plus one, so that it is
 * the same in every installation.
 */
function withKeyBlockId({ position, body }: LoggedEvent): string {
  return withMembers(body, `"key_block_id":${heightOf(position) + 1}`);
}

function removedBlocks({ position, hash, body }: LoggedEvent): string {
  const height = microOf(position) === 0 ? heightOf(position) - 1 : heightOf(position);
  const head = `{"height":${height},"hash":${hash === '' ? 'null' : `"${hash}"`}}`;
  return body === '' ? head : withMembers(head, body.trim().slice(1, -1).trim());
}

function withMembers(object: string, members: string): string {
  return `${object.trimEnd().slice(0, -1)},${members}}`;
}

/** The transaction as the node prints it while it is not in a block. */
function withoutBlock({ body }: LoggedEvent): string {
  const changes = [
    { span: memberSpan(body, 'block_hash'), text: '"none"' },
    { span: memberSpan(body, 'block_height'), text: '-1' },
  ].flatMap(({ span, text }) => (span === undefined ? [] : [{ ...span, text }]));
  return changes
    .sort((a, b) => b.start - a.start)
    .reduce((text, change) => text.slice(0, change.start) + change.text + text.slice(change.end), body);
}
