/** Announces the logs of contracts in the order of the chain: each when the call information of all transactions below it is known. */
import type { EventKind } from '../../chain/event-kinds.js';
import { readAnnounced } from '../announced.js';
import type { DbTransaction } from '../connection/database.js';
import { KIND_FOR_EARLIER, kindList } from '../event-kinds.js';
import { logsOfTransaction } from '../log-texts.js';
import { nextSeq } from './events.js';

const OF_TRANSACTIONS = kindList(({ subject }) => subject === 'transaction');

/**
 * Announces the logs of announced transactions up to the first one whose call information is to be read. Of `told` (positions whose logs were
 * just stored) also those below whose transaction is in the log: nodes did not have their call information before. Returns whether something
 * was announced.
 */
export async function announceLogs(tx: DbTransaction, told: readonly bigint[] = []): Promise<boolean> {
  const { rows } = await tx.query<{ position: string }>({
    name: 'announced_logs.read',
    text: 'SELECT position FROM announced_logs',
  });
  if (rows[0] === undefined) return false;
  const from = BigInt(rows[0].position);
  const to = await endOfKnown(tx, from);
  const late = told.filter((position) => position < from);
  if (to === from && late.length === 0) return false;
  await tx.query({
    name: 'announced_logs.move',
    text: 'UPDATE announced_logs SET position = $1',
    values: [to],
  });
  return announce(tx, from, to, late);
}

/** Announces logs from this position on: those of the blocks below were stored before anybody was told. */
export async function beginAnnouncingLogs(tx: DbTransaction, position: bigint): Promise<void> {
  await tx.query({
    name: 'announced_logs.begin',
    text: 'INSERT INTO announced_logs (position) VALUES ($1) ON CONFLICT (one) DO NOTHING',
    values: [position],
  });
}

/** The first announced transaction from a position on whose call information is to be read; the end of the announced chain if there is none. */
async function endOfKnown(tx: DbTransaction, from: bigint): Promise<bigint> {
  const announced = await readAnnounced(tx);
  const { rows } = await tx.query<{ position: string | null }>({
    name: 'due_infos.first',
    text: 'SELECT min(position) AS position FROM due_infos WHERE position >= $1',
    values: [from],
  });
  const end = announced?.end ?? from;
  const due = rows[0]?.position == null ? end : BigInt(rows[0].position);
  const known = due < end ? due : end;
  return known > from ? known : from;
}

async function announce(tx: DbTransaction, from: bigint, to: bigint, late: readonly bigint[]): Promise<boolean> {
  const { rows } = await tx.query<{ position: string }>({
    name: 'contract_logs.positions',
    text: `
      SELECT position FROM contract_logs WHERE position >= $1 AND position < $2
      UNION SELECT t.position FROM unnest($3::bigint[]) AS p (position)
      CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = p.position LIMIT 1) AS t
      CROSS JOIN LATERAL (
        SELECT FROM events AS e WHERE e.hash = t.hash AND e.position = t.position AND e.kind IN (${OF_TRANSACTIONS}) LIMIT 1
      ) AS e
      ORDER BY position`,
    values: [from, to, late],
  });
  if (rows.length === 0) return false;
  await tx.query({
    name: 'events.contract-logs',
    text: `
      INSERT INTO events (seq, kind, later_kind, position, hash, body)
      SELECT $1::bigint - 1 + p.number, '${KIND_FOR_EARLIER}', $2, t.position, t.hash, ${logsOfTransaction('t')}
      FROM unnest($3::bigint[]) WITH ORDINALITY AS p (position, number)
      CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = p.position LIMIT 1) AS t`,
    values: [await nextSeq(tx, rows.length), 'contract_logs' satisfies EventKind, rows.map(({ position }) => position)],
  });
  return true;
}
