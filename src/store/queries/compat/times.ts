/** Times of heights that have no block yet. */

/** Intended time between key blocks, ms. */
export const INTERVAL_MS = 180_000;

/** FROM item: height and time of the newest key block. */
export const HEAD = '(SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top';

/** SQL expression: time of a height, ms; for one above the head of `HEAD` when it is expected. */
export const approximateTime = (height: string): string => `
  COALESCE(
    (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = ${height}),
    top.time + (${height} - top.height) * ${INTERVAL_MS}
  )`;
