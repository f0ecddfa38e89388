import { isNodeFault } from '../node/faults.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { print } from '../observe/print.js';
import { STARTING } from '../observe/startup.js';
import type { Pending, Startup } from '../observe/startup.js';
import { waitOrAbort } from '../runtime/repeat.js';

interface WaitOptions {
  /** If false, the first fault is thrown. */
  wait: boolean;
  /** For the host in the reason. */
  databaseUrl: string;
  startup: Startup;
  signal: AbortSignal;
  logger: Logger;
  /** Called once, when the waiting begins. */
  onWaiting?: (reason: string) => void;
}

const FIRST_PAUSE_MS = 250;
/** Max time between two attempts, ms. A database or node that is back is noticed after this time at the latest. */
const MAX_PAUSE_MS = 2_000;
/** Min time between two log lines with the same reason, ms. */
const LOG_EVERY_MS = 30_000;

/**
 * Repeats an attempt until database and node can be reached, and returns its result. Throws a fault that somebody must
 * correct, and after a signal the last fault. An attempt that a signal interrupts continues until the process ends, so it must
 * be safe to end the process in the middle of it.
 */
export async function untilReached<T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { wait, databaseUrl, startup, signal, logger, onWaiting } = options;
  const interrupted = new MiddlewareError('interrupted', 'Interrupted before the work began');
  let fault = interrupted;
  let logged = '';
  let loggedAt = -Infinity;
  for (let failures = 0; ; failures++) {
    const started = performance.now();
    try {
      const result = await unlessAborted(attempt(), signal);
      if (failures > 0) logger.info('Reached the database or node');
      startup.set(STARTING);
      return result;
    } catch (error) {
      if (signal.aborted) throw interruptedBy(fault);
      if (!wait || !isOutage(error)) throw error;
      fault = error;
    }
    const pending = pendingOf(fault, databaseUrl);
    startup.set(pending);
    if (pending.reason !== logged || performance.now() - loggedAt >= LOG_EVERY_MS) {
      logger.warn({ code: pending.code, reason: pending.reason }, 'Waiting');
      logged = pending.reason;
      loggedAt = performance.now();
    }
    if (failures === 0) onWaiting?.(pending.reason);
    const remaining = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) - (performance.now() - started);
    await waitOrAbort(Math.max(remaining, FIRST_PAUSE_MS), signal);
  }
}

/** The fault for whose end was waited, marked: the signal ended the process, not the fault. */
const interruptedBy = ({ code, message, details }: MiddlewareError): MiddlewareError =>
  new MiddlewareError(code, message, { details: { ...details, interrupted: true } });

/**
 * Whether the database or the node is away, which may end by itself. A lock is no outage: a statement that waits for a lock
 * also blocks the readers after it, so it must not be repeated.
 */
const isOutage = (error: unknown): error is MiddlewareError =>
  error instanceof MiddlewareError && error.row.outage === true;

function pendingOf(error: MiddlewareError, databaseUrl: string): Pending {
  const { code } = error;
  const [message = ''] = error.message.split('\n');
  if (isNodeFault(error)) return { reason: `waiting for the ${message}`, code, node_state: code };
  return { reason: `waiting for the database ${hostOf(databaseUrl)}: ${message.replace(/^database: /, '')}`, code };
}

/** The host of the database, without user, password and parameters. */
export function hostOf(databaseUrl: string): string {
  const { host, searchParams } = new URL(databaseUrl);
  return host === '' ? (searchParams.get('host') ?? '') : host;
}

/** Prints the reason to standard error, for a person who started the process by hand. */
export const sayWaiting = (reason: string): void => print('stderr', `mdw: ${reason}`);

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const end = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { signal: end.signal });
  });
  return Promise.race([work, aborted]).finally(() => end.abort());
}
