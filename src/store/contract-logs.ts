import type { ContractLog } from '../chain/contract-logs.js';
import type { Queryable } from './connection/database.js';

/** The logs of a transaction, in the order in which they were emitted. */
export interface LogsOf {
  position: bigint;
  hash: string;
  logs: readonly ContractLog[];
}

/** Stores the logs of transactions that are stored at their positions. */
export async function insertLogs(db: Queryable, read: readonly LogsOf[]): Promise<void> {
  const rows = read.flatMap(({ position, hash, logs }) => logs.map((log, index) => ({ position, hash, index, log })));
  if (rows.length === 0) return;
  await db.query({
    name: 'contract_logs.insert',
    text: `
      INSERT INTO contract_logs (position, log_index, contract_id, called_id, topics, data)
      SELECT l.position, l.log_index, l.contract_id, l.called_id, l.topics::numeric[], l.data
      FROM unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
        AS l (position, hash, log_index, contract_id, called_id, topics, data)
      CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = l.position AND t.hash = l.hash LIMIT 1) AS t
      ON CONFLICT (position, log_index) DO UPDATE
      SET contract_id = EXCLUDED.contract_id, called_id = EXCLUDED.called_id, topics = EXCLUDED.topics, data = EXCLUDED.data`,
    values: [
      rows.map(({ position }) => position),
      rows.map(({ hash }) => hash),
      rows.map(({ index }) => index),
      rows.map(({ log }) => log.contract),
      rows.map(({ log }) => log.called),
      rows.map(({ log }) => `{${log.topics.join()}}`),
      rows.map(({ log }) => log.data),
    ],
  });
}

/**
 * The same in place of those that are stored for these transactions: a node may have answered something else before. Meanwhile a reorg may have
 * stored others at their positions, whose logs stay.
 */
export async function replaceLogs(db: Queryable, read: readonly LogsOf[]): Promise<void> {
  if (read.length === 0) return;
  await db.query({
    name: 'contract_logs.clear',
    text: `
      DELETE FROM contract_logs WHERE position = ANY (ARRAY(
        SELECT r.position FROM unnest($1::bigint[], $2::text[]) AS r (position, hash)
        CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = r.position AND t.hash = r.hash LIMIT 1) AS t
      ))`,
    values: [read.map(({ position }) => position), read.map(({ hash }) => hash)],
  });
  await insertLogs(db, read);
}
