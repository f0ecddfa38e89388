import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs `mdw` as built here or in another folder; what it prints is shown only when it fails. */
export function mdw(args: string[], env: Record<string, string>, folder = '.'): ChildProcess {
  const child = spawn(process.execPath, [`${folder}/bin/mdw.js`, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-4000)));
  }
  child.on('exit', (code, signal) => {
    if (code !== 0 && signal === null) console.error(`mdw ${args.join(' ')} ended with ${code}:\n${tail}`);
  });
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Waits for an HTTP address to answer with 200. */
export async function answering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${url}: the process ended`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await pause(100);
  }
}

/** Largest and present resident memory of a process, MiB. */
export function memoryOf(child: { pid?: number | undefined }): { peak: number; now: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mib = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { peak: mib('VmHWM'), now: mib('VmRSS') };
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Value of a metric without labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Processor time of a process so far, seconds. */
export function cpuOf(child: { pid?: number | undefined }): number {
  return cpuIn(statOf(child.pid!));
}

/** Processor time so far of PostgreSQL and all its sessions, seconds. */
export function cpuOfPostgres(folder: string): number {
  const server = readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n')[0]!;
  const own = statOf(server);
  // With that of the sessions that ended.
  let sum = cpuIn(own) + (Number(own[13]) + Number(own[14])) / 100;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = statOf(pid);
      if (stat[1] === server) sum += cpuIn(stat);
    } catch {
      // Ended meanwhile.
    }
  }
  return sum;
}

/** Fields from the state of the process on (`man 5 proc`, the third field is the first). */
const statOf = (pid: number | string): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');

/** Ticks of 10 ms in user and in kernel mode. */
const cpuIn = (stat: string[]): number => (Number(stat[11]) + Number(stat[12])) / 100;
