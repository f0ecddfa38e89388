/** What is known of a connection that waits for an answer, and when that means that it is silent. Pure. */

export interface Pace {
  tickMs: number;
  /** Ticks without a byte after which the server is asked about a connection. */
  silentTicks: number;
  /** Max time to open a connection and ask, ms. Less than a connection may take to open, which then fails like a refused one. */
  askMs: number;
  /** Attempts in a row to ask, without an answer in time, after which a connection counts as silent. */
  attempts: number;
  /** The same for attempts that are refused. */
  refusals: number;
}

/**
 * That new connections are impossible says little of an open one: the server may be full, its name not be found, or its Service have no
 * ready pod while it creates an index. So usually that ends no statement soon, and a refusal never does: the probes of the system end a
 * connection whose other side is gone.
 */
export const USUAL: Pace = { tickMs: 1_000, silentTicks: 5, askMs: 4_000, attempts: 24, refusals: Infinity };
export const HURRIED: Pace = { tickMs: 500, silentTicks: 2, askMs: 1_000, attempts: 1, refusals: 3 };
/** Answers in a row that a session waits for its client, while the client waits for the session. The first may be late. */
const IDLE_ANSWERS = 2;

const FRESH = { ticks: 0, idleAnswers: 0, askAt: 0, unanswered: 0, refused: 0 };

/** What is known of a connection that waits for an answer. */
export interface Wait {
  traffic: number;
  /** Ticks since the last byte, or since the server said that the statement is being executed. */
  ticks: number;
  idleAnswers: number;
  /** The number of ticks with which it is asked about again. */
  askAt: number;
  /** Attempts to ask about it without an answer, since the last answer. */
  unanswered: number;
  refused: number;
}

/** What a session does. `unknown`: it is one of another user, so this one may not see it, or of another standby. */
export type Doing = 'works' | 'waits' | 'gone' | 'unknown';

/** After a tick. It waits without a byte since the tick before, unless its traffic has grown. */
export function waitAfterTick(wait: Wait | undefined, traffic: number): Wait {
  if (wait?.traffic !== traffic) return { traffic, ...FRESH };
  wait.ticks++;
  return wait;
}

export const isSilent = (wait: Wait | undefined, pace: Pace): boolean => (wait?.ticks ?? 0) >= pace.silentTicks;

/** Whether the server is to be asked about it. */
export const isDue = (wait: Wait | undefined, pace: Pace): boolean =>
  wait !== undefined && wait.ticks >= Math.max(pace.silentTicks, wait.askAt);

/** After an answer of the server about its session. Returns why the connection is silent; undefined if it is not, or not yet. */
export function judge(wait: Wait, doing: Doing): string | undefined {
  Object.assign(wait, { unanswered: 0, refused: 0 });
  if (doing === 'gone') return 'its session has ended';
  if (doing !== 'waits') Object.assign(wait, FRESH);
  else if (++wait.idleAnswers >= IDLE_ANSWERS) return 'its session waits for the next statement';
  return undefined;
}

/** After an attempt to ask that was refused, or not answered in time. Returns why the connection is silent, as `judge`. */
export function afterAttempt(wait: Wait, isRefused: boolean, pace: Pace): string | undefined {
  if (!isSilent(wait, pace)) return undefined;
  if (isRefused) wait.refused++;
  else wait.unanswered++;
  wait.askAt = wait.ticks + (isRefused ? pace.silentTicks : 0);
  const isOver = wait.unanswered >= pace.attempts || wait.refused >= pace.refusals;
  return isOver ? 'new connections get no answer either' : undefined;
}
