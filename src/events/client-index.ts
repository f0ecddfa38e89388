import type { TopicKind } from '../chain/event-kinds.js';
import { partsOf } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { createFrames } from './frames.js';
import type { Style } from './frames.js';
import type { Client, Subscription } from './client.js';
import { targetKey } from './protocol.js';
import type { Topic } from './protocol.js';

export interface ClientIndex {
  add(client: Client, topic: Topic): void;
  remove(client: Client, topic: Topic): void;
  removeAll(client: Client): void;
  /** Number of subscriptions. */
  size(): number;
  /** Sends an event to all live clients that subscribed to it, first for their targets. */
  publish(event: ChainEvent, send: (client: Client, frame: Buffer) => void): void;
}

/** Finds the receivers of an event. The cost grows with their number, not with the number of subscriptions. */
export function createClientIndex(): ClientIndex {
  const byKind = new Map<TopicKind, Set<Client>>();
  const byTarget = new Map<string, Set<Client>>();
  let size = 0;

  function addTo<K>(map: Map<K, Set<Client>>, key: K, client: Client): void {
    const clients = map.get(key);
    if (clients === undefined) map.set(key, new Set([client]));
    else if (clients.has(client)) return;
    else clients.add(client);
    size += 1;
  }

  function removeFrom<K>(map: Map<K, Set<Client>>, key: K, client: Client): void {
    const clients = map.get(key);
    if (clients?.delete(client) !== true) return;
    size -= 1;
    if (clients.size === 0) map.delete(key);
  }

  /** The live clients with a target that matches; if several match, the one that was made first. */
  function matchingTargets(event: ChainEvent): Map<Client, Subscription> {
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
    add(client, topic) {
      const target = targetKey(topic);
      if (target === undefined) addTo(byKind, topic.kind, client);
      else addTo(byTarget, target, client);
    },
    remove(client, topic) {
      const target = targetKey(topic);
      if (target === undefined) removeFrom(byKind, topic.kind, client);
      else removeFrom(byTarget, target, client);
    },
    removeAll(client) {
      for (const kind of client.kinds.keys()) removeFrom(byKind, kind, client);
      for (const target of client.targets.keys()) removeFrom(byTarget, target, client);
    },
    publish(event, send) {
      for (const part of partsOf(event)) {
        const frame: (name: string, style: Style) => Buffer = createFrames(part);
        for (const [client, { name }] of matchingTargets(part)) send(client, frame(name, client.style));
        for (const client of byKind.get(part.kind) ?? []) {
          const subscription = client.kinds.get(part.kind);
          if (client.live && subscription !== undefined) send(client, frame(subscription.name, client.style));
        }
      }
    },
  };
}

/**
 * The subscriptions of one client that match an event and still need it, at most one object subscription, then at most one
 * of its kind.
 */
export function matchingSubscriptions(
  client: Client,
  event: ChainEvent,
  needs: (one: Subscription) => boolean,
): Subscription[] {
  let object: Subscription | undefined;
  if (client.targets.size > 0) {
    for (const id of event.objects()) {
      const one = client.targets.get(id);
      if (one !== undefined && needs(one) && (object === undefined || one.order < object.order)) object = one;
    }
  }
  const ofKind = client.kinds.get(event.kind);
  return [object, ofKind].filter((one) => one !== undefined).filter(needs);
}
