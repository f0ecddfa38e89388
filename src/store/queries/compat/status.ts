import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';

interface CompatStatusRow {
  /** Transactions of the whole chain. */
  transactions: string;
  /** Height of the node's head, if the populator saw it within the last minute; else null. */
  node_height: string | null;
  /** Whether a populator has reported within the last minute. */
  populating: boolean;
  /** Time between the newest key blocks, ms, and how many they are; null while there are fewer than two. */
  elapsed: string | null;
  blocks: string;
}

/** Key blocks over which the speed is measured. */
const MEASURED = 20;

/** What the status of the compatible API says of the copy. It counts nothing. */
export function compatStatus(db: Queryable): Promise<Answer<CompatStatusRow>> {
  return answer<CompatStatusRow>(db, {
    name: 'compat.status',
    ofPrimary: true,
    text: `
      SELECT
        COALESCE((SELECT tx_total FROM generations ORDER BY height DESC LIMIT 1), 0) AS transactions,
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
        (c.seen_at > now() - interval '60 seconds') IS TRUE AS populating,
        newest.elapsed, newest.blocks
      FROM chain AS c
      CROSS JOIN (
        SELECT max(time) - min(time) AS elapsed, count(*) - 1 AS blocks
        FROM (SELECT time FROM key_blocks ORDER BY height DESC LIMIT ${MEASURED + 1}) AS k
      ) AS newest`,
  });
}
