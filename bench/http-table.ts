/** Rounds of `bench/http.ts`, and the lines of its tables. */
import { figuresOf, measure, medianRound } from './figures.js';
import type { Figures } from './figures.js';
import type { Baselines, Target } from './http-baselines.js';
import type { Baseline, Row } from './http-rows.js';
import type { LoadMaker } from './load-maker.js';
import { median } from './processes.js';

/** A request whose answer is read from the database costs PostgreSQL more, µs: what costs less came from memory. */
const LEAST_POSTGRES = 3;

export interface Rounds {
  /** After one for warming up. */
  count: number;
  seconds: number;
  connections: readonly number[];
}

interface Servers {
  now: Target;
  before: Target | undefined;
  baselines: Baselines;
  /** Folder of the PostgreSQL. */
  folder: string;
}

interface Fired {
  name: string;
  target: Target;
  rounds: Figures[];
}

export const header = (before: boolean): string[] => [
  `| What | connections | requests/s, p50, p99 ms | CPU µs | idle | ${before ? 'commit before | CPU µs | to it | ' : ''}beside | requests/s, p50, p99 ms | CPU µs | idle | ratio | goal |`,
  `|---|---|---|---|---|${before ? '---|---|---|' : ''}---|---|---|---|---|---|`,
];

/** Measures the rows in turns: each round of the service has one of each baseline beside it. */
export async function measureRows(
  rows: readonly Row[],
  { now, before, baselines, folder }: Servers,
  maker: LoadMaker,
  { count, seconds, connections }: Rounds,
): Promise<string[]> {
  const lines: string[] = [];
  const fire = (name: string, target: Target, at: number, length: number): Promise<Figures> =>
    measure(
      () => [target.process.pid!],
      folder,
      () => maker.fire(name, target.port, at, length * 1000),
    );
  for (const row of rows) {
    const besides = (Object.keys(row.beside) as Baseline[]).flatMap((name) => {
      const target = name === 'page 1' ? now : baselines.get(name);
      return target === undefined ? [] : [{ name, target }];
    });
    const all = [
      { name: 'now', target: now },
      ...(before === undefined ? [] : [{ name: 'before', target: before }]),
      ...besides,
    ];
    for (const { name } of all) {
      maker.prepare(name, name === 'now' || name === 'before' ? row.paths : (row.besidePaths ?? row.paths));
    }
    for (const [at, open] of connections.entries()) {
      const fired: Fired[] = all.map((one) => ({ ...one, rounds: [] }));
      for (const { name, target } of fired) await fire(name, target, open, 1);
      for (let round = 0; round < count; round += 1) {
        // In turns from both ends, so that none is always after the same one.
        const order = round % 2 === 0 ? fired : [...fired].reverse();
        for (const { name, target, rounds } of order) rounds.push(await fire(name, target, open, seconds));
      }
      for (const line of linesOf(row, at, open, fired)) {
        lines.push(line);
        console.log(line);
      }
    }
  }
  return lines;
}

/** The lines of a row at a number of connections: one for each baseline. */
function linesOf(row: Row, at: number, connections: number, fired: readonly Fired[]): string[] {
  const [mine, ...others] = fired as [Fired, ...Fired[]];
  const before = others[0]?.name === 'before' ? others.shift() : undefined;
  const own = medianRound(mine.rounds);
  const fromMemory = row.beside.memory === undefined && row.beside.proxy === undefined && own.postgres < LEAST_POSTGRES;
  return others.map(({ name, rounds }) => {
    const other = medianRound(rounds);
    const ratio = ratioOf(mine.rounds, rounds);
    const goal = row.beside[name as Baseline]?.[at];
    const isLate = row.p99 === true && name === 'pg' && at > 0 && own.p99 > other.p99;
    const verdict = fromMemory
      ? 'from memory: not counted'
      : [
          goal === undefined ? '' : `${goal} ${ratio >= goal ? 'met' : '**missed**'}`,
          isLate ? `p99 of ${name} **missed**` : '',
        ]
          .filter(Boolean)
          .join('; ');
    const cells = [
      row.what,
      connections,
      ...cellsOf(own),
      ...(before === undefined
        ? []
        : [...figuresOf(medianRound(before.rounds)), ratioOf(mine.rounds, before.rounds).toFixed(2)]),
      name,
      ...cellsOf(other),
      ratio.toFixed(2),
      verdict,
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

/** Median of the ratios of rounds beside one another. */
const ratioOf = (mine: readonly Figures[], others: readonly Figures[]): number =>
  median(mine.map(({ rate }, i) => rate / others[i]!.rate));

const cellsOf = (figures: Figures): string[] => [...figuresOf(figures), `${Math.round(figures.idle * 100)} %`];
