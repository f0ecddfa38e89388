import type { TopicKind } from '../chain/event-kinds.js';
import type { Style } from './frames.js';
import type { StoredPoint } from '../store/queries/events.js';

/** Reasons for which the service closes a connection: the close code of a websocket, and the text for the client. */
export const REASONS = {
  slow: { code: 1013, text: 'too slow: more waits to be read than the limit allows' },
  connections: { code: 1013, text: 'too many connections' },
  address: { code: 1013, text: 'too many connections from this address' },
  lost: { code: 1012, text: 'events were lost: subscribe again' },
  drain: { code: 1001, text: 'the server is shutting down' },
} as const;

export type Reason = keyof typeof REASONS;

/** Why a connection ended: closed by the service, or one of the others. */
export type EndReason = Reason | 'client' | 'refused' | 'dead' | 'frame' | 'error';

/** The connection to a client. */
export interface Transport {
  /** Writes bytes to the connection. The caller must not change them afterwards. */
  send(frame: Buffer): void;
  /** Buffers all frames until `uncork`, which writes them together. */
  cork(): void;
  uncork(): void;
  /** Bytes that were sent here but not yet written to the network. */
  backlog(): number;
  close(reason: Reason): void;
}

export interface Subscription {
  kind: TopicKind;
  name: string;
  /** Number in the order in which subscriptions were made. */
  readonly order: number;
  /** It gets only events with a higher number in the log. */
  after: number;
}

/** A part of the stored chain that is sent as events, before those of the log. */
export interface Replay {
  /** The point up to which it was sent. */
  sent: StoredPoint;
  readonly subscriptions: Set<Subscription>;
  /** The replay ends before this position, because the log publishes the rest. Only set if the log was empty. */
  end?: bigint;
  /** Transactions that were sent, and then removed by a reorg of the first load. They are sent again as `tx_update`. */
  removed: Set<string>;
}

export interface Client {
  readonly transport: Transport;
  readonly address: string;
  style: Style;
  readonly kinds: Map<TopicKind, Subscription>;
  readonly targets: Map<string, Subscription>;
  /** Whether it gets events as they happen. If not, it still gets missed ones, and `seq` is the number of the last one. */
  live: boolean;
  seq: number;
  /** Mark of the event `seq`; undefined after `rewind`, until the next event is read. */
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

export function* subscriptionsOf({ kinds, targets }: Client): Generator<Subscription> {
  yield* kinds.values();
  yield* targets.values();
}
