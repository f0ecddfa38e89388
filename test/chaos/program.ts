import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';

/** Memory and open files of a process. */
export interface Usage {
  pid: number;
  residentMb: number;
  files: number;
}

/** An `mdw` that is restarted whenever it ends, as an orchestrator does. */
export interface Program {
  name: string;
  /** Ends the process and resolves when it has ended. The next process starts with the variables `more`. */
  end(signal: NodeJS.Signals, more?: Record<string, string>): Promise<void>;
  /** Sends SIGSTOP or SIGCONT without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Undefined while no process runs. */
  usage(): Usage | undefined;
  /** Unexpected ends, and ends after SIGTERM with a wrong status. */
  faults: string[];
  /** Number of processes that ended by force because their shutdown deadline passed: on a busy machine, or while the database is slow. */
  forced(): number;
  close(): Promise<void>;
}

/** Max time for a process to end after a signal, ms. It includes the drain time of exports. */
const END_MS = 30_000;

/** Status of a process that ends by force, which it logs. */
const FORCED = 1;

export function startProgram(name: string, args: string[], env: Record<string, string>): Program {
  const faults: string[] = [];
  let running: RunningMdw | undefined;
  let more: Record<string, string> = {};
  let asked: NodeJS.Signals | undefined;
  let closing = false;
  let forced = 0;
  const loop = (async () => {
    while (!closing) {
      asked = undefined;
      running = startMdw(args, { ...env, ...more });
      const { status, stdout, stderr } = await running.ended;
      running = undefined;
      if (asked === 'SIGTERM' && status === FORCED) {
        forced += 1;
        continue;
      }
      // A signal that arrives before the handler is set ends the process without a status.
      if (asked === undefined || (asked === 'SIGTERM' && status !== 0 && status !== null)) {
        faults.push(`${name} ended with status ${status} on ${asked}: ${(stdout + stderr).slice(-500)}`);
      }
      await pause(200);
    }
  })();
  const send = (signal: NodeJS.Signals): void => {
    asked = signal;
    running?.process.kill(signal);
  };
  return {
    name,
    faults,
    forced: () => forced,
    async end(signal, next = {}) {
      more = next;
      const ending = running;
      send(signal);
      const gone = await Promise.race([ending?.ended, pause(END_MS, 'late' as const, { ref: false })]);
      if (gone !== 'late') return;
      faults.push(`${name} did not end within ${END_MS} ms of ${signal}`);
      send('SIGKILL');
    },
    signal: (signal) => void running?.process.kill(signal),
    usage() {
      const pid = running?.process.pid;
      return pid === undefined ? undefined : usageOf(pid);
    },
    async close() {
      closing = true;
      send('SIGKILL');
      await loop;
    },
  };
}

const PAGE_KB = 4;

function usageOf(pid: number): Usage | undefined {
  try {
    const [, resident] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return {
      pid,
      residentMb: Math.round((Number(resident) * PAGE_KB) / 1024),
      files: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    // The process has just ended.
    return undefined;
  }
}
