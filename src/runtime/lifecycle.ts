import type { Logger } from '../observe/logger.js';

export interface Lifecycle {
  /** Aborts on SIGTERM, SIGINT or `stop`: long work ends soon after. */
  readonly signal: AbortSignal;
  /** Registers what must be closed at the end; the last registered is closed first. */
  onClose(name: string, close: () => unknown): void;
  /** Starts the end from within. */
  stop(reason: string): void;
  /** Closes everything in order. A part that fails to close is logged and does not keep the others open. */
  close(): Promise<void>;
}

interface LifecycleOptions {
  logger: Logger;
  /** Time from the signal until the process ends by force, in ms; read again when it has passed, as it may have grown. */
  deadlineMs?: () => number;
  exit?: (status: number) => void;
  /** Where signals and unhandled rejections arrive. */
  source?: NodeJS.EventEmitter;
}

/** Reason of an end without a signal or a fault. */
const DONE = 'done';
const SIGNALS = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * The end of a process: the first signal drains it within the deadline, a second one ends it at once with 128 + the
 * signal's number. A rejected promise that nobody awaited ends it with 1.
 */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { logger, deadlineMs = () => 15_000, exit = (status) => process.exit(status), source = process } = options;
  const controller = new AbortController();
  const parts: { name: string; close: () => unknown }[] = [];
  let deadline: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    // Work that came to its end says so itself.
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
        'Stopped by force: the deadline passed',
      );
      exit(1);
    };
    check();
    controller.abort();
  };

  const onSignal = (name: keyof typeof SIGNALS) => {
    if (controller.signal.aborted) exit(SIGNALS[name]);
    else stop(name);
  };
  const onFault = (error: unknown) => {
    logger.fatal({ err: error }, 'Ended by a fault that nobody handled');
    exit(1);
  };
  const listeners: [string, (argument: never) => void][] = [
    ['SIGTERM', onSignal],
    ['SIGINT', onSignal],
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
