/**
 * Push of events: fan-out, matching, clients that do not read, memory; beside a server of nothing but the library.
 * Names of measurements as arguments: only those, and bench/README.md stays as it is.
 */
import { availableParallelism } from 'node:os';
import { startBench } from './event-bench.js';
import * as measures from './event-measures.js';
import { writeSection } from './readme.js';

const { oneBlock, fanOut, targets, deafClients, idle } = measures;
const all = { oneBlock, fanOut, targets, deafClients, idle };
const only = process.argv.slice(2);

const bench = await startBench();
try {
  const lines: string[] = [];
  for (const [name, measure] of Object.entries(all)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const { what, measured, goal, met } of await measure(bench)) {
      const verdict = met === undefined ? goal : `${goal}: ${met ? 'met' : '**missed**'}`;
      console.log(`${what}: ${measured} (${verdict})`);
      lines.push(`| ${what} | ${measured} | ${verdict} |`);
    }
  }
  if (only.length === 0) {
    writeSection('events', [
      '## Events (`make bench-events`)',
      '',
      `One server process (\`mdw -s\`), its clients and PostgreSQL on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Events are written to the log of the database, as the populator does.`,
      '',
      '| What | measured | goal |',
      '|---|---|---|',
      ...lines,
    ]);
  }
} finally {
  await bench.close();
}
