import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../runtime/backoff.js';
import type { Logger } from '../../observe/logger.js';
import { COMMIT_NUMBER, publishedNumber } from './commit-number.js';
import type { Database } from './database.js';
import { waitOrAbort } from '../../runtime/repeat.js';

export interface Listener {
  /** Whether notifications arrive at the moment; while they do not, the caller must poll. */
  listening(): boolean;
  close(): Promise<void>;
}

const MAX_PAUSE_MS = 5_000;
/** Time between two statements on the connection, ms: without them nobody would notice that it is silent. */
const HEARTBEAT_MS = 5_000;

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
  let listening = false;

  async function listenOnce(): Promise<void> {
    const client = await database.connect();
    try {
      const lost = new Promise<true>((resolve) => client.once('end', () => resolve(true)));
      let known: bigint | undefined;
      const wake = (number: bigint | undefined): void => {
        known = number;
        onWake(number);
      };
      const readNumber = async (): Promise<bigint | undefined> => {
        const { rows } = await client.query<{ commit_number: string }>(`SELECT ${COMMIT_NUMBER}`);
        return publishedNumber(rows[0]?.commit_number);
      };
      client.on('notification', ({ payload }) => wake(publishedNumber(payload)));
      await client.query(`LISTEN "mdw_${database.schema}"`);
      wake(await readNumber());
      listening = true;
      while (!end.signal.aborted) {
        const rest = pause(HEARTBEAT_MS, false, { signal: end.signal, ref: false }).catch(() => true);
        if (await Promise.race([lost, rest])) return;
        const number = await readNumber();
        if (number !== known) wake(number);
      }
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
      await waitOrAbort(wait, end.signal);
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
