/** The protocol of websockets of the compatible API: subscriptions by channel and source, answers as texts and lists, `Ping`. */
import { isUtf8 } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { isId } from '../chain/encoding/encoding.js';
import { memberText } from '../chain/encoding/json-walk.js';
import { readTransaction } from '../chain/facts.js';
import { objectIds } from '../chain/objects.js';
import { nameHashOf } from '../chain/protocol/ids.js';
import type { Client, Transport } from './client.js';
import { isSince } from './cursor.js';
import { textFrame, textOfFrame } from './frames.js';
import type { Hub } from './hub.js';
import { isReplayed, subscriptionOf } from './progress.js';
import type { Topic } from './protocol.js';

/** Which version of the protocol the path asked for: it decides the form of the payloads of the source `mdw`. */
export type CompatVersion = 'v1' | 'v2' | 'v3';

type Source = 'mdw' | 'node';

type Channel = 'KeyBlocks' | 'MicroBlocks' | 'Transactions' | 'Object';

/** Makes payloads. `text`: the block or transaction as the node printed it. Never rejects. */
export type RenderPayload = (
  channel: Exclude<Channel, 'Object'>,
  text: string,
  form: CompatVersion | 'node',
) => Promise<string>;

interface Subscription {
  source: Source;
  channel: Channel;
  /** What the client called it: a channel, an id, or a name. */
  name: string;
  topic: Topic;
  /** Number of the last event of the log that it got, or before which it begins. The hub knows one subscription of both sources. */
  after: number;
}

interface CompatPeer {
  /** Gets the frames of the hub. */
  transport: Transport;
  receive(client: Client, message: Buffer): Promise<void> | undefined;
}

const CHANNELS: Record<Exclude<Channel, 'Object'>, Topic> = {
  KeyBlocks: { kind: 'key_blocks', name: 'KeyBlocks' },
  MicroBlocks: { kind: 'micro_blocks', name: 'MicroBlocks' },
  Transactions: { kind: 'transactions', name: 'Transactions' },
};

/** Pause between two looks whether the stored chain was sent, ms. */
const WAIT_MS = 50;

/** Max subscriptions in one answer. */
const MAX_LISTED = 1_000;

/** `outer`: the connection, to which frames of this protocol are written. */
export function createCompatPeer(
  outer: Transport,
  hub: Hub,
  version: CompatVersion,
  render: RenderPayload,
): CompatPeer {
  const subscriptions = new Map<string, Subscription>();
  const queue = createQueue(outer);
  const answer = (value: unknown): void => queue.add(Promise.resolve([textFrame(JSON.stringify(value))]), 0);
  let hasCursors = false;

  const framesOf = async (frame: Buffer): Promise<Buffer[]> => {
    const text = textOfFrame(frame);
    const payload = memberText(text, 'payload') ?? 'null';
    const point = memberText(text, 'cursor') ?? 'null';
    const cursor = hasCursors ? `,"cursor":${point}` : '';
    // 0 for what is sent from the stored chain.
    const seq = Number.parseInt(point.slice(1), 10);
    const channel = JSON.parse(memberText(text, 'subscription')!) as unknown;
    const matching = matchesOf([...subscriptions.values()], frame, channel, payload).filter(
      ({ after }) => seq === 0 || seq > after,
    );
    if (seq > 0) for (const one of matching) one.after = seq;
    return Promise.all(
      matching.map(async ({ source, channel, name }) => {
        const kind = channel === 'Object' ? 'Transactions' : channel;
        const rendered = await render(kind, payload, source === 'node' ? 'node' : version);
        const target = channel === 'Object' ? `,"target":${JSON.stringify(name)}` : '';
        return textFrame(`{"subscription":"${channel}","payload":${rendered},"source":"${source}"${target}${cursor}}`);
      }),
    );
  };

  /** The one of the other source, which the hub serves by the same subscription. */
  const otherOf = ({ source, ...same }: Subscription): Subscription | undefined =>
    subscriptions.get(keyOf({ ...same, source: source === 'mdw' ? 'node' : 'mdw' }));

  function subscribe(client: Client, request: Asked): Promise<void> | undefined {
    const { subscription, since } = request;
    // The part of the stored chain that the other source is getting would end here.
    if (since !== undefined && isReplayed(client, subscription.topic))
      return pause(WAIT_MS).then(() => (client.closed ? undefined : subscribe(client, request)));
    const key = keyOf(subscription);
    if (subscriptions.has(key)) {
      const what = subscription.channel === 'Object' ? 'target: ' : ': ';
      return void answer(
        `already subscribed to${subscription.channel === 'Object' ? ' ' : ''}${what}${subscription.name}`,
      );
    }
    if (request.cursors !== undefined) hasCursors = request.cursors;
    return hub.subscribe(client, { topics: [subscription.topic], ...(since !== undefined && { since }) }, (error) => {
      if (error !== undefined)
        return answer(
          error.startsWith('too many')
            ? `too many subscriptions! discarding: ${subscription.name}`
            : `invalid subscription: ${error}`,
        );
      beginAt(client, subscription, since !== undefined);
      subscriptions.set(key, subscription);
      answer([subscription.name]);
    });
  }

  /** Notes where a subscription begins. That of the other source goes on where it is. */
  function beginAt(client: Client, subscription: Subscription, resumes: boolean): void {
    const own = subscriptionOf(client, subscription.topic)!;
    if (!resumes) subscription.after = Number.parseInt(hub.cursor() ?? '0', 10);
    else if (own.after !== Infinity) {
      subscription.after = own.after;
      own.after = Math.min(own.after, otherOf(subscription)?.after ?? Infinity);
    }
  }

  function unsubscribe(client: Client, { subscription }: Asked): void {
    const what = subscription.channel === 'Object' ? 'target' : 'payload';
    if (!subscriptions.delete(keyOf(subscription))) return answer(`no subscription for ${what}: ${subscription.name}`);
    if (otherOf(subscription) === undefined) hub.unsubscribe(client, [subscription.topic]);
    answer(listed());
  }

  const listed = (): string[] => [...new Set([...subscriptions.values()].map(({ name }) => name))].slice(0, MAX_LISTED);

  return {
    transport: {
      ...outer,
      send: (frame) => queue.add(framesOf(frame), frame.length),
      backlog: () => outer.backlog() + queue.bytes(),
    },
    receive(client, message) {
      if (client.closed) return undefined;
      const parsed = parseCompat(message);
      if (typeof parsed === 'string') return void answer(parsed);
      if (parsed.op === 'Ping') {
        const count = subscriptions.size;
        return void answer({
          subscriptions: listed(),
          count,
          payload: 'Pong',
          ...(count > MAX_LISTED && { has_more: true }),
        });
      }
      if (parsed.op === 'Subscribe') return subscribe(client, parsed);
      unsubscribe(client, parsed);
      return undefined;
    },
  };
}

const keyOf = ({ source, channel, topic }: Subscription): string =>
  `${source} ${channel} ${topic.kind === 'object' ? topic.target : ''}`;

/** The subscriptions that get an event. The hub sends one frame for all objects of a transaction that the client subscribed to. */
function matchesOf(
  all: readonly Subscription[],
  frame: Buffer,
  channel: unknown,
  payload: string,
): readonly Subscription[] {
  if (channel !== 'Object') return all.filter((one) => one.channel === channel);
  let ids = idsOf.get(frame);
  if (ids === undefined) idsOf.set(frame, (ids = objectIds(readTransaction(payload))));
  return all.filter(({ topic }) => topic.kind === 'object' && ids.has(topic.target));
}

/** Objects by the frames of the hub, which all clients share. */
const idsOf = new WeakMap<Buffer, ReadonlySet<string>>();

/** Writes frames in the order in which they were added, though some take longer to make. */
function createQueue(outer: Transport) {
  let last = Promise.resolve();
  let waiting = 0;
  return {
    /** Bytes that wait to be made. */
    bytes: () => waiting,
    add(frames: Promise<readonly Buffer[]>, bytes: number): void {
      waiting += bytes;
      last = last.then(async () => {
        const made = await frames;
        waiting -= bytes;
        for (const frame of made) outer.send(frame);
      });
    },
  };
}

interface Asked {
  op: 'Subscribe' | 'Unsubscribe';
  subscription: Subscription;
  since?: string | undefined;
  cursors?: boolean | undefined;
}

/** Reads a message. Returns the text of the answer if there is an error. */
function parseCompat(data: Buffer): Asked | { op: 'Ping' } | string {
  let message: unknown;
  try {
    message = isUtf8(data) ? JSON.parse(data.toString()) : undefined;
  } catch (error) {
    const [, at = '0'] = /position (\d+)/.exec((error as Error).message) ?? [];
    return `invalid json message: at ${at}`;
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return 'invalid json message: at 0';
  const { op, payload, source = 'mdw', target, since, cursors } = message as Record<string, unknown>;
  if (op === 'Ping') return { op };
  if (op !== 'Subscribe' && op !== 'Unsubscribe') return `invalid subscription: ${shown(op)}`;
  if (source !== 'mdw' && source !== 'node') return `invalid source: ${shown(source)}`;
  if (since !== undefined && !isSince(since)) return `invalid since: ${shown(since)}`;
  const found = readSubscription(payload, target, source);
  if (typeof found === 'string') return found;
  return { op, subscription: found, since, cursors: typeof cursors === 'boolean' ? cursors : undefined };
}

function readSubscription(payload: unknown, target: unknown, source: Source): Subscription | string {
  if (payload === undefined) return 'missing field: payload';
  if (typeof payload !== 'string') return `invalid payload: ${shown(payload)}`;
  if (payload === 'Object') {
    if (target === undefined) return 'missing field: target';
    const id = typeof target === 'string' ? targetId(target) : undefined;
    return id === undefined ? `invalid target: ${shown(target)}` : ofObject(source, target as string, id);
  }
  if (Object.hasOwn(CHANNELS, payload)) {
    const channel = payload as keyof typeof CHANNELS;
    return { source, channel, name: channel, topic: CHANNELS[channel], after: 0 };
  }
  const id = payload.includes('_') ? targetId(payload) : undefined;
  return id === undefined ? `invalid payload: ${shown(payload)}` : ofObject(source, payload, id);
}

const ofObject = (source: Source, name: string, target: string): Subscription => ({
  source,
  channel: 'Object',
  name,
  topic: { kind: 'object', name: 'Object', target },
  after: 0,
});

/** An identifier, or the hash of a name; undefined for any other text. */
function targetId(text: string): string | undefined {
  if (isId(text)) return text;
  const hash = /\.(chain|test)$/.test(text) ? nameHashOf(text) : '';
  return hash === '' ? undefined : hash;
}

const MAX_SHOWN = 100;

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, MAX_SHOWN);
