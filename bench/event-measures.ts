import { setTimeout as pause } from 'node:timers/promises';
import { encodeId, hash } from '../src/chain/encoding/encoding.js';
import { BACKLOG, median, percentile, subscribe } from './event-bench.js';
import type { Bench } from './event-bench.js';
import { keyBlockEvent, transactionEvent } from './event-log.js';
import type { Announced } from './event-log.js';
import { memoryOf } from './processes.js';

export interface Row {
  what: string;
  measured: string;
  goal: string;
  /** Absent where the goal is no number. */
  met?: boolean;
}

const transactions = (height: number, count: number): Announced[] =>
  Array.from({ length: count }, (_, n) => transactionEvent(height, n));

const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** One block to 2,000 subscribers, from the commit to the arrival at the last one. */
export async function oneBlock({ address, log, height, clients }: Bench): Promise<Row[]> {
  const many = clients();
  await many.do({ open: { url: address, count: 2_000, messages: [[subscribe('key_blocks')]] } });
  const lasts: number[] = [];
  for (let i = 0; i < 33; i++) {
    const { done } = await many.expect(2_000);
    const committed = await log.announce([keyBlockEvent(height())]);
    const last = (await done).at - committed;
    // The first ones are for warming up.
    if (i >= 3) lasts.push(last);
  }
  await many.close();
  const worst = Math.max(...lasts);
  return [
    {
      what: 'one block to 2,000 subscribers: commit to the last one, median and worst of 30',
      measured: `${ms(median(lasts))}, ${ms(worst)}`,
      goal: 'max 250 ms',
      met: worst <= 250,
    },
  ];
}

/** 1 kB to 1,000 clients, by turns with the bare library. */
export async function fanOut(bench: Bench): Promise<Row[]> {
  const { address, log, height, clients } = bench;
  const messages = 300;
  const own = clients();
  await own.do({ open: { url: address, count: 1_000, messages: [[subscribe('transactions')]] } });
  const bare = await bench.bareServer();
  const others = clients();
  await others.do({ open: { url: bare.address, count: 1_000 } });
  const rates: { own: number[]; bare: number[] } = { own: [], bare: [] };
  for (let round = 0; round < 7; round++) {
    const events = transactions(height(), messages);
    const { done } = await own.expect(1_000 * messages);
    const committed = await log.announce(events);
    const ownRate = (1_000 * messages) / (((await done).at - committed) / 1000);
    const frame = `{"subscription":"transactions","payload":${events[0]!.body}}`;
    const { done: bareDone } = await others.expect(1_000 * messages);
    const sent = performance.timeOrigin + performance.now();
    bare.send({ frame, times: messages });
    const bareRate = (1_000 * messages) / (((await bareDone).at - sent) / 1000);
    if (round === 0) continue;
    rates.own.push(ownRate);
    rates.bare.push(bareRate);
  }
  await others.do({ close: true });
  bare.close();
  await own.close();
  const ratio = median(rates.own.map((rate, i) => rate / rates.bare[i]!));
  return [
    {
      what: 'fan-out of 1 kB to 1,000 clients, beside the bare library; median of 6',
      measured: `${Math.round(median(rates.own))} beside ${Math.round(median(rates.bare))} frames/s: ${ratio.toFixed(2)}`,
      goal: 'min 0.80',
      met: ratio >= 0.8,
    },
  ];
}

/** What an event costs that matches none of the targets of 1,000 connections. */
export async function targets({ address, log, height, clients, connections, metric }: Bench): Promise<Row[]> {
  const many = clients();
  const open = async (perClient: number): Promise<void> => {
    const own = (i: number): string[] =>
      Array.from({ length: perClient }, (_, n) => encodeId('ak', hash(Buffer.from(`target ${i}/${n}`))));
    const messages = Array.from({ length: 1_000 }, (_, i) => [subscribe(...own(i))]);
    await many.do({ open: { url: address, count: 1_000, messages } });
  };
  const one = clients();
  await one.do({ open: { url: address, count: 1, messages: [[subscribe('key_blocks')]] } });
  const time = async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 9; round++) {
      const { done } = await one.expect(1);
      const committed = await log.announce([...transactions(height(), 2_000), keyBlockEvent(height())]);
      const took = (await done).at - committed;
      if (round > 1) times.push((took * 1000) / 2_000);
    }
    return median(times);
  };
  await open(1);
  const few = await time();
  await many.do({ close: true });
  await connections(1);
  await open(100);
  const subscriptions = await metric('mdw_websocket_subscriptions');
  if (subscriptions !== 100_001) throw new Error(`${subscriptions} subscriptions`);
  const lots = await time();
  await one.do({ close: true });
  await many.close();
  return [
    {
      what: 'a transaction that matches none of 1,000 targets, of 100,000 (over 1,000 connections)',
      measured: `${few.toFixed(0)} µs, ${lots.toFixed(0)} µs`,
      goal: 'the same',
    },
  ];
}

const DEAF = 50;
const READERS = 200;
const TURNS = 5;

/** Clients that never read: what others notice of them, and what they cost in memory. */
export async function deafClients(bench: Bench): Promise<Row[]> {
  const { address, log, height, clients, connections, metric, server } = bench;
  const readers = clients();
  await readers.do({ open: { url: address, count: READERS, messages: [[subscribe('key_blocks')]] } });
  const topics = subscribe('transactions', 'key_blocks');
  const beside = clients();
  const memory = { before: 0, peak: 0 };

  /** p99 of the readers while 6 MB pass by: enough for clients that never read to be closed. */
  async function round(): Promise<number> {
    const delays: number[] = [];
    for (let i = 0; i < 50; i++) {
      const { done } = await readers.expect(READERS);
      await log.announce([...transactions(height(), 120), keyBlockEvent(height())]);
      delays.push(...(await done).delays);
    }
    return percentile(delays, 0.99);
  }

  const situations = {
    'nobody else': () => Promise.resolve(),
    'one that reads': () => beside.do({ open: { url: address, count: 1, messages: [[topics]] } }),
    'one that never reads': () => beside.do({ deaf: { url: address, count: 1, message: topics } }),
    [`${DEAF} that read`]: () => beside.do({ open: { url: address, count: DEAF, messages: [[topics]] } }),
    [`${DEAF} that never read`]: async () => {
      memory.before = memoryOf(server()).now;
      await beside.do({ deaf: { url: address, count: DEAF, message: topics } });
    },
  };
  const p99s = new Map<string, number[]>(Object.keys(situations).map((what) => [what, []]));
  await round();
  let left = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [what, begin] of Object.entries(situations)) {
      await begin();
      p99s.get(what)!.push(await round());
      if (what.includes('never')) left += (await metric('mdw_websocket_connections')) - READERS;
      memory.peak = Math.max(memory.peak, memoryOf(server()).peak);
      await beside.do({ close: true });
      await connections(READERS);
    }
  }
  await round();
  const after = memoryOf(server()).now;
  await beside.do({ close: true });
  await readers.close();
  const p99 = [...p99s].map(([what, all]) => [what, median(all)] as const);
  const of = (what: string): number => median(p99s.get(what)!);
  return [
    {
      what: `p99 of ${READERS} readers, median of ${TURNS} turns, beside ${p99.map(([what]) => what).join(', ')}`,
      measured: p99.map(([, value]) => ms(value)).join(', '),
      goal: 'who does not read costs others no more than who does (here: max a tenth)',
      met:
        of('one that never reads') <= of('one that reads') * 1.1 &&
        of(`${DEAF} that never read`) <= of(`${DEAF} that read`) * 1.1,
    },
    {
      what: `those that never read and were still connected after 6 MB (bound ${BACKLOG / 2 ** 20} MiB, and what the kernel takes)`,
      measured: `${left} of ${TURNS * (DEAF + 1)}`,
      goal: 'none',
      met: left === 0,
    },
    {
      what: `memory before ${DEAF} that never read, max, after they were closed`,
      measured: `${memory.before.toFixed(0)}, ${memory.peak.toFixed(0)}, ${after.toFixed(0)} MiB`,
      goal: 'returns',
    },
  ];
}

/** 5,000 connections that get no event, on a fresh process. */
export async function idle(bench: Bench): Promise<Row[]> {
  await bench.restart();
  const before = memoryOf(bench.server()).now;
  const many = bench.clients();
  await many.do({ open: { url: bench.address, count: 5_000, messages: [[subscribe('key_blocks')]] } });
  await bench.connections(5_000);
  // Long enough for every connection to be pinged.
  await pause(25_000);
  const { now, peak } = memoryOf(bench.server());
  await many.close();
  return [
    {
      what: 'memory of the server with 5,000 idle connections (max; without any)',
      measured: `${now.toFixed(0)} MiB (${peak.toFixed(0)}; ${before.toFixed(0)})`,
      goal: 'max 400 MiB',
      met: peak <= 400,
    },
  ];
}
