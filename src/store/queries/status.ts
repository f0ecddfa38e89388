import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

interface HealthRow {
  /** Time since the head key block by the clock of the database, ms; null while nothing is stored. */
  age: string | null;
  /** Time of the head key block, ms since 1970; null while nothing is stored. */
  head_time: string | null;
  /** Top of the node as the populator saw it within the last minute; null if it did not. */
  node_height: string | null;
  /** How the populator fared with the node within the last minute: `ok`, `loading`, or what it waits for. */
  node_state: string | null;
  /** Time since the populator reported last, ms; null if it never did. */
  silent_for: string | null;
  /** The first load has not yet reached the node's head. */
  loading: boolean;
  /** Top key block of a branch that is held back, and how many stored ones it would take back; null when none is. */
  held_hash: string | null;
  held_height: string | null;
  held_depth: string | null;
}

interface StatusRow extends HealthRow {
  /** Why it waits, within the last minute. */
  node_reason: string | null;
  /** How many transactions and blocks of the last 500 heights could not be proven, by type; null if none. */
  unproven: Record<string, number> | null;
  /** Heights below the head that are still to be loaded. */
  gaps: string;
  /** Transactions of the last 500 heights that could not be understood. */
  errors: string;
  /** Up to which height all that is stored is proven; -1 while nothing is. */
  proven_height: string;
}

/** The branch that is held back, as it is reported to clients. */
export const heldReorgOf = ({ held_hash, held_height, held_depth }: HealthRow) =>
  held_hash === null ? undefined : { hash: held_hash, height: Number(held_height), depth: Number(held_depth) };

const HEALTH = `
        (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
        k.time AS head_time,
        (extract(epoch FROM now() - c.seen_at) * 1000)::bigint AS silent_for,
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_state END AS node_state,
        NOT c.live AS loading, h.hash AS held_hash, h.height AS held_height, h.depth AS held_depth`;

const FROM = `
      FROM chain AS c
      LEFT JOIN held_reorg AS h ON true
      LEFT JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS k ON true`;

/** What probes ask every few seconds: it counts nothing, so that it costs the same however long the chain is. */
export function healthFacts(db: Queryable): Promise<Answer<HealthRow>> {
  return answer<HealthRow>(db, { name: 'status.health', ofPrimary: true, text: `SELECT ${HEALTH} ${FROM}` });
}

/** Gaps are only counted while the populator says that there may be some: counting rows is not cheap. */
export function statusFacts(db: Queryable): Promise<Answer<StatusRow>> {
  return answer<StatusRow>(db, {
    name: 'status.facts',
    ofPrimary: true,
    text: `
      SELECT ${HEALTH},
        CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_reason END AS node_reason,
        (
          SELECT json_object_agg(type, count ORDER BY type)
          FROM (
            SELECT type, count(*) AS count
            FROM unproven
            WHERE position >= (GREATEST(k.height - 499, 0) << 33)
            GROUP BY type
          ) AS by_type
        ) AS unproven,
        CASE
          WHEN k.height IS NULL OR c.live AND c.node_state IS DISTINCT FROM 'loading' THEN 0
          ELSE k.height + 1 - (SELECT count(*) FROM key_blocks)
        END AS gaps,
        (
          SELECT count(*)
          FROM transactions
          WHERE NOT valid AND position >= (GREATEST(k.height - 499, 0) << 33)
        ) AS errors,
        c.proven_height
      ${FROM}`,
  });
}
