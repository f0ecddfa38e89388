import { setTimeout as pause } from 'node:timers/promises';
import { isNodeFault } from '../node/faults.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { STARTING } from '../observe/startup.js';
import type { Pending, Startup } from '../observe/startup.js';

interface WaitOptions {
  /** Otherwise the first fault ends the process. */
  wait: boolean;
  /** Says where the database is. */
  databaseUrl: string;
  startup: Startup;
  signal: AbortSignal;
  logger: Logger;
  /** Called once, when waiting begins. */
  onWaiting?: (reason: string) => void;
}

const FIRST_PAUSE_MS = 250;
/** From one attempt to the next: also the time until it is noticed that a database or node is back. */
const MAX_PAUSE_MS = 2_000;
/** Between two log lines that say the same. */
const LOG_EVERY_MS = 30_000;

/**
 * Tries until database and node are there. A fault that somebody must correct, and a signal, end it; an attempt under way
 * is then abandoned, so the end of the process must do it no harm. After a signal the fault that was waited out is thrown.
 */
export async function untilReached<T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { wait, databaseUrl, startup, signal, logger, onWaiting } = options;
  const interrupted = new MiddlewareError('interrupted', 'Interrupted before the work began');
  let fault: unknown = interrupted;
  let logged = '';
  let loggedAt = -Infinity;
  for (let failures = 0; ; failures++) {
    const began = performance.now();
    try {
      const result = await unlessAborted(attempt(), signal);
      if (failures > 0) logger.info('Reached what was waited for');
      startup.set(STARTING);
      return result;
    } catch (error) {
      if (signal.aborted) throw fault;
      if (!wait || !passes(error)) throw error;
      fault = error;
    }
    const pending = pendingOf(fault as MiddlewareError, databaseUrl);
    startup.set(pending);
    if (pending.reason !== logged || performance.now() - loggedAt >= LOG_EVERY_MS) {
      logger.warn({ code: pending.code, reason: pending.reason }, 'Waiting');
      logged = pending.reason;
      loggedAt = performance.now();
    }
    if (failures === 0) onWaiting?.(pending.reason);
    const rest = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) - (performance.now() - began);
    await pause(Math.max(rest, FIRST_PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Outages of the database or the node. Locks are no outage: who waits for a lock makes the readers behind it wait as well,
 * so that is not tried again and again.
 */
const passes = (error: unknown): error is MiddlewareError =>
  error instanceof MiddlewareError && error.row.outage === true;

function pendingOf(error: MiddlewareError, databaseUrl: string): Pending {
  const { code } = error;
  const [message = ''] = error.message.split('\n');
  if (isNodeFault(error)) return { reason: `waiting for the ${message}`, code, node_state: code };
  return { reason: `waiting for the database ${hostOf(databaseUrl)}: ${message.replace(/^database: /, '')}`, code };
}

/** Without user, password and parameters. */
export function hostOf(databaseUrl: string): string {
  const { host, searchParams } = new URL(databaseUrl);
  return host === '' ? (searchParams.get('host') ?? '') : host;
}

/** For a person who started the process by hand. */
export const sayWaiting = (reason: string): void => void process.stderr.write(`mdw: ${reason}\n`);

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const end = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { signal: end.signal });
  });
  return Promise.race([work, aborted]).finally(() => end.abort());
}
