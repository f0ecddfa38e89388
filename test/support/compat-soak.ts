import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import { EVENT_KINDS } from '../../src/chain/event-kinds.js';
import type { EventKind } from '../../src/chain/event-kinds.js';
import { watchEvents } from '../../src/events/watch.js';
import { CHANNELS, followCompat } from './compat-follower.js';
import { GIVE_UP_MS } from './patience.js';
import { MAX_GENERATIONS_AHEAD, soakWorld, whileMoving } from './soak-world.js';
import type { SoakWorld } from './soak-world.js';

const TOPIC_OF = { KeyBlocks: 'key_blocks', MicroBlocks: 'micro_blocks', Transactions: 'transactions' } as const;
const TOPICS = Object.values(TOPIC_OF);

/** Accounts of which each client follows two. */
const TARGETS = 6;

/** Clients that come back between two disturbances, also on a busy machine. */
const CLIENTS_AT_EASE = 200;

/** Max events that all clients together are behind. */
const MAX_MISSED = 60_000;

interface Follower {
  targets: string[];
  /** Numbers of the events that it got, by subscription, in their order. */
  got: Map<string, number[]>;
  last: number;
  faults: string[];
  reconnects: number;
}

/** Clients of the compatible websocket while the processes are killed or restarted one after the other. */
export function compatSoak({ seconds, clients }: { seconds: number; clients: number }): void {
  describe(`${clients} clients of the compatible websocket over ${seconds} s of forks, kills and restarts`, function () {
    this.timeout(2 * GIVE_UP_MS + seconds * 1000);
    let world: SoakWorld;
    const end = new AbortController();

    before(async () => {
      setMaxListeners(0, end.signal);
      // More clients need more time to come back.
      const calm = Math.max(1, clients / CLIENTS_AT_EASE);
      world = await soakWorld({ settings: { WEBSOCKET_MAX_PER_ADDRESS: '0' }, calm });
    });
    after(async function () {
      end.abort();
      await world.close(this.test!.parent!.tests.some(({ state }) => state === 'failed'));
    });

    it('each gets each event of the final log once and in order, for each of its subscriptions', async () => {
      const { devnode, servers } = world;
      const { first, since } = await world.beginning();
      const accounts = await accountsOf(devnode.externalUrl, TARGETS);
      /** What is announced, as the service's own protocol says it: the text of the node by number. */
      const told = new Map<number, { topic: string; text: string }>();
      let height = devnode.height();
      const reference = watchEvents({
        urls: servers.map(({ ws }) => ws),
        subscriptions: [...TOPICS],
        ...{ since, signal: end.signal },
        onNotice: () => undefined,
        onFrame(text) {
          const { subscription: topic, cursor, payload } = JSON.parse(text) as Told;
          told.set(Number.parseInt(cursor), { topic, text });
          if (topic === 'key_blocks') height = payload.height!;
        },
      });
      /** Payloads by number: those of both servers, before and after a reorg, may differ. Their hash may not. */
      const payloads = new Map<number, Set<string>>();
      const follow = (i: number): { follower: Follower; done: Promise<void> } => {
        const targets = [accounts[i % TARGETS]!, accounts[(i + 1 + Math.floor(i / TARGETS)) % TARGETS]!];
        const follower: Follower = {
          targets: [...new Set(targets)],
          got: new Map([...CHANNELS, ...targets].map((name) => [name, []])),
          ...{ last: first, faults: [], reconnects: 0 },
        };
        const done = followCompat({
          urls: [servers[i % 2]!, servers[(i + 1) % 2]!].map(({ http }) => `${http.replace('http', 'ws')}${PATH}`),
          ...{ targets: follower.targets, since, signal: end.signal },
          onFault: (fault) => follower.faults.push(fault),
          onReconnect: () => (follower.reconnects += 1),
          onEvent(subscription, seq, payload) {
            const got = follower.got.get(subscription)!;
            if (seq <= (got.at(-1) ?? first)) follower.faults.push(`${subscription}: ${seq} after ${got.at(-1)}`);
            got.push(seq);
            follower.last = Math.max(follower.last, seq);
            const known = payloads.get(seq);
            if (known === undefined) payloads.set(seq, new Set([payload]));
            else known.add(payload);
          },
        });
        return { follower, done };
      };
      const followers = Array.from({ length: clients }, (_, i) => follow(i));

      // What a restarted server has to send is kept small: all clients, times the events that they missed.
      const maxBehind = Math.max(60, MAX_MISSED / clients);
      const disturbances: string[] = [];
      const growing = world.grow(() => {
        const lasts = followers.map(({ follower }) => follower.last);
        return devnode.height() - height > MAX_GENERATIONS_AHEAD || Math.max(...lasts) - Math.min(...lasts) > maxBehind;
      });
      const disturbing = world.disturb(disturbances);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      world.stop();
      await Promise.all([growing, disturbing]);

      const log = (await world.finalLog())
        .map(({ seq, kind, hash }) => ({ seq, hash, topic: EVENT_KINDS[kind as EventKind].topic }))
        .filter(({ seq, topic }) => seq > first && (TOPICS as string[]).includes(topic));
      await whileMoving(
        () => Promise.resolve(told.size),
        (size) => size === log.length,
      );
      const expected = (name: string): number[] =>
        log
          .filter(({ seq, topic }) =>
            name in TOPIC_OF
              ? TOPIC_OF[name as keyof typeof TOPIC_OF] === topic
              : topic === 'transactions' && told.get(seq)!.text.includes(`"${name}"`),
          )
          .map(({ seq }) => seq);
      const expectations = new Map([...CHANNELS, ...accounts].map((name) => [name, expected(name)]));
      await whileMoving(
        () => Promise.resolve(missingIn(followers, expectations)),
        (missing) => missing <= 0,
      );
      end.abort();
      await Promise.all([reference, ...followers.map(({ done }) => done)]);

      const story = `${disturbances.length} disturbances: ${disturbances.join(', ')}`;
      for (const { follower } of followers) {
        expect(follower.faults, story).to.deep.equal([]);
        for (const [name, got] of follower.got) expect(got, `${name}, ${story}`).to.deep.equal(expectations.get(name));
      }
      for (const { seq, hash } of log)
        for (const payload of payloads.get(seq)!)
          expect((JSON.parse(payload) as { hash: string }).hash, story).to.equal(hash);
      const reconnects = followers.reduce((sum, { follower }) => sum + follower.reconnects, 0);
      const frames = followers.reduce((sum, { follower }) => sum + [...follower.got.values()].flat().length, 0);
      process.stdout.write(`      ${log.length} events, ${frames} frames, ${reconnects} reconnects, ${story}\n`);
      // The run is only meaningful if enough happened.
      expect(log.length).to.be.greaterThan(Math.min(seconds, 60));
      expect(reconnects).to.be.greaterThan(clients);
      expect(accounts.filter((account) => expectations.get(account)!.length > 0).length).to.be.greaterThan(1);
    });
  });
}

/** Number of events that clients have not got yet. */
const missingIn = (
  followers: readonly { follower: Follower }[],
  expectations: ReadonlyMap<string, readonly number[]>,
): number =>
  followers.reduce(
    (sum, { follower }) =>
      sum + [...follower.got].reduce((of, [name, got]) => of + expectations.get(name)!.length - got.length, 0),
    0,
  );

const PATH = '/mdw/v3/websocket';

interface Told {
  subscription: string;
  cursor: string;
  payload: { height?: number };
}

/** Accounts that send transactions, of the first generations. */
async function accountsOf(node: string, count: number): Promise<string[]> {
  const found = new Set<string>();
  for (let height = 1; found.size < count; height++) {
    const answer = await fetch(`${node}/v2/generations/height/${height}`);
    if (!answer.ok) throw new Error(`only ${found.size} accounts below ${height}`);
    const { micro_blocks: hashes } = (await answer.json()) as { micro_blocks: string[] };
    for (const hash of hashes) {
      const text = await (await fetch(`${node}/v2/micro-blocks/hash/${hash}/transactions`)).text();
      for (const [, id] of text.matchAll(/"(?:sender|account)_id":"(ak_\w+)"/g)) found.add(id!);
    }
  }
  return [...found].slice(0, count);
}
