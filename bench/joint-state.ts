import { readdirSync, readFileSync } from 'node:fs';

/** Shares of the time in which a process, and the sessions of its database, had something to do. */
export interface JointState {
  both: number;
  /** The process alone. */
  process: number;
  /** PostgreSQL alone. */
  postgres: number;
  neither: number;
}

const SAMPLE_MS = 5;
/** Samples after which new sessions are looked for. */
const SESSIONS_EVERY = 100;

/**
 * Watches whether the main thread of a process, and the sessions of a database in the PostgreSQL of `folder`, run or wait for a processor. Call
 * the returned function at the end. Beside other work, what waits for a processor counts as busy, too.
 */
export function watchJointState(pid: number, folder: string, database: string): () => JointState {
  const counts = { both: 0, process: 0, postgres: 0, neither: 0 };
  let sessions: number[] = [];
  let samples = 0;
  const timer = setInterval(() => {
    if (samples % SESSIONS_EVERY === 0) sessions = sessionsOf(folder, database);
    samples += 1;
    const [one, other] = [isBusy(`${pid}/task/${pid}`), sessions.some((session) => isBusy(String(session)))];
    counts[one && other ? 'both' : one ? 'process' : other ? 'postgres' : 'neither'] += 1;
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    const share = (count: number): number => count / Math.max(1, samples);
    return {
      both: share(counts.both),
      process: share(counts.process),
      postgres: share(counts.postgres),
      neither: share(counts.neither),
    };
  };
}

function isBusy(task: string): boolean {
  return readOrEmpty(`/proc/${task}/stat`).split(') ')[1]?.startsWith('R') === true;
}

/** Processes of the sessions of a database. */
function sessionsOf(folder: string, database: string): number[] {
  const server = readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n')[0]!;
  return readdirSync('/proc')
    .filter(
      (pid) =>
        /^\d+$/.test(pid) &&
        readOrEmpty(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1] === server &&
        readOrEmpty(`/proc/${pid}/cmdline`).includes(` ${database} `),
    )
    .map(Number);
}

/** Processes may end meanwhile. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
