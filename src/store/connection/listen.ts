import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../runtime/backoff.js';
import type { Logger } from '../../observe/logger.js';
import { COMMIT_NUMBER, publishedNumber } from './commit-number.js';
import type { Database } from './database.js';

export interface Listener {
  /** Whether notifications arrive at the moment; while they do not, the caller must poll. */
  listening(): boolean;
  close(): Promise<void>;
}

const MAX_PAUSE_MS = 5_000;

/**
 * Calls `onWake` with the commit number after each commit of the writer. It uses a connection of its own, and opens a new one whenever
 * it is lost. `onWake` is also called after each connection, because earlier notifications were missed. A standby does not support
 * LISTEN, so there `listening` stays false.
 */
export function listen(options: {
  database: Database;
  logger: Logger;
  onWake: (commitNumber: bigint | undefined) => void;
}): Listener {
  const { database, logger, onWake } = options;
  const end = new AbortController();
  const ended = once(end.signal, 'abort');
  let listening = false;

  async function listenOnce(): Promise<void> {
    const client = await database.connect();
    try {
      const lost = new Promise<void>((resolve) => client.once('end', resolve));
      client.on('notification', ({ payload }) => onWake(publishedNumber(payload)));
      await client.query(`LISTEN "mdw_${database.schema}"`);
      const { rows } = await client.query<{ commit_number: string }>(`SELECT ${COMMIT_NUMBER}`);
      listening = true;
      onWake(publishedNumber(rows[0]?.commit_number));
      await Promise.race([lost, ended]);
    } finally {
      listening = false;
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !end.signal.aborted; failures++) {
      try {
        await listenOnce();
        failures = 0;
      } catch (error) {
        logger.debug({ err: error }, 'Cannot listen for changes of the database');
      }
      const wait = backoffMs(failures, 100, MAX_PAUSE_MS);
      await pause(wait, undefined, { signal: end.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    listening: () => listening,
    async close() {
      end.abort();
      await running;
    },
  };
}
