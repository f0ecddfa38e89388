import type { TopicKind } from '../chain/event-kinds.js';
import type { ChainEvent } from './chain-event.js';
import { createFrames } from './frames.js';
import type { Style } from './frames.js';
import type { Client, Subscription } from './client.js';
import type { Topic } from './protocol.js';

interface ClientIndex {
  add(client: Client, topic: Topic): void;
  remove(client: Client, topic: Topic): void;
  removeAll(client: Client): void;
  /** Number of subscriptions. */
  size(): number;
  /** Sends an event to all live clients that it concerns, object subscriptions first. */
  publish(event: ChainEvent, send: (client: Client, frame: Buffer) => void): void;
}

/** Finds the receivers of an event: the cost grows with their number, not with the number of subscriptions. */
export function createClientIndex(): ClientIndex {
  const byKind = new Map<TopicKind, Set<Client>>();
  const byTarget = new Map<string, Set<Client>>();
  let size = 0;

  function put<K>(map: Map<K, Set<Client>>, key: K, client: Client): void {
    const clients = map.get(key);
    if (clients === undefined) map.set(key, new Set([client]));
    else if (clients.has(client)) return;
    else clients.add(client);
    size += 1;
  }

  function take<K>(map: Map<K, Set<Client>>, key: K, client: Client): void {
    const clients = map.get(key);
    if (clients?.delete(client) !== true) return;
    size -= 1;
    if (clients.size === 0) map.delete(key);
  }

  /** A client with several matching targets gets the event once, for the subscription that it made first. */
  function matching(event: ChainEvent): Map<Client, Subscription> {
    const matches = new Map<Client, Subscription>();
    if (byTarget.size === 0) return matches;
    for (const id of event.objects()) {
      for (const client of byTarget.get(id) ?? []) {
        const subscription = client.targets.get(id);
        const before = matches.get(client);
        if (client.live && subscription !== undefined && (before === undefined || subscription.order < before.order)) {
          matches.set(client, subscription);
        }
      }
    }
    return matches;
  }

  return {
    size: () => size,
    add: (client, topic) =>
      topic.kind === 'object' ? put(byTarget, topic.target, client) : put(byKind, topic.kind, client),
    remove: (client, topic) =>
      topic.kind === 'object' ? take(byTarget, topic.target, client) : take(byKind, topic.kind, client),
    removeAll(client) {
      for (const kind of client.kinds.keys()) take(byKind, kind, client);
      for (const target of client.targets.keys()) take(byTarget, target, client);
    },
    publish(event, send) {
      const frame: (name: string, style: Style) => Buffer = createFrames(event);
      for (const [client, { name }] of matching(event)) send(client, frame(name, client.style));
      for (const client of byKind.get(event.kind) ?? []) {
        const subscription = client.kinds.get(event.kind);
        if (client.live && subscription !== undefined) send(client, frame(subscription.name, client.style));
      }
    },
  };
}

/** The subscriptions of one client that an event concerns and that need it (`counts`), object subscription first. */
export function concerned(client: Client, event: ChainEvent, counts: (one: Subscription) => boolean): Subscription[] {
  let object: Subscription | undefined;
  if (client.targets.size > 0) {
    for (const id of event.objects()) {
      const one = client.targets.get(id);
      if (one !== undefined && counts(one) && (object === undefined || one.order < object.order)) object = one;
    }
  }
  const plain = client.kinds.get(event.kind);
  return [object, plain].filter((one) => one !== undefined).filter(counts);
}
