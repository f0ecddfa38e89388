import type { TopicKind } from '../chain/event-kinds.js';
import type { Style } from './frames.js';
import type { StoredPoint } from '../store/queries/events.js';
import type { Topic } from './protocol.js';

/** Why the service closes a connection, with the close code of websockets and the text that the client gets. */
export const REASONS = {
  slow: { code: 1013, text: 'too slow: more waits to be read than the limit allows' },
  connections: { code: 1013, text: 'too many connections' },
  address: { code: 1013, text: 'too many connections from this address' },
  lost: { code: 1012, text: 'events were lost: subscribe again' },
  drain: { code: 1001, text: 'the server is shutting down' },
} as const;

export type Reason = keyof typeof REASONS;

/** The connection to a client. */
export interface Transport {
  /** Sends bytes as they are on the connection; the caller must not change them afterwards. */
  send(frame: Buffer): void;
  /** Buffers the frames sent from now on; `release` writes them together. */
  hold(): void;
  release(): void;
  /** Bytes that were sent but not yet written to the network. */
  backlog(): number;
  close(reason: Reason): void;
}

export interface Subscription {
  kind: TopicKind;
  name: string;
  /** Its number in the order in which subscriptions were made. */
  readonly order: number;
  /** It gets only events with a higher number. */
  after: number;
}

/** A part of the stored chain that is sent before the events. */
export interface Replay {
  sent: StoredPoint;
  subscriptions: ReadonlySet<Subscription>;
  /** Transactions that were sent and then removed by a reorg of the first load: when seen again, they have moved. */
  removed: Set<string>;
}

export interface Client {
  readonly transport: Transport;
  readonly address: string;
  style: Style;
  readonly kinds: Map<TopicKind, Subscription>;
  readonly targets: Map<string, Subscription>;
  /** Gets events as they happen. Otherwise it still gets what it missed, and `seq` is the last event that it got. */
  live: boolean;
  seq: number;
  /** Mark of that event, if it was read since the client was last moved back. */
  mark: string | undefined;
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
  mark: undefined,
  replays: [],
  closed: false,
});

export const subscriptionOf = ({ kinds, targets }: Client, topic: Topic): Subscription | undefined =>
  topic.kind === 'object' ? targets.get(topic.target) : kinds.get(topic.kind);

export function* subscriptionsOf({ kinds, targets }: Client): Generator<Subscription> {
  yield* kinds.values();
  yield* targets.values();
}

/** Moves a client back to an event; its subscriptions do not get again what they already got. */
export function rewind(client: Client, seq: number, position: number): void {
  const reached = client.live ? position : client.seq;
  for (const subscription of subscriptionsOf(client)) subscription.after = Math.max(subscription.after, reached);
  client.seq = Math.min(reached, seq);
  client.mark = undefined;
  client.live = false;
}
