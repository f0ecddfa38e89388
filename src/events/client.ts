import type { Style } from './frames.js';
import type { Told } from '../store/queries/events.js';
import type { Kind, Topic } from './protocol.js';

/** Why the service closes a connection, with the close code of websockets and what the client is told. */
export const REASONS = {
  slow: { code: 1013, text: 'too slow: more waits to be read than the limit allows' },
  connections: { code: 1013, text: 'too many connections' },
  address: { code: 1013, text: 'too many connections from this address' },
  lost: { code: 1012, text: 'events were lost: subscribe again' },
  drain: { code: 1001, text: 'the server is leaving' },
} as const;

export type Reason = keyof typeof REASONS;

/** The way to a client. */
export interface Transport {
  /** Sends bytes in the form that the connection carries; they must not be changed any more. */
  send(frame: Buffer): void;
  /** Frames sent from now on leave together, when they are released. */
  hold(): void;
  release(): void;
  /** Bytes that were sent and have not left yet. */
  backlog(): number;
  close(reason: Reason): void;
}

export interface Subscription {
  kind: Kind;
  name: string;
  /** Place in the order in which subscriptions were made. */
  readonly order: number;
  /** Events up to this number are not for it. */
  after: number;
}

/** A part of the stored chain that is told before the events. */
export interface Replay {
  told: Told;
  subscriptions: ReadonlySet<Subscription>;
  /** Transactions that were told and then removed by a fork of the first load: seen again, they have moved. */
  removed: Set<string>;
}

export interface Client {
  readonly transport: Transport;
  readonly address: string;
  style: Style;
  readonly kinds: Map<Kind, Subscription>;
  readonly targets: Map<string, Subscription>;
  /** Is told events as they come. Otherwise it is told what it missed, and `seq` is the last event that it has behind it. */
  live: boolean;
  seq: number;
  readonly replays: Replay[];
  closed: boolean;
}

export const createClient = (transport: Transport, address: string, style: Style): Client => ({
  transport,
  address,
  style,
  kinds: new Map(),
  targets: new Map(),
  live: true,
  seq: 0,
  replays: [],
  closed: false,
});

export const subscriptionOf = ({ kinds, targets }: Client, topic: Topic): Subscription | undefined =>
  topic.kind === 'object' ? targets.get(topic.target) : kinds.get(topic.kind);

export function* subscriptionsOf({ kinds, targets }: Client): Generator<Subscription> {
  yield* kinds.values();
  yield* targets.values();
}

/** Lets a client be told again from an event on: its subscriptions keep what they were told already. */
export function rewind(client: Client, seq: number, position: number): void {
  const reached = client.live ? position : client.seq;
  for (const subscription of subscriptionsOf(client)) subscription.after = Math.max(subscription.after, reached);
  client.seq = Math.min(reached, seq);
  client.live = false;
}
