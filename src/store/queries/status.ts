import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

interface HealthRow {
  /** Age of the head key block by the clock of the database, ms; null while nothing is stored. */
  age: string | null;
  /** Time of the head key block, ms since 1970; null while nothing is stored. */
  head_time: string | null;
  /** Height of the node's head, if the populator saw it within the last minute; else null. */
  node_height: string | null;
  /** State of the populator within the last minute: `ok`, `loading`, or what it waits for; else null. */
  node_state: string | null;
  /** Time since the last report of the populator, ms; null if it never reported. */
  silent_for: string | null;
  /** The first load has not yet reached the node's head. */
  loading: boolean;
  /** Head key block of a held reorg, and how many stored key blocks it would remove; null when there is none. */
  held_hash: string | null;
  held_height: string | null;
  held_depth: string | null;
}

interface StatusRow extends HealthRow {
  /** Why the populator waits, within the last minute; else null. */
  node_reason: string | null;
  /** Unproven transactions and blocks of the last 500 heights, counted by type; null if there are none. */
  unproven: Record<string, number> | null;
  /** Transactions of the last 500 heights whose call information is unknown. */
  unknown_infos: string;
  /** Heights up to which new tables have the rows of earlier versions' blocks, by table; null if all have all. */
  backfills: Record<string, number> | null;
  /** Names, auctions and oracles that are served as the node has them. */
  records_of_node: string;
  /** Transactions and blocks about which two nodes contradict each other, and the first of them; null if there is none. */
  opinions: { differences: number; reason: string } | null;
  /** Heights below the head that are not stored yet. */
  gaps: string;
  /** Transactions of the last 500 heights that could not be decoded. */
  errors: string;
  /** Height up to which everything stored is proven; -1 while nothing is. */
  proven_height: string;
}

/** The held reorg, as it is reported to clients. */
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

/** For probes, every few seconds: it counts no rows, so that a long chain costs the same as a short one. */
export function healthFacts(db: Queryable): Promise<Answer<HealthRow>> {
  return answer<HealthRow>(db, { name: 'status.health', ofPrimary: true, text: `SELECT ${HEALTH} ${FROM}` });
}

/** For the status page. Gaps are only counted while the populator reports that there may be some, because counting rows is slow. */
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
        (
          SELECT count(*)
          FROM unknown_infos AS u
          WHERE u.position >= (GREATEST(k.height - 499, 0) << 33)
            AND (SELECT true FROM transactions AS t WHERE t.position = u.position)
        ) AS unknown_infos,
        (SELECT json_object_agg(projection, GREATEST(position >> 33, -1) ORDER BY projection) FROM backfills) AS backfills,
        (SELECT count(*) FROM node_records WHERE differs) AS records_of_node,
        (
          SELECT json_build_object('differences', count(*), 'reason', (array_agg(reason ORDER BY position, hash))[1])
          FROM differing_opinions HAVING count(*) > 0
        ) AS opinions,
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
