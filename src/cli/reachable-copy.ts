import type { Config } from '../config.js';
import type { Logger } from '../observe/logger.js';
import { createStartup } from '../observe/startup.js';
import { createLifecycle } from '../runtime/lifecycle.js';
import type { Database } from '../store/connection/database.js';
import { commandLogger, openCopy } from './copy.js';

interface ReachableCopy {
  database: Database;
  logger: Logger;
  signal: AbortSignal;
  /** Repeats an attempt until database and node can be reached. */
  reached: <T>(attempt: () => Promise<T>) => Promise<T>;
}

/** Does the work of a command on the copy of the settings, which may have to be waited for. Probes see what it waits for. */
export async function onReachableCopy(
  config: Config,
  { wait }: { wait: boolean },
  work: (copy: ReachableCopy) => Promise<void>,
): Promise<void> {
  const [{ serveProgress }, { sayWaiting, untilReached }] = await Promise.all([
    import('../observe/progress-server.js'),
    import('./waiting.js'),
  ]);
  const logger = commandLogger(config);
  const database = await openCopy(config, logger);
  const { signal } = createLifecycle({ logger });
  const startup = createStartup();
  const progress = config.progressAddress && (await serveProgress(config.progressAddress, startup));
  const options = { wait, databaseUrl: config.databaseUrl, startup, signal, logger, onWaiting: sayWaiting };
  try {
    await work({ database, logger, signal, reached: (attempt) => untilReached(attempt, options) });
  } finally {
    progress?.close();
    // After a signal, an attempt to connect may still be under way. The end of the process must not wait for it.
    if (!signal.aborted) await database.close();
  }
}
