import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../runtime/backoff.js';
import type { Logger } from '../../observe/logger.js';
import { COMMIT_NUMBER, publishedNumber } from './commit-number.js';
import type { Database } from './database.js';

export interface Listener {
  /** Whether the database wakes us at the moment; when it does not, one has to look oneself. */
  listening(): boolean;
  close(): Promise<void>;
}

const MAX_PAUSE_MS = 5_000;

/**
 * Calls `onWake` with the number of the commit when the writer committed, on a connection of its own that is renewed for as
 * long as it takes. Also called after each connection, since what was committed before it was not heard. A standby has no
 * LISTEN: then it never listens.
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
      const gone = new Promise<void>((resolve) => client.once('end', resolve));
      client.on('notification', ({ payload }) => onWake(publishedNumber(payload)));
      await client.query(`LISTEN "mdw_${database.schema}"`);
      const { rows } = await client.query<{ commit_number: string }>(`SELECT ${COMMIT_NUMBER}`);
      listening = true;
      onWake(publishedNumber(rows[0]?.commit_number));
      await Promise.race([gone, ended]);
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
