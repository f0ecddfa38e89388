/** What subscriptions get, in random orders of messages, events and reads. ORDERS=100000 for the full count. */
import { expect } from 'chai';
import { createClient } from '../../src/events/client.js';
import type { Client, Subscription, Transport } from '../../src/events/client.js';
import { begin, end, endReplay, exceedsMaxReplays, nextOf, sentWith } from '../../src/events/progress.js';
import type { Point } from '../../src/events/log.js';
import type { Topic } from '../../src/events/protocol.js';
import { choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';

const { SEED = '37', ORDERS = '300' } = process.env;
const STEPS = 60;

const TRANSPORT: Transport = {
  send: () => undefined,
  cork: () => undefined,
  uncork: () => undefined,
  backlog: () => 0,
  close: () => undefined,
};

const KINDS = ['key_blocks', 'micro_blocks', 'transactions'] as const;
const TARGETS = ['ak_a', 'ak_b'];
const TOPICS: readonly Topic[] = [
  ...KINDS.map((kind): Topic => ({ kind, name: kind })),
  ...TARGETS.map((target): Topic => ({ kind: 'object', target, name: 'object' })),
];
const keyOf = (topic: Topic): string => (topic.kind === 'object' ? topic.target : topic.kind);

/** An event of the log: the topics that match it. Its number is its place. The stored chain has the same events, each at its number. */
type Event = readonly string[];

/** What a subscription must get: the events after this number that match. */
interface Due {
  after: number;
  got: number[];
}

/** A client, the log, and what other servers have published before this one. */
class Run {
  readonly client: Client = createClient(TRANSPORT, '127.0.0.1', 'plain');
  readonly log: Event[] = [];
  /** The last event that this server has published. */
  position = 0;
  order = 0;
  readonly dues = new Map<string, Due>();

  constructor(readonly random: Choices) {
    for (let i = random.int(0, 20); i > 0; i--) this.append();
    this.position = random.int(0, this.log.length);
  }

  append(): void {
    const { random } = this;
    const kind = KINDS[random.int(0, 2)]!;
    this.log.push(kind === 'transactions' && random.chance(0.7) ? [kind, TARGETS[random.int(0, 1)]!] : [kind]);
  }

  topics(): Topic[] {
    const some = TOPICS.filter(() => this.random.chance(0.4));
    return some.length > 0 ? some : [TOPICS[this.random.int(0, TOPICS.length - 1)]!];
  }

  subscriptionOf(key: string): Subscription | undefined {
    return this.client.targets.get(key) ?? this.client.kinds.get(key as (typeof KINDS)[number]);
  }

  subscribe(): void {
    const { client, random, position } = this;
    const topics = this.topics();
    const from = random.int(0, this.log.length);
    // Another server may have published more: a client that comes from there names an event that is not published here.
    const starts = [{ seq: from }, { stored: this.stored(random.int(0, position)) }];
    const start: Point | undefined = starts[random.int(0, 2)];
    if (start !== undefined && 'stored' in start && exceedsMaxReplays(client, topics)) return;
    begin(client, topics, { start, position, order: this.order });
    this.order += topics.length;
    for (const key of topics.map(keyOf)) {
      if (start === undefined && this.dues.has(key)) continue;
      const after = start === undefined ? position : 'seq' in start ? start.seq : Number(start.stored.position);
      this.dues.set(key, { after, got: [] });
    }
  }

  stored(position: number): { block: bigint; transaction: bigint; logs: bigint; position: bigint; seq: number } {
    const at = BigInt(position);
    return { block: at, transaction: at + 1n, logs: at + 1n, position: at, seq: this.position };
  }

  unsubscribe(): void {
    const topics = this.topics();
    end(this.client, topics);
    for (const topic of topics) this.dues.delete(keyOf(topic));
  }

  deliver(seq: number, needs: (one: Subscription) => boolean): void {
    for (const key of this.log[seq - 1]!) {
      const one = this.subscriptionOf(key);
      if (one !== undefined && needs(one)) this.dues.get(key)!.got.push(seq);
    }
  }

  /** This server reads the next event of the log. Clients that are live get it at once. */
  publish(): void {
    if (this.position === this.log.length) return;
    this.position += 1;
    if (this.client.live) this.deliver(this.position, () => true);
  }

  /** A client that is not live gets some of what it missed, as the catch-up does. */
  catchUp(): void {
    const { client, random } = this;
    if (client.live) return;
    const next = nextOf(client, this.position);
    if (next.do === 'live') client.live = true;
    if (next.do === 'replay') this.replay(next);
    if (next.do !== 'log') return;
    for (let left = random.int(1, 4); left > 0 && client.seq < this.position; left--) {
      const seq = client.seq + 1;
      this.deliver(seq, ({ after }) => after < seq);
      client.seq = seq;
    }
  }

  replay({ replay, wanted }: Extract<ReturnType<typeof nextOf>, { do: 'replay' }>): void {
    const { client, random } = this;
    if (wanted.length === 0) return endReplay(client, replay, this.position, this.position);
    // The database may already have events that are not published here. It does not go back.
    const head = random.chance(0.5) ? Math.max(replay.sent.seq, this.position) : this.log.length;
    replay.sent.seq = head;
    for (let left = random.int(1, 8); left > 0; left--) {
      const seq = Number(replay.sent.position) + 1;
      if (seq > head) return endReplay(client, replay, head, this.position);
      this.deliver(seq, (one) => replay.subscriptions.has(one));
      replay.sent = sentWith(replay.sent, { kind: 'block', position: BigInt(seq) });
    }
  }

  step(): void {
    const { random } = this;
    const draw = random.int(0, 9);
    if (draw < 2) this.append();
    else if (draw < 5) this.publish();
    else if (draw === 5) this.subscribe();
    else if (draw === 6 && random.chance(0.4)) this.unsubscribe();
    else this.catchUp();
  }

  /** Each subscription has a beginning of what it must get, in order and without a gap; all that is published when the client is live. */
  check(): void {
    for (const [key, { after, got }] of this.dues) {
      const due = this.log.flatMap((keys, i) => (i + 1 > after && keys.includes(key) ? [i + 1] : []));
      expect(got, `${key} after ${after}`).to.deep.equal(due.slice(0, got.length));
      if (!this.client.live) continue;
      const published = due.filter((seq) => seq <= this.position).length;
      expect(got.length, `events that ${key} has after ${after}, when it is live`).to.be.at.least(published);
    }
  }

  /** No more messages: everything arrives. */
  finish(): void {
    while (this.position < this.log.length) this.publish();
    for (let rounds = 0; !this.client.live; rounds++) {
      expect(rounds, 'steps of the catch-up to the end of the log').to.be.below(1_000);
      this.catchUp();
    }
    this.check();
  }
}

describe('what subscriptions get', () => {
  it(`is each event after their start, once, in ${ORDERS} random orders of messages, events and reads`, () => {
    for (let order = 0; order < Number(ORDERS); order++) {
      const run = new Run(choices(Number(SEED) * 1_000_003 + order));
      try {
        for (let i = 0; i < STEPS; i++) {
          run.step();
          run.check();
        }
        run.finish();
      } catch (cause) {
        throw new Error(`order ${order} of SEED=${SEED}: ${(cause as Error).message}`, { cause });
      }
    }
  });
});
