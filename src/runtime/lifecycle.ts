import { isatty } from 'node:tty';
import type { Logger } from '../observe/logger.js';

export interface Lifecycle {
  /** Aborts on SIGTERM, SIGINT, the end of the terminal or `stop`: long work must end soon after. */
  readonly signal: AbortSignal;
  /** Registers a part to close at the end. Parts are closed in reverse order. */
  onClose(name: string, close: () => unknown): void;
  /** Starts the shutdown without a signal. */
  stop(reason: string): void;
  /** Closes all parts in order. If one fails to close, that is logged and the others are still closed. */
  close(): Promise<void>;
}

interface LifecycleOptions {
  logger: Logger;
  /** Time from the signal until the process is ended by force, ms. It may grow meanwhile: it is read again when it has passed. */
  deadlineMs?: () => number;
  exit?: (status: number) => void;
  /** Emits signals and unhandled rejections; `process` by default. */
  source?: NodeJS.EventEmitter;
  /** Whether the process belongs to a terminal, so that SIGHUP means that it was closed. */
  hasTerminal?: boolean;
}

/** Reason of a shutdown without a signal or a fault. */
const DONE = 'done';
const SIGNALS = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;

/**
 * Shuts a process down. The first signal drains it within the deadline; a second one ends it at once with 128 + the signal's number. SIGHUP
 * is such a signal only if a terminal was closed. Without one it is often sent to make a service read its settings or open its log again:
 * that ends nothing. An unhandled rejection or exception ends it at once with 1.
 */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { logger, deadlineMs = () => 15_000, exit = (status) => process.exit(status), source = process } = options;
  const { hasTerminal = [0, 1, 2].some(isatty) } = options;
  const controller = new AbortController();
  const parts: { name: string; close: () => unknown }[] = [];
  let deadline: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    // Work that is done has logged that itself.
    logger[reason === DONE ? 'debug' : 'info']({ reason }, 'Stopping');
    const began = performance.now();
    const check = (): void => {
      const wholeMs = deadlineMs();
      const leftMs = wholeMs - (performance.now() - began);
      if (leftMs > 0) {
        deadline = setTimeout(check, leftMs).unref();
        return;
      }
      logger.error(
        { deadlineMs: wholeMs, open: parts.map(({ name }) => name) },
        'Stopped by force because the deadline passed',
      );
      exit(1);
    };
    check();
    controller.abort();
  };

  let hadSignal = false;
  const onSignal = (name: keyof typeof SIGNALS) => {
    // Not after `stop` alone: a terminal sends its signal to a worker too, which the first process may have asked to stop just before.
    if (hadSignal) exit(SIGNALS[name]);
    hadSignal = true;
    stop(name);
  };
  const onHangUp = () => {
    if (hasTerminal) onSignal('SIGHUP');
    else
      logger.info(
        'SIGHUP changes nothing: settings are read at the start, and a log file that was moved away is begun anew',
      );
  };
  const onFault = (error: unknown) => {
    logger.fatal({ err: error }, 'Ended by an unhandled fault');
    exit(1);
  };
  const listeners: [string, (argument: never) => void][] = [
    ['SIGTERM', onSignal],
    ['SIGINT', onSignal],
    ['SIGHUP', onHangUp],
    ['unhandledRejection', onFault],
    ['uncaughtException', onFault],
  ];
  for (const [event, listener] of listeners) source.on(event, listener as (argument: unknown) => void);

  const closeAll = async () => {
    while (parts.length > 0) {
      const part = parts.at(-1);
      try {
        await part?.close();
      } catch (error) {
        logger.warn({ err: error, part: part?.name }, 'Failed to close');
      }
      parts.pop();
    }
    clearTimeout(deadline);
    for (const [event, listener] of listeners) source.off(event, listener as (argument: unknown) => void);
  };

  return {
    signal: controller.signal,
    onClose: (name, close) => void parts.push({ name, close }),
    stop,
    close: () => {
      stop(DONE);
      return (closing ??= closeAll());
    },
  };
}
