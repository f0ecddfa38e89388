import { readFileSync } from 'node:fs';
import type { LoadFigures } from './load-maker.js';
import { cpuOf, cpuOfPostgres } from './processes.js';

/** What a round of requests showed. */
export interface Figures extends Omit<LoadFigures, 'count'> {
  /** µs of the processor a request, of the processes that answer and of PostgreSQL. */
  server: number;
  postgres: number;
  /** Share of the processors of the machine that nobody used. */
  idle: number;
}

/** Of `fire`, while the processes of `pids` answer from the PostgreSQL of `folder`. */
export async function measure(
  pids: () => number[],
  folder: string,
  fire: () => Promise<LoadFigures>,
): Promise<Figures> {
  const used = (): number => pids().reduce((sum, pid) => sum + cpuOf({ pid }), 0);
  const [server, postgres, machine] = [used(), cpuOfPostgres(folder), machineTime()];
  const { count, ...answered } = await fire();
  const each = (before: number, now: number): number => ((now - before) * 1e6) / count;
  const [idle, all] = machineTime().map((time, i) => time - machine[i]!) as [number, number];
  return {
    ...answered,
    server: each(server, used()),
    postgres: each(postgres, cpuOfPostgres(folder)),
    idle: idle / all,
  };
}

/** Ticks in which the processors were idle, and all. */
function machineTime(): [idle: number, all: number] {
  const times = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
  return [times[3]! + times[4]!, times.reduce((sum, time) => sum + time, 0)];
}

/** The round of the median rate. */
export function medianRound(rounds: readonly Figures[]): Figures {
  return [...rounds].sort((a, b) => a.rate - b.rate)[Math.floor(rounds.length / 2)]!;
}

/** Cells of a table: requests/s with p50 and p99, and µs of the processor a request. */
export function figuresOf({ rate, p50, p99, server, postgres }: Figures): string[] {
  return [
    `${Math.round(rate)}, ${p50.toFixed(1)}, ${p99.toFixed(1)}`,
    `${Math.round(server)} + ${Math.round(postgres)}`,
  ];
}
