import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import { EVENT_KINDS, TOPIC_KINDS } from '../../src/chain/event-kinds.js';
import type { EventKind } from '../../src/chain/event-kinds.js';
import { watchEvents } from '../../src/events/watch.js';
import { GIVE_UP_MS } from './patience.js';
import { createRequester, checkAnswers } from './soak-requests.js';
import type { ReportedEvent } from './soak-requests.js';
import { MAX_EVENTS_BEHIND, MAX_GENERATIONS_AHEAD, soakWorld, whileMoving } from './soak-world.js';
import type { SoakWorld } from './soak-world.js';

/** All topics: a topic that is left out would leave gaps in the numbers of the events. */
/** Each event of the log once: what is made of events of another topic has their numbers. */
const EVERYTHING = TOPIC_KINDS.filter((topic) => Object.values(EVENT_KINDS).some((kind) => kind.topic === topic));

interface Follower {
  /** Number of the last event that it received. */
  last: number;
  faults: string[];
  reconnects: number;
}

const readEvent = (seq: number, frame: string): ReportedEvent => ({ ...(JSON.parse(frame) as ReportedEvent), seq });

/** Clients of the service's own protocol while the processes are killed or restarted one after the other. */
export function eventsSoak({ seconds, clients }: { seconds: number; clients: number }): void {
  describe(`${clients} clients over ${seconds} s of forks, kills and restarts`, function () {
    this.timeout(2 * GIVE_UP_MS + seconds * 1000);
    let world: SoakWorld;
    const end = new AbortController();

    before(async () => (world = await soakWorld()));
    after(async function () {
      end.abort();
      await world.close(this.test!.parent!.tests.some(({ state }) => state === 'failed'));
    });

    it('every client gets every event of the final log once and in order, and HTTP always has what it got', async () => {
      const { devnode, servers, away, gone } = world;
      /** Each event as the first client received it. */
      const frames = new Map<number, string>();
      /** Height of the last key block that was received. */
      let height = devnode.height();
      const questions = createRequester();
      setMaxListeners(0, end.signal);
      const { first, tops, since } = await world.beginning();

      const follow = (i: number): { follower: Follower; done: Promise<void> } => {
        const follower: Follower = { last: first, faults: [], reconnects: 0 };
        const own = [servers[i % 2]!, servers[(i + 1) % 2]!];
        const done = watchEvents({
          urls: own.map(({ ws }) => ws),
          subscriptions: EVERYTHING,
          since,
          signal: end.signal,
          onNotice(notice) {
            if (notice.includes('trying again')) follower.reconnects += 1;
            else follower.faults.push(notice);
          },
          onFrame(frame) {
            const seq = Number(/"cursor":"(\d+)\.[^"]*"\}$/.exec(frame.slice(-100))?.[1]);
            if (seq !== follower.last + 1) follower.faults.push(`${seq} after ${follower.last}`);
            follower.last = seq;
            const known = frames.get(seq);
            if (known === undefined) frames.set(seq, frame);
            else if (known !== frame) follower.faults.push(`${seq} differs`);
            // The first client sends requests to the server of the event, the second one to the other server.
            if (i >= 2) return;
            const event = readEvent(seq, frame);
            if (event.subscription === 'key_blocks') height = event.payload.height!;
            questions.request(event, own[(follower.reconnects + i) % 2]!.http, i === 1);
          },
        });
        return { follower, done };
      };

      const followers = Array.from({ length: clients }, (_, i) => follow(i));
      const disturbances: string[] = [];
      const growing = world.grow(() => {
        const lasts = followers.map(({ follower }) => follower.last);
        return (
          devnode.height() - height > MAX_GENERATIONS_AHEAD ||
          Math.max(...lasts) - Math.min(...lasts) > MAX_EVENTS_BEHIND
        );
      });
      const disturbing = world.disturb(disturbances);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      world.stop();
      await Promise.all([growing, disturbing]);

      const log = (await world.finalLog()).filter(({ seq }) => seq > first);
      const head = log.at(-1)!.seq;
      await whileMoving(
        () => Promise.resolve(followers.reduce((sum, { follower }) => sum + head - follower.last, 0)),
        (behind) => behind === 0,
      );
      const asked = await questions.results();
      end.abort();
      await Promise.all(followers.map(({ done }) => done));

      const story = `${disturbances.length} disturbances: ${disturbances.join(', ')}`;
      for (const { follower } of followers) {
        expect(follower.faults, story).to.deep.equal([]);
        expect(follower.last, story).to.equal(head);
      }
      const told = [...frames].map(([seq, frame]) => readEvent(seq, frame));
      expect(told.map(({ seq, subscription, payload }) => `${seq} ${subscription} ${payload.hash}`)).to.have.members(
        log.map(({ seq, kind, hash }) => `${seq} ${EVENT_KINDS[kind as EventKind].topic} ${hash}`),
      );
      const judged = checkAnswers(asked, log, tops, { databaseDown: away, serverDown: gone });
      const reconnects = followers.reduce((sum, { follower }) => sum + follower.reconnects, 0);
      process.stdout.write(
        [
          `      ${log.length} events, ${reconnects} reconnects, ${story}`,
          `      ${asked.length} questions over HTTP: ${judged.overtaken} answers after the chain had moved on, ${judged.late} of the other server from the moment before, ${judged.databaseDown} 503 while the database was away, ${judged.serverDown} without an answer of servers that were killed\n`,
        ].join('\n'),
      );
      expect(judged.faults, story).to.deep.equal([]);
      // The run is only meaningful if enough happened.
      expect(log.length).to.be.greaterThan(seconds);
      expect(asked.length - judged.overtaken - judged.databaseDown - judged.serverDown).to.be.greaterThan(seconds);
    });
  });
}
