import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { startDevnode } from '../../src/devnode/start.js';
import type { Devnode } from '../../src/devnode/start.js';
import { watchEvents } from '../../src/events/watch.js';
import { choices } from './histories.js';
import { movingDatabase } from './moving-database.js';
import type { MovingDatabase } from './moving-database.js';
import { eventually } from './populator.js';
import { supervised } from './supervised.js';
import type { Supervised } from './supervised.js';

const EVERYTHING = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', 'rollback'];

const EVENT_KINDS: Record<string, string> = {
  key_block: 'key_blocks',
  micro_block: 'micro_blocks',
  transaction: 'transactions',
  tx_update: 'tx_update',
  left: 'tx_update',
  rollback: 'rollback',
};

interface Follower {
  /** Number of the last event it was told; -1 before the first. */
  last: number;
  faults: string[];
  reconnects: number;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Two servers, a populator, a living and forking chain, and one after the other of them killed or restarted. */
export function eventsSoak({ seconds, clients }: { seconds: number; clients: number }): void {
  describe(`${clients} clients over ${seconds} s of forks, kills and restarts`, function () {
    this.timeout((seconds + 300) * 1000);
    const random = choices(5);
    let postgres: MovingDatabase;
    let devnode: Devnode;
    let servers: { process: Supervised; ws: string; http: string }[];
    let populator: Supervised;
    let stopped = false;
    let databaseAway = false;

    before(async () => {
      postgres = await movingDatabase();
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
            signatures: 'fake',
          },
        },
      });
      const env = {
        NODE_URL: devnode.externalUrl,
        DATABASE_URL: postgres.url('soak'),
        LOG_LEVEL: 'silent',
        METRICS_ADDRESS: '127.0.0.1:0',
      };
      populator = supervised(['-p'], { ...env, POLL_INTERVAL_MS: '50', LEASE_SECONDS: '2' });
      await eventually(isLive, (live) => live, 60_000);
      servers = await Promise.all(
        [0, 1].map(async () => {
          const [ws, http] = [await freePort(), await freePort()];
          const process = supervised(['-s'], {
            ...env,
            WEBSOCKET_ADDRESS: `127.0.0.1:${ws}`,
            HTTP_ADDRESS: `127.0.0.1:${http}`,
            WEBSOCKET_DRAIN_MS: '500',
          });
          return { process, ws: `ws://127.0.0.1:${ws}`, http: `http://127.0.0.1:${http}` };
        }),
      );
      for (const { http } of servers) {
        await eventually(
          () =>
            fetch(`${http}/healthz`).then(
              ({ ok }) => ok,
              () => false,
            ),
          (ok) => ok,
        );
      }
    });

    after(async () => {
      stopped = true;
      for (const { process } of servers) await process.close();
      await populator.close();
      await devnode.close();
      await postgres.close();
    });

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

    async function grow(): Promise<void> {
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
          await devnode.fork({ depth, grow: depth + random.int(0, 1), retainTxs, txsPerGeneration: 4, microBlocks: 2 });
        }
        await new Promise((resolve) => setTimeout(resolve, random.int(20, 150)));
      }
    }

    async function disturb(done: string[]): Promise<void> {
      for (let round = 0; !stopped; round++) {
        await new Promise((resolve) => setTimeout(resolve, random.int(1_500, 5_000)));
        if (stopped) return;
        const signal = random.chance(0.5) ? 'SIGKILL' : 'SIGTERM';
        if (round % 4 === 3) {
          done.push('database');
          databaseAway = true;
          await postgres.restart();
          setTimeout(() => (databaseAway = false), 3_000);
        } else if (round % 4 === 2) {
          done.push(`populator ${signal}`);
          populator.kill(signal);
        } else {
          done.push(`server ${round % 4} ${signal}`);
          servers[round % 4]!.process.kill(signal);
        }
      }
    }

    it('every client is told every event of the final log once and in order, and HTTP always has what it was told', async () => {
      /** Digest of each event as the first client was told it. */
      const digests = new Map<number, string>();
      const hashes = new Map<number, string>();
      const removed = new Set<string>();
      const missed: string[] = [];
      let asked = 0;
      const end = new AbortController();
      setMaxListeners(0, end.signal);

      const follow = (i: number): { follower: Follower; done: Promise<void> } => {
        const follower: Follower = { last: -1, faults: [], reconnects: 0 };
        const own = [servers[i % 2]!, servers[(i + 1) % 2]!];
        let from = 0;
        const done = watchEvents({
          urls: own.map(({ ws }) => ws),
          subscriptions: EVERYTHING,
          signal: end.signal,
          onNotice(notice) {
            follower.reconnects += 1;
            from += 1;
            if (notice.startsWith('Events may be missing')) follower.faults.push(notice);
          },
          onFrame(frame) {
            const { subscription, payload, cursor } = JSON.parse(frame) as {
              subscription: string;
              payload: { hash: string; removed?: string[] };
              cursor: string;
            };
            const seq = Number(cursor.split('.')[0]);
            if (follower.last !== -1 && seq !== follower.last + 1)
              follower.faults.push(`${seq} after ${follower.last}`);
            follower.last = seq;
            const digest = createHash('sha1').update(frame).digest('base64');
            const first = digests.get(seq);
            if (first === undefined) {
              digests.set(seq, digest);
              hashes.set(seq, `${subscription} ${payload.hash}`);
              payload.removed?.forEach((hash) => removed.add(hash));
            } else if (first !== digest) follower.faults.push(`${seq} differs`);
            if (i < 2 && subscription !== 'tx_update' && subscription !== 'rollback')
              probe(own[from % 2]!.http, payload.hash);
          },
        });
        return { follower, done };
      };

      /** One question at a time: after a resumption there are many, and a crowd of them would be turned away to the node. */
      let asking = Promise.resolve();
      const probe = (http: string, hash: string): void => {
        asking = asking.then(() => ask(http, hash)).catch(() => undefined);
      };

      async function ask(http: string, hash: string): Promise<void> {
        const paths: Record<string, string> = {
          k: 'key-blocks/hash/*',
          m: 'micro-blocks/hash/*/header',
          t: 'transactions/*',
        };
        const away = databaseAway;
        const answer = await fetch(`${http}/v2/${paths[hash[0]!]!.replace('*', hash)}`);
        await answer.arrayBuffer();
        asked += 1;
        // Own answers name the top they were made from. While the database is away, the node answers.
        const own = answer.headers.has('x-chain-height') || away || databaseAway;
        if (answer.status !== 200 || !own) missed.push(hash);
      }

      const followers = Array.from({ length: clients }, (_, i) => follow(i));
      const disturbances: string[] = [];
      const growing = grow();
      const disturbing = disturb(disturbances);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      stopped = true;
      await Promise.all([growing, disturbing]);

      const top = devnode.top();
      const lastBlock = `SELECT hash FROM (SELECT hash, height << 33 AS position FROM key_blocks UNION ALL SELECT hash, position FROM micro_blocks) b ORDER BY position DESC LIMIT 1`;
      await eventually(
        () =>
          query<{ hash: string }>(lastBlock).then(
            ([row]) => row?.hash,
            () => undefined,
          ),
        (hash) => hash === top.hash,
        120_000,
      );
      const log = await query<{ seq: string; kind: string; hash: string }>(
        'SELECT seq, kind, hash FROM events ORDER BY seq',
      );
      const head = Number(log.at(-1)!.seq);
      await eventually(
        () => Promise.resolve(followers.filter(({ follower }) => follower.last < head).length),
        (behind) => behind === 0,
        60_000,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      end.abort();
      await Promise.all(followers.map(({ done }) => done));
      await asking;

      const story = `${disturbances.length} disturbances: ${disturbances.join(', ')}`;
      for (const { follower } of followers) {
        expect(follower.faults, story).to.deep.equal([]);
        expect(follower.last, story).to.equal(head);
      }
      const told = log.filter(({ seq }) => hashes.has(Number(seq)));
      expect(told.map(({ seq }) => hashes.get(Number(seq)))).to.deep.equal(
        told.map(({ kind, hash }) => `${EVENT_KINDS[kind]} ${hash}`),
      );
      expect(told.length).to.be.greaterThan(seconds);
      // What was told and then taken back at once may be gone before HTTP is asked.
      const gone = new Set(log.filter(({ kind }) => kind === 'left' || kind === 'tx_update').map(({ hash }) => hash));
      expect(missed.filter((hash) => !removed.has(hash) && !gone.has(hash))).to.deep.equal([]);
      expect(asked).to.be.greaterThan(seconds);
      const reconnects = followers.reduce((sum, { follower }) => sum + follower.reconnects, 0);
      process.stdout.write(
        `      ${told.length} events, ${asked} questions over HTTP, ${reconnects} reconnects, ${story}\n`,
      );
    });
  });
}
