/**
 * Small requests that the simulated node answers on one core's worth of CPU: requests by processor time of its process, without that of the clients.
 * Writes its part of bench/README.md.
 *
 *   make bench-devnode
 */
import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { answering, cpuOf, end, mdw, median } from './processes.js';
import { writeSection } from './readme.js';

const SECONDS = Number(process.env.SECONDS ?? 5);
const ROUNDS = 3;
const CONNECTIONS = 32;
const GOAL = 10_000;
const FUNDED = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

const children: ChildProcess[] = [];

async function node(args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const places = ['--external', `127.0.0.1:${port}`, '--internal', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const child = mdw(['devnode', ...places, ...args], {});
  children.push(child);
  await answering(`http://127.0.0.1:${port}/v2/status`, child);
  return { child, port };
}

async function bare(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork('bench/bare-node.mjs');
  children.push(child);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

/** Requests by second of the process's CPU time. */
async function fire(
  { child, port }: { child: ChildProcess; port: number },
  paths: string[],
  seconds = SECONDS,
): Promise<number> {
  const before = cpuOf(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    pipelining: 1,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${paths[0]}: ${result.non2xx} refused, ${result.errors} broken`);
  return result.requests.total / (cpuOf(child) - before);
}

const read = async (port: number, path: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Record<string, unknown>;

try {
  const generated = await node(['--transactions', '20000']);
  const live = await node([
    '--live',
    '--fund',
    `${FUNDED}=1000`,
    '--beneficiary',
    FUNDED,
    '--autostart',
    '--edge-bits',
    '0',
    '--key-block-ms',
    '200',
  ]);
  const alone = await bare();
  const { height } = (await read(generated.port, '/v2/key-blocks/current/height')) as { height: number };
  const heights = Array.from({ length: 50 }, (_, i) => Math.floor((i * height) / 50));
  const { micro_blocks: micros } = (await read(generated.port, `/v2/generations/height/${height - 1}`)) as {
    micro_blocks: string[];
  };
  const { transactions } = (await read(generated.port, `/v2/micro-blocks/hash/${micros[0]!}/transactions`)) as {
    transactions: { hash: string }[];
  };
  const rows: [string, typeof generated, string[]][] = [
    ['generated: key block by height', generated, heights.map((at) => `/v2/key-blocks/height/${at}`)],
    ['generated: height of the head', generated, ['/v2/key-blocks/current/height']],
    ['generated: transaction by hash', generated, transactions.map(({ hash }) => `/v2/transactions/${hash}`)],
    ['generated: header of a micro block', generated, micros.map((hash) => `/v2/micro-blocks/hash/${hash}/header`)],
    ['live: height of the head', live, ['/v2/key-blocks/current/height']],
    ['live: current key block', live, ['/v2/key-blocks/current']],
    ['live: account', live, [`/v3/accounts/${FUNDED}`]],
    ['live: status', live, ['/v3/status']],
    ['node:http alone', alone, ['/']],
  ];
  const table: string[] = [];
  for (const [what, target, paths] of rows) {
    await fire(target, paths, 2);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rates.push(await fire(target, paths));
    const rate = median(rates);
    const verdict = target === alone ? '' : `${GOAL} ${rate >= GOAL ? 'met' : '**missed**'}`;
    const line = `| ${what} | ${Math.round(rate)} | ${verdict} |`;
    console.log(line);
    table.push(line);
  }
  writeSection('devnode', [
    '## The simulated node (`make bench-devnode`)',
    '',
    `Requests by second of the CPU time of the node's process, that is on one core's worth of CPU, ${CONNECTIONS} connections; node and clients (autocannon) on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the median of ${ROUNDS} rounds of ${SECONDS} s. The live node makes a key block every 200 ms meanwhile.`,
    '',
    '| What | requests per CPU second | goal |',
    '|---|---|---|',
    ...table,
  ]);
} finally {
  await Promise.all(children.map(end));
}
