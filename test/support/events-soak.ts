import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { EVENT_KINDS, TOPIC_KINDS } from '../../src/chain/event-kinds.js';
import type { EventKind } from '../../src/chain/event-kinds.js';
import { formatCursor } from '../../src/events/cursor.js';
import { watchEvents } from '../../src/events/watch.js';
import { choices } from './histories.js';
import { movingDatabase } from './moving-database.js';
import type { MovingDatabase } from './moving-database.js';
import { eventually } from './populator.js';
import { createRequester, checkAnswers } from './soak-requests.js';
import type { LoggedEvent, Time, ReportedEvent } from './soak-requests.js';
import { asRole, migrateCopy } from './roles.js';
import { supervised } from './supervised.js';
import type { Supervised } from './supervised.js';
import { GIVE_UP_MS } from './patience.js';

/** All topics: a topic that is left out would leave gaps in the numbers of the events. */
const EVERYTHING = TOPIC_KINDS.filter((topic) => topic !== 'object');

/** Max generations that the node may be ahead of the last event, and max events that the last client may be behind the first one. */
const MAX_GENERATIONS_AHEAD = 20;
const MAX_EVENTS_BEHIND = 1_000;

interface Follower {
  /** Number of the last event that it received. */
  last: number;
  faults: string[];
  reconnects: number;
}

const readEvent = (seq: number, frame: string): ReportedEvent => ({ ...(JSON.parse(frame) as ReportedEvent), seq });

/** Waits until the answer is the expected one. Fails if the answer does not change for a minute. */
async function whileMoving<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<void> {
  for (let answer = await ask(); !isDone(answer);) {
    const before = answer;
    answer = await eventually(ask, (now) => now !== before);
  }
}

/** Two servers, a populator and a growing and forking chain. The processes are killed or restarted one after the other. */
export function eventsSoak({ seconds, clients }: { seconds: number; clients: number }): void {
  describe(`${clients} clients over ${seconds} s of forks, kills and restarts`, function () {
    this.timeout(2 * GIVE_UP_MS + seconds * 1000);
    const random = choices(5);
    let postgres: MovingDatabase;
    let devnode: Devnode;
    let servers: { process: Supervised; ws: string; http: string }[];
    let populator: Supervised;
    let stopped = false;
    /** Times in which the database was down. */
    const away: Time[] = [];
    const end = new AbortController();
    const logs = mkdtempSync(join(tmpdir(), 'mdw-test-soak-'));
    const gone: (Time & { url: string })[] = [];

    before(async () => {
      // Only the database knows what was committed at the time of an answer.
      postgres = await movingDatabase({ track_commit_timestamp: 'on' });
      const admin = new pg.Client({ connectionString: postgres.url('postgres') });
      await admin.connect();
      await admin.query('CREATE DATABASE soak');
      await admin.end();
      devnode = await startDevnode({
        external: '127.0.0.1:0',
        source: {
          generate: {
            seed: 'soak',
            generations: 3,
            txsPerGeneration: 6,
            microBlocksPerGeneration: 2,
          },
        },
      });
      await migrateCopy(postgres.url('soak'));
      const env = { NODE_URL: devnode.externalUrl, LOG_LEVEL: 'warn', METRICS_ADDRESS: '127.0.0.1:0' };
      populator = supervised(['-p'], {
        ...env,
        DATABASE_URL: asRole(postgres.url('soak'), 'populate'),
        LOG_DIR: join(logs, 'populator'),
        POLL_INTERVAL_MS: '50',
        LEASE_SECONDS: '2',
      });
      await eventually(isLive, (live) => live);
      servers = await Promise.all(
        [0, 1].map(async () => {
          const [ws, http] = [await freePort(), await freePort()];
          const process = supervised(['-s'], {
            ...env,
            DATABASE_URL: asRole(postgres.url('soak'), 'serve'),
            LOG_DIR: join(logs, `server ${ws}`),
            WEBSOCKET_ADDRESS: `127.0.0.1:${ws}`,
            HTTP_ADDRESS: `127.0.0.1:${http}`,
            WEBSOCKET_DRAIN_MS: '500',
          });
          return { process, ws: `ws://127.0.0.1:${ws}`, http: `http://127.0.0.1:${http}` };
        }),
      );
      for (const { http } of servers) await isServing(http);
    });

    after(async function () {
      stopped = true;
      end.abort();
      for (const { process } of servers) await process.close();
      await populator.close();
      await devnode.close();
      await postgres.close();
      if (this.test!.parent!.tests.some(({ state }) => state === 'failed'))
        process.stdout.write(`      Logs: ${logs}\n`);
      else rmSync(logs, { recursive: true, force: true });
    });

    const isServing = (http: string): Promise<unknown> =>
      eventually(
        () =>
          fetch(`${http}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        (ok) => ok,
      );

    async function query<Row extends object>(text: string): Promise<Row[]> {
      const client = new pg.Client({ connectionString: postgres.url('soak'), options: '-c search_path=mdw' });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    }

    const isLive = (): Promise<boolean> =>
      query<{ live: boolean }>('SELECT live FROM chain').then(
        ([row]) => row?.live === true,
        () => false,
      );

    /** Grows only as fast as populator and servers can follow. On a busy machine they would otherwise fall behind. */
    async function grow(isAhead: () => boolean): Promise<void> {
      while (!stopped) {
        const kind = random.int(0, 19);
        if (kind <= 10) await devnode.addMicroBlock({ txs: random.int(1, 4) });
        else if (kind <= 15) await devnode.mineKeyBlock();
        else if (kind <= 17) {
          const next = (['key-block', 'micro-block'] as const)[random.int(0, 1)]!;
          await devnode.microFork({ drop: 1, next }).catch(() => undefined);
        } else {
          const retainTxs = (['all', 'some', 'none'] as const)[random.int(0, 2)]!;
          const depth = random.int(1, 3);
          await devnode.fork({ depth, grow: depth + random.int(1, 2), retainTxs, txsPerGeneration: 4, microBlocks: 2 });
        }
        do await new Promise((resolve) => setTimeout(resolve, random.int(20, 150)));
        while (!stopped && isAhead());
      }
    }

    async function killServer({ process, http }: (typeof servers)[number], signal: NodeJS.Signals): Promise<void> {
      const time = { url: http, begun: Date.now(), ended: Infinity };
      gone.push(time);
      await process.kill(signal);
      await isServing(http);
      time.ended = Date.now();
    }

    async function disturb(done: string[]): Promise<void> {
      for (let round = 0; !stopped; round++) {
        await new Promise((resolve) => setTimeout(resolve, random.int(1_500, 5_000)));
        if (stopped) return;
        const signal = random.chance(0.5) ? 'SIGKILL' : 'SIGTERM';
        if (round % 4 === 3) {
          done.push('database');
          const time = { begun: Date.now(), ended: Infinity };
          away.push(time);
          await postgres.restart();
          time.ended = Date.now();
        } else if (round % 4 === 2) {
          done.push(`populator ${signal}`);
          void populator.kill(signal);
        } else {
          done.push(`server ${round % 4} ${signal}`);
          void killServer(servers[round % 4]!, signal);
        }
      }
    }

    it('every client gets every event of the final log once and in order, and HTTP always has what it got', async () => {
      /** Each event as the first client received it. */
      const frames = new Map<number, string>();
      /** Height of the last key block that was received. */
      let height = devnode.height();
      const questions = createRequester();
      setMaxListeners(0, end.signal);
      const { first, tops, since } = await beginning();

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
      const growing = grow(() => {
        const lasts = followers.map(({ follower }) => follower.last);
        return (
          devnode.height() - height > MAX_GENERATIONS_AHEAD ||
          Math.max(...lasts) - Math.min(...lasts) > MAX_EVENTS_BEHIND
        );
      });
      const disturbing = disturb(disturbances);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      stopped = true;
      await Promise.all([growing, disturbing]);

      await whileMoving(lastBlock, (hash) => hash === devnode.top().hash);
      const log = (await readLog()).filter(({ seq }) => seq > first);
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

    /** The first event, from which all clients receive events. The chain begins to grow after it. */
    async function beginning(): Promise<{ first: number; tops: Map<number, string>; since: string }> {
      await devnode.mineKeyBlock();
      const { hash: block } = devnode.top();
      await eventually(lastBlock, (hash) => hash === block);
      const [chain] = await query<{ seq: string }>('SELECT event_seq AS seq FROM chain');
      const blocks = await query<{ height: string; hash: string }>('SELECT height, hash FROM key_blocks');
      const first = Number(chain!.seq);
      return {
        first,
        tops: new Map(blocks.map(({ height, hash }) => [Number(height), hash])),
        since: formatCursor({ seq: first, block, transactions: 0 }),
      };
    }

    const lastBlock = (): Promise<string | undefined> =>
      query<{ hash: string }>(
        `SELECT hash FROM (
           SELECT hash, height << 33 AS position FROM key_blocks UNION ALL SELECT hash, position FROM micro_blocks
         ) AS b ORDER BY position DESC LIMIT 1`,
      ).then(
        ([row]) => row?.hash,
        () => undefined,
      );

    async function readLog(): Promise<LoggedEvent[]> {
      const rows = await query<Record<'seq' | 'kind' | 'position' | 'hash' | 'transaction' | 'committed', string>>(
        `SELECT seq, COALESCE(later_kind, kind) AS kind, position, hash, xmin AS transaction,
           extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS committed
         FROM events ORDER BY seq`,
      );
      return rows.map((row) => ({
        ...row,
        seq: Number(row.seq),
        position: BigInt(row.position),
        committed: Number(row.committed),
      }));
    }
  });
}
