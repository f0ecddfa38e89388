/** Call information that is still to be read from a node: that of transactions which run a contract, after their block was stored. */
import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';
import type { LogsOf } from './contract-logs.js';

/** Schedules the call information of transactions. That of new blocks is read before that of the first load. */
export async function insertDueInfos(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  // An earlier release does not delete these rows with their blocks.
  await db.query({
    name: 'due_infos.insert',
    text: `
      INSERT INTO due_infos (position, due_at)
      SELECT p.position, CASE WHEN c.live THEN '-infinity' ELSE now() END
      FROM unnest($1::bigint[]) AS p (position) CROSS JOIN (SELECT live FROM chain) AS c
      ON CONFLICT (position) DO UPDATE SET attempts = 0, due_at = EXCLUDED.due_at`,
    values: [positions],
  });
}

/** What a node answered about a transaction. */
export interface AnsweredInfo extends LogsOf {
  /** Call information; null if no node has it. */
  info: string | null;
  /** The contract that the transaction creates (ct_), and whether that failed; null if it creates none, or if that is not known. */
  outcome: { contract: string; failed: boolean } | null;
}

/**
 * Stores call information of transactions that are still at their positions. What no node has is marked as unknown: the nodes are asked again.
 * `store/write/answers` also writes what follows from it.
 */
export async function saveInfos(db: Queryable, answers: readonly AnsweredInfo[]): Promise<void> {
  if (answers.length === 0) return;
  await db.query({
    name: 'due_infos.answered',
    text: `
      WITH answers AS (
        SELECT d.position, d.info, d.contract, d.failed
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[]) AS d (position, hash, info, contract, failed)
        CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = d.position AND t.hash = d.hash LIMIT 1) AS t
      ),
      done AS (DELETE FROM due_infos AS d USING answers AS s WHERE d.position = s.position),
      marked AS (
        INSERT INTO unknown_infos (position, due_at)
        SELECT s.position, now() + interval '1 minute' FROM answers AS s
        WHERE s.info IS NULL AND NOT EXISTS (SELECT FROM infos AS i WHERE i.position = s.position)
        ON CONFLICT (position) DO NOTHING
      ),
      known AS (DELETE FROM unknown_infos AS u USING answers AS s WHERE u.position = s.position AND s.info IS NOT NULL),
      outcomes AS (
        UPDATE contracts AS c SET outcome_known = true, failed = s.failed
        FROM answers AS s WHERE c.id = s.contract AND c.position = s.position
      ),
      decodable AS (
        UPDATE contract_calls AS c SET due_at = now()
        FROM answers AS s WHERE c.position = s.position AND c.state = 'pending' AND c.due_at = 'infinity'
      )
      INSERT INTO infos (position, body)
      SELECT position, info FROM answers WHERE info IS NOT NULL
      ON CONFLICT (position) DO UPDATE SET body = EXCLUDED.body`,
    values: [
      answers.map(({ position }) => position),
      answers.map(({ hash }) => hash),
      answers.map(({ info }) => info),
      answers.map(({ outcome }) => outcome?.contract ?? null),
      answers.map(({ outcome }) => outcome?.failed ?? null),
    ],
  });
}

/** Postpones call information that no node answered for a temporary reason; the pauses grow to an hour. */
export async function postponeInfos(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await db.query({
    name: 'due_infos.postpone',
    text: `
      UPDATE due_infos
      SET ${postponed(1, 3600)}
      WHERE position = ANY ($1::bigint[])`,
    values: [positions],
  });
}

/** Schedules call information to be read again, because a node has it now; calls are decoded again with it. */
export async function readInfosAgain(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await insertDueInfos(db, positions);
  await db.query({
    name: 'contract_calls.again',
    text: `
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = 'infinity'
      WHERE position = ANY ($1::bigint[]) AND state <> 'unknown'`,
    values: [positions],
  });
}
