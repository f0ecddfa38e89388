/**
 * How far the subscriptions of a client have got, and what they get next. No I/O and no clock: the hub and the catch-up carry out what is decided here.
 * A client's record is changed in place, because a connection may have thousands of subscriptions.
 *
 * What holds in every order of events: a subscription gets each event after its start at most once, in the order of the log, and none is left out.
 */
import type { StoredPoint } from '../store/queries/events.js';
import { subscriptionsOf } from './client.js';
import type { Client, Replay, Subscription } from './client.js';
import type { Point } from './log.js';
import { targetKey } from './protocol.js';
import type { Topic } from './protocol.js';

/** Max replays of the stored chain for one connection at a time. One replay may be for many subscriptions. */
export const MAX_REPLAYS = 16;

export function subscriptionOf({ kinds, targets }: Client, topic: Topic): Subscription | undefined {
  const target = targetKey(topic);
  return target === undefined ? kinds.get(topic.kind) : targets.get(target);
}

/** Whether the client is getting a part of the stored chain for this topic. */
export function isReplayed(client: Client, topic: Topic): boolean {
  const own = subscriptionOf(client, topic);
  return own !== undefined && client.replays.some(({ subscriptions }) => subscriptions.has(own));
}

/** Whether the client would have more than `max` subscriptions with a target with these. */
export function exceedsMaxTargets(client: Client, topics: readonly Topic[], max: number): boolean {
  const added = new Set(topics.flatMap((topic) => targetKey(topic) ?? []));
  for (const target of added) if (client.targets.has(target)) added.delete(target);
  return client.targets.size + added.size > max;
}

/** Whether the client would have too many replays with one more. It replaces those that are for these topics only. */
export function exceedsMaxReplays(client: Client, topics: readonly Topic[]): boolean {
  if (client.replays.length < MAX_REPLAYS) return false;
  const replaced = new Set(topics.map((topic) => subscriptionOf(client, topic)));
  const others = client.replays.filter(({ subscriptions }) => [...subscriptions].some((one) => !replaced.has(one)));
  return others.length >= MAX_REPLAYS;
}

/**
 * Subscribes to the topics. Each gets the name of this request; `order` numbers the new ones. They begin after the point `start`, or with the next
 * event after `position`, the last one that was published; without `start`, those that exist go on as they are.
 */
export function begin(
  client: Client,
  topics: readonly Topic[],
  { start, position, order }: { start: Point | undefined; position: number; order: number },
): void {
  const subscriptions = topics.map((topic, i) => subscribed(client, topic, order + i, position));
  if (start === undefined) return;
  leaveReplays(client, subscriptions);
  if ('seq' in start) {
    rewind(client, start.seq, position);
    for (const subscription of subscriptions) subscription.after = start.seq;
  } else {
    rewind(client, position, position);
    for (const subscription of subscriptions) subscription.after = Infinity;
    client.replays.push({ sent: start.stored, subscriptions: new Set(subscriptions), removed: new Set() });
  }
}

function subscribed(client: Client, topic: Topic, order: number, position: number): Subscription {
  const known = subscriptionOf(client, topic);
  if (known !== undefined) {
    known.name = topic.name;
    return known;
  }
  const made: Subscription = { kind: topic.kind, name: topic.name, order, after: position };
  const target = targetKey(topic);
  if (target === undefined) client.kinds.set(topic.kind, made);
  else client.targets.set(target, made);
  return made;
}

export function end(client: Client, topics: readonly Topic[]): void {
  for (const topic of topics) {
    const target = targetKey(topic);
    if (target === undefined) client.kinds.delete(topic.kind);
    else client.targets.delete(target);
  }
}

/** Ends the replays of these subscriptions: they begin again, from another point. */
function leaveReplays({ replays }: Client, subscriptions: Iterable<Subscription>): void {
  for (const one of subscriptions) for (const replay of replays) replay.subscriptions.delete(one);
  const left = replays.filter((replay) => replay.subscriptions.size > 0);
  replays.splice(0, replays.length, ...left);
}

/** Moves a client back to an event. Its present subscriptions do not get again what they already got. */
function rewind(client: Client, seq: number, position: number): void {
  const reached = client.live ? position : client.seq;
  for (const subscription of subscriptionsOf(client)) subscription.after = Math.max(subscription.after, reached);
  client.seq = Math.min(reached, seq);
  client.mark = undefined;
  client.live = false;
}

/**
 * What a client that is not live needs next: the part of the stored chain that a replay sends, the next events of the log, or nothing before another
 * event is published. `live`: it has all events, and gets the next ones as they happen.
 */
type Next =
  { do: 'replay'; replay: Replay; wanted: readonly Subscription[] } | { do: 'log' } | { do: 'wait' } | { do: 'live' };

export function nextOf(client: Client, position: number): Next {
  const [replay] = client.replays;
  if (replay !== undefined) {
    const present = new Set(subscriptionsOf(client));
    return { do: 'replay', replay, wanted: [...replay.subscriptions].filter((one) => present.has(one)) };
  }
  if (client.seq < position) return { do: 'log' };
  // If another server was faster, the client already has the next events. It must not get them again, so it waits.
  const isAhead = [...subscriptionsOf(client)].some(({ after }) => after > position);
  return { do: isAhead ? 'wait' : 'live' };
}

/** The replay ends: its subscriptions go on with the event after `seq` of the log. */
export function endReplay(client: Client, replay: Replay, seq: number, position: number): void {
  client.replays.splice(client.replays.indexOf(replay), 1);
  rewind(client, seq, position);
  for (const subscription of replay.subscriptions) subscription.after = seq;
}

/** The point of the stored chain after this row. */
export function sentWith(sent: StoredPoint, { kind, position }: { kind: string; position: bigint }): StoredPoint {
  // Logs begin below the point of their client: what comes before them was sent.
  if (kind === 'contract_logs')
    return { ...sent, logs: position + 1n, position: position > sent.position ? position : sent.position };
  return kind === 'transaction'
    ? { ...sent, transaction: position + 1n, position }
    : { ...sent, block: position, transaction: position, position };
}
