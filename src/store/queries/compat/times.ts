/** Times of heights that have no block yet. */
import { INTERVAL_MS, KNOWN } from '../../../chain/networks.js';
import { measuredMs } from '../network.js';

/** SQL: the intended time between key blocks of networks `c` that are built in. */
const INTENDED = KNOWN.flatMap(({ id, work }) =>
  work?.intervalMs === undefined ? [] : [`WHEN '${id}' THEN ${work.intervalMs}`],
).join(' ');

/**
 * FROM item: height and time of the newest key block, and the time from there to the next one that is expected, ms: as `factsOf` tells it. It is that of
 * the main network where none is known, or where it is no time at all. The LIMIT computes it once for all rows.
 */
export const HEAD = `
  (
    SELECT newest.height, newest.time, COALESCE((
      SELECT COALESCE(CASE c.network_id ${INTENDED} END, NULLIF(GREATEST(${measuredMs('newest')}, 0), 0))
      FROM chain AS c WHERE c.network_id IS NOT NULL AND c.genesis_hash IS NOT NULL
    ), ${INTERVAL_MS}) AS block_ms
    FROM (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS newest
    LIMIT 1
  ) AS top`;

/** SQL expression: time of a height, ms; for one above the head of `HEAD` when it is expected. */
export const approximateTime = (height: string): string => `
  COALESCE(
    (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = ${height}),
    top.time + (${height} - top.height) * top.block_ms
  )`;
