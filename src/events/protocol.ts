/** The messages from and to clients: reads requests, writes replies. Pure. */
import { isUtf8 } from 'node:buffer';
import { isId } from '../chain/encoding/encoding.js';
import { isTargeted, targetsOf, TOPICS, TOPIC_KINDS } from '../chain/event-kinds.js';
import type { TargetedTopic, TopicKind } from '../chain/event-kinds.js';
import { MAX_HEIGHT } from '../chain/position.js';
import { isSince } from './cursor.js';

/** One thing to subscribe to. `name` is what the client called it; its events carry this name. */
export type Topic =
  | { kind: Exclude<TopicKind, 'object'>; name: string }
  | { kind: 'object'; name: string; target: string }
  | { kind: TargetedTopic; name: string; target: string };

/** What a subscription with a target is found by; undefined for one without. */
export const targetKey = (topic: Topic): string | undefined =>
  !('target' in topic) ? undefined : topic.kind === 'object' ? topic.target : keyOfTarget(topic.kind, topic.target);

/** The same for a topic whose subscriptions may have a target. It is also how such a subscription is written as one text. */
export const keyOfTarget = (kind: TargetedTopic, target: string): string => `${kind}:${target}`;

export interface Request {
  op: 'subscribe' | 'unsubscribe';
  topics: Topic[];
  /** Begin after this point: a cursor, or the hash of a block or transaction. */
  since?: string;
  /** Begin with the key block of this height. */
  from?: number;
  /** Whether events contain their cursor from now on. */
  cursors?: boolean;
  /** Whether the reply contains only a count, not all subscriptions. */
  lean: boolean;
}

type Parsed = { request: Request } | { error: string };

const OPS = new Map<unknown, Request['op']>([
  ['subscribe', 'subscribe'],
  ['Subscribe', 'subscribe'],
  ['unsubscribe', 'unsubscribe'],
  ['Unsubscribe', 'unsubscribe'],
]);

/** Kinds by their names in messages. */
const KINDS = new Map<unknown, TopicKind>(
  TOPIC_KINDS.flatMap((kind) => [
    [kind, kind],
    [TOPICS[kind].alias, kind],
  ]),
);

const KNOWN_OPS = 'subscribe or unsubscribe (or Subscribe, Unsubscribe)';
const KNOWN_KINDS = `${TOPIC_KINDS.join(', ').replace(/, (\w+)$/, ' or $1')} (or KeyBlocks and so on)`;
const AN_ID = 'an identifier such as ak_… (prefix, base58 and checksum)';

const invalid = (error: string): Parsed => ({ error });

/** Reads a message. Errors never contain the word `payload`, because clients recognise events by it. */
export function parseRequest(data: Buffer): Parsed {
  if (!isUtf8(data)) return invalid('not UTF-8');
  let message: unknown;
  try {
    message = JSON.parse(data.toString());
  } catch {
    return invalid('not JSON');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return invalid('not a JSON object');
  return readMessage(message as Record<string, unknown>);
}

function readMessage(message: Record<string, unknown>): Parsed {
  const op = OPS.get(message['op']);
  if (message['op'] === undefined) return invalid(`op is missing: ${KNOWN_OPS}`);
  if (op === undefined) return invalid(`unknown op${quoted(message['op'])}: ${KNOWN_OPS}`);
  const topics = readTopics(message);
  if (typeof topics === 'string') return invalid(topics);
  const { since, from, cursors, reply } = message;
  if (since !== undefined && !isSince(since)) {
    return invalid('since is neither the cursor of an event nor the hash of a block or transaction');
  }
  if (from !== undefined && !isHeight(from)) return invalid('from is not a height');
  if (since !== undefined && from !== undefined) return invalid('since and from exclude each other');
  if (cursors !== undefined && typeof cursors !== 'boolean') return invalid('cursors is neither true nor false');
  if (reply !== undefined && reply !== 'lean' && reply !== 'full') return invalid('reply is neither "lean" nor "full"');
  return {
    request: {
      op,
      topics,
      ...(since !== undefined && { since }),
      ...(from !== undefined && { from }),
      ...(cursors !== undefined && { cursors }),
      lean: reply === 'lean',
    },
  };
}

/** Reads one topic, or several from `subscriptions`, in the form of a full reply. Returns text if there is an error. */
function readTopics(message: Record<string, unknown>): Topic[] | string {
  const { payload: name, subscriptions, target } = message;
  if (name === undefined && Array.isArray(subscriptions)) {
    const topics = subscriptions.map(readEntry);
    return topics.find((topic) => typeof topic === 'string') ?? (topics as Topic[]);
  }
  if (name === undefined) return `what to subscribe to is missing: ${KNOWN_KINDS}`;
  const kind = KINDS.get(name);
  if (kind === undefined || typeof name !== 'string') return `unknown subscription${quoted(name)}: ${KNOWN_KINDS}`;
  if (isTargeted(kind) && target !== undefined) {
    const topic = readTarget(kind, name, target);
    return typeof topic === 'string' ? topic : [topic];
  }
  if (kind !== 'object') return [{ kind, name }];
  if (target === undefined) return 'target is missing';
  if (typeof target !== 'string') return 'target is not text';
  if (!isId(target)) return `target${quoted(target)} is not ${AN_ID}`;
  return [{ kind, name, target }];
}

/** Reads the target of a topic that may have one. Returns text if there is an error. */
function readTarget(kind: TargetedTopic, name: string, target: unknown): Topic | string {
  if (typeof target !== 'string') return 'target is not text';
  const { prefixes, named } = targetsOf(kind)!;
  return isId(target, ...prefixes) ? { kind, name, target } : `target${quoted(target)} is not ${named}`;
}

/** Reads an entry of `subscriptions`: a kind, the target of an object subscription, or a kind with a target (`contract_logs:ct_…`). Returns text if there is an error. */
export function readEntry(entry: unknown): Topic | string {
  const kind = KINDS.get(entry);
  if (kind !== undefined && kind !== 'object') return { kind, name: entry as string };
  const [, name, target] = typeof entry === 'string' ? (/^(\w+):(.*)$/s.exec(entry) ?? []) : [];
  const targeted = KINDS.get(name);
  if (name !== undefined && targeted !== undefined && isTargeted(targeted)) return readTarget(targeted, name, target);
  if (typeof entry === 'string' && isId(entry)) return { kind: 'object', name: 'object', target: entry };
  return `unknown subscription${quoted(entry)}: ${KNOWN_KINDS.replace('object', 'an identifier')}`;
}

const isHeight = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_HEIGHT;

/** Never repeats the word `payload`, see `parseRequest`. */
function quoted(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = ` '${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  return text.includes('payload') ? '' : text;
}

export const errorFrame = (error: string): string => JSON.stringify({ error });

/** A reply with all subscriptions of the client: kinds in a fixed order, then targets in the order of their subscriptions. */
export function fullReply(kinds: ReadonlyMap<TopicKind, { name: string }>, targets: Iterable<string>): string {
  const names = TOPIC_KINDS.flatMap((kind) => kinds.get(kind)?.name ?? []);
  return JSON.stringify([...names, ...targets]);
}

/** A reply with the number of subscriptions, and the cursor from which the new ones begin. */
export const leanReply = (count: number, cursor: string | undefined): string => JSON.stringify({ ok: count, cursor });
