import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';

/** What a process holds at one moment. */
export interface Held {
  pid: number;
  residentMb: number;
  files: number;
}

/** `mdw` that is started again whenever it ends, as an orchestrator does. */
export interface Program {
  name: string;
  /** Ends the process, and resolves when it is gone; another one takes its place, from now on with `more` variables. */
  end(signal: NodeJS.Signals, more?: Record<string, string>): Promise<void>;
  /** Without waiting: SIGSTOP and SIGCONT. */
  signal(signal: NodeJS.Signals): void;
  /** Undefined while there is no process. */
  held(): Held | undefined;
  /** Ends that nobody asked for, and those by SIGTERM that were not orderly. */
  faults: string[];
  /** Ends by force, after the time that a process gives itself: on a busy machine, or while the database is slow. */
  forced(): number;
  close(): Promise<void>;
}

/** Time in which a process that is asked to end has to, ms: an export under way has no more than this here. */
const ENDS_WITHIN = 30_000;

/** Status of a process that ends by force; its log says so. */
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
      // Before it has a handler, a signal ends it with no status.
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
      const gone = await Promise.race([ending?.ended, pause(ENDS_WITHIN, 'late' as const, { ref: false })]);
      if (gone !== 'late') return;
      faults.push(`${name} did not end within ${ENDS_WITHIN} ms of ${signal}`);
      send('SIGKILL');
    },
    signal: (signal) => void running?.process.kill(signal),
    held() {
      const pid = running?.process.pid;
      return pid === undefined ? undefined : heldBy(pid);
    },
    async close() {
      closing = true;
      send('SIGKILL');
      await loop;
    },
  };
}

const PAGE_KB = 4;

function heldBy(pid: number): Held | undefined {
  try {
    const [, resident] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return {
      pid,
      residentMb: Math.round((Number(resident) * PAGE_KB) / 1024),
      files: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    // It has just ended.
    return undefined;
  }
}
