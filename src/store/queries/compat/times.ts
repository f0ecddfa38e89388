/** Times of heights that have no block yet. */
import { factsOf, INTERVAL_MS } from '../../../chain/networks.js';
import type { Queryable } from '../../connection/database.js';
import { recordedNetwork } from '../network.js';

/** Time from a key block to the next one that is expected, ms. That of the main network where none is known, or where it is no time at all. */
export async function expectedBlockMs(db: Queryable): Promise<number> {
  const { row } = await recordedNetwork(db);
  const blockMs = row === null ? undefined : factsOf(row).blockMs;
  return blockMs === undefined || blockMs === 0 ? INTERVAL_MS : blockMs;
}

/** FROM item: height and time of the newest key block. */
export const HEAD = '(SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top';

/** SQL expression: time of a height, ms; for one above the head of `HEAD` when it is expected. `blockMs`: the parameter with the time between key blocks. */
export const approximateTime = (height: string, blockMs: string): string => `
  COALESCE(
    (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = ${height}),
    top.time + (${height} - top.height) * ${blockMs}::bigint
  )`;
