/** Two servers, a populator and a growing and forking chain, whose processes are killed or restarted one after the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { formatCursor } from '../../src/events/cursor.js';
import { choices } from './histories.js';
import { movingDatabase } from './moving-database.js';
import { eventually } from './populator.js';
import type { LoggedEvent, Time } from './soak-requests.js';
import { asRole, migrateCopy } from './roles.js';
import { supervised } from './supervised.js';
import type { Supervised } from './supervised.js';

/** Max generations that the node may be ahead of the last event, and max events that the last client may be behind the first one. */
export const MAX_GENERATIONS_AHEAD = 20;
export const MAX_EVENTS_BEHIND = 1_000;

export interface SoakServer {
  process: Supervised;
  ws: string;
  http: string;
}

export interface SoakWorld {
  devnode: Devnode;
  servers: readonly SoakServer[];
  /** Times in which the database was down, and in which a server was. */
  away: readonly Time[];
  gone: readonly (Time & { url: string })[];
  /** Grows and forks the chain until `stop`, only as fast as populator and servers can follow. */
  grow(isAhead: () => boolean): Promise<void>;
  /** Kills and restarts processes until `stop`. Adds what it did to `done`. */
  disturb(done: string[]): Promise<void>;
  stop(): void;
  /** The first event, from which all clients receive events. The chain begins to grow after it. */
  beginning(): Promise<{ first: number; tops: Map<number, string>; since: string }>;
  /** The whole log, when the copy has reached the top of the node. */
  finalLog(): Promise<LoggedEvent[]>;
  /** `keepLogs`: the logs of the processes stay, and their folder is printed. */
  close(keepLogs: boolean): Promise<void>;
}

/** Waits until the answer is the expected one. Fails if the answer does not change for a minute. */
export async function whileMoving<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<void> {
  for (let answer = await ask(); !isDone(answer);) {
    const before = answer;
    answer = await eventually(ask, (now) => now !== before);
  }
}

const isServing = (http: string): Promise<unknown> =>
  eventually(
    () =>
      fetch(`${http}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (ok) => ok,
  );

/** `settings`: more variables of the servers. `calm`: by how much the pauses between two disturbances are longer. */
export async function soakWorld({
  settings = {},
  calm = 1,
}: { settings?: Record<string, string>; calm?: number } = {}): Promise<SoakWorld> {
  const random = choices(5);
  let stopped = false;
  const away: Time[] = [];
  const gone: (Time & { url: string })[] = [];
  const logs = mkdtempSync(join(tmpdir(), 'mdw-test-soak-'));
  // Only the database knows what was committed at the time of an answer.
  const postgres = await movingDatabase({ track_commit_timestamp: 'on' });
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('CREATE DATABASE soak');
  await admin.end();
  const devnode = await startDevnode({
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
  const populator = supervised(['-p'], {
    ...env,
    DATABASE_URL: asRole(postgres.url('soak'), 'populate'),
    LOG_DIR: join(logs, 'populator'),
    POLL_INTERVAL_MS: '50',
    LEASE_SECONDS: '2',
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
      await new Promise((resolve) => setTimeout(resolve, calm * random.int(1_500, 5_000)));
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

  await eventually(isLive, (live) => live);
  const servers = await Promise.all(
    [0, 1].map(async () => {
      const [ws, http] = [await freePort(), await freePort()];
      const process = supervised(['-s'], {
        ...env,
        ...settings,
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
  return {
    ...{ devnode, servers, away, gone, grow, disturb, beginning },
    stop: () => void (stopped = true),
    async finalLog() {
      await whileMoving(lastBlock, (hash) => hash === devnode.top().hash);
      return readLog();
    },
    async close(keepLogs) {
      stopped = true;
      for (const { process } of servers) await process.close();
      await populator.close();
      await devnode.close();
      await postgres.close();
      if (keepLogs) process.stdout.write(`      Logs: ${logs}\n`);
      else rmSync(logs, { recursive: true, force: true });
    },
  };
}
