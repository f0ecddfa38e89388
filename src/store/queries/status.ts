import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

export interface StatusRow {
  /** Time since the top key block by the clock of the database, ms; null while nothing is stored. */
  age: string | null;
  /** Top of the node as the populator saw it within the last minute; null if it did not. */
  node_height: string | null;
  /** How the populator fared with the node within the last minute: `ok`, `loading`, or what it waits for. */
  node_state: string | null;
  /** Heights below the top that are still to be loaded. */
  gaps: string;
  /** Transactions of the last 500 heights that could not be understood. */
  errors: string;
  /** The first load has not yet reached the node's top. */
  loading: boolean;
}

/** Gaps are only counted during the first load: afterwards there are none, and counting rows is not cheap. */
export function statusFacts(db: Queryable): Promise<Answer<StatusRow>> {
  return answer<StatusRow>(db, {
    name: 'status.facts',
    text: `
      SELECT
        (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_state END AS node_state,
        CASE WHEN c.live OR k.height IS NULL THEN 0 ELSE k.height + 1 - (SELECT count(*) FROM key_blocks) END AS gaps,
        (
          SELECT count(*)
          FROM transactions
          WHERE NOT valid AND position >= (GREATEST(k.height - 499, 0) << 33)
        ) AS errors,
        NOT c.live AS loading
      FROM chain AS c
      LEFT JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS k ON true`,
  });
}
