/** The logs of contract calls, from the call information of their transactions. */
import { contractLogs as logsIn } from '../../chain/contract-logs.js';
import { readTransaction } from '../../chain/facts.js';
import { needsInfo, runsContract } from '../../chain/effective.js';
import { recomputeLogs } from '../../chain/recompute/logs.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { insertLogs, replaceLogs } from '../contract-logs.js';
import type { LogsOf } from '../contract-logs.js';
import { insertDueInfos } from '../due-infos.js';
import type { Range } from '../facts/blocks.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { textsOf } from '../facts/read.js';
import { positionsOf } from '../facts/window.js';
import type { CheckedWindow, Projection } from './projection.js';

const NAME = 'contract-logs';

/** The logs of a stored transaction. */
const logsOf = (
  position: bigint,
  { hash, body, info }: { hash: string; body: string; info: string | null },
): LogsOf => ({
  position,
  hash,
  logs: info === null ? [] : logsIn({ ...readTransaction(body), info }),
});

async function undo(tx: DbTransaction, { from, to }: Range): Promise<void> {
  await tx.query({
    name: 'contract_logs.undo',
    text: 'DELETE FROM contract_logs WHERE position >= $1 AND position < $2',
    values: [from, to],
  });
}

/** Types of transactions that may have call information: of blocks of earlier versions, nobody scheduled that of all of them. */
const TYPES = ['ContractCreateTx', 'ContractCallTx', 'GAAttachTx', 'ChannelForceProgressTx', 'GAMetaTx', 'PayingForTx'];
/** Transactions of one part of a backfill. */
const PART = 1_000;

/** Stores the logs that follow from stored call information, and schedules to read what is missing. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{
    position: string;
    hash: string;
    body: string;
    info: string | null;
    asked: boolean;
  }>({
    name: 'contract_logs.backfill',
    text: `
      SELECT t.position, t.hash, t.body, i.body AS info,
        u.position IS NOT NULL OR EXISTS (SELECT FROM due_infos AS d WHERE d.position = t.position) AS asked
      FROM types AS y
      CROSS JOIN LATERAL (
        SELECT position, hash, body FROM transactions WHERE type = y.code AND position > $1 ORDER BY position LIMIT $3
      ) AS t
      LEFT JOIN infos AS i ON i.position = t.position
      LEFT JOIN unknown_infos AS u ON u.position = t.position
      WHERE y.name = ANY ($2::text[])
      ORDER BY t.position LIMIT $3`,
    values: [after, TYPES, PART],
  });
  const read = rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  await insertLogs(
    tx,
    read.map((row) => logsOf(row.position, row)),
  );
  const missing = read.filter(({ info, asked, body }) => info === null && !asked && isReadLater(body));
  await insertDueInfos(
    tx,
    missing.map(({ position }) => position),
  );
  return read.length < PART ? null : read.at(-1)!.position;
}

/** Whether a node has call information of the transaction, and it does not come with its block. */
function isReadLater(body: string): boolean {
  const transaction = readTransaction(body);
  return runsContract(transaction) && !needsInfo(transaction);
}

interface Row {
  position: string;
  log_index: number;
  contract_id: string;
  called_id: string | null;
  topics: string;
  data: string;
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const [from, to] = positionsOf(window);
  const filled = await readBackfill(db, NAME);
  const end = filled === undefined || filled >= to ? to : filled + 1n;
  if (end <= from) return [];
  const { rows: stored } = await db.query<Row>({
    name: 'verify.contract-logs',
    text: `
      SELECT position, log_index, contract_id, called_id, array_to_string(topics, ',') AS topics, data
      FROM contract_logs WHERE position >= $1 AND position < $2`,
    values: [from, end],
  });
  const { rows: due } = await db.query<{ position: string; is_due: boolean }>({
    name: 'verify.due-infos',
    text: `
      SELECT position, true AS is_due FROM due_infos WHERE position >= $1 AND position < $2
      UNION ALL SELECT position, false FROM unknown_infos WHERE position >= $1 AND position < $2`,
    values: [from, end],
  });
  const found = window.transactions
    .filter(({ position }) => position < end)
    .map(({ position, row }) => ({ position, info: row.info, ...recomputeLogs(textsOf(row)) }));
  return [
    ...compareAll(
      'contract_logs',
      ([position]) => heightOfPosition(position!),
      found.flatMap(({ position, logs }) => logs.map((log, index) => [[position, BigInt(index)], log] as const)),
      stored.map((row) => [[row.position, BigInt(row.log_index)], row]),
    ),
    ...dueDifferences(found, due),
  ];
}

/** Call information that is not stored must be due, or be marked as unknown. That which is stored may be read again. */
function dueDifferences(
  found: readonly { position: bigint; info: string | null; isRead: boolean }[],
  rows: readonly { position: string; is_due: boolean }[],
): Difference[] {
  const stored = new Map(rows.map((row) => [row.position, row]));
  const readable = new Set(found.filter(({ isRead }) => isRead).map(({ position }) => String(position)));
  const missing = found.filter(
    ({ position, info, isRead }) => isRead && info === null && !stored.has(String(position)),
  );
  return compareAll(
    'due_infos',
    ([position]) => heightOfPosition(position!),
    [
      ...missing.map(({ position }) => String(position)),
      ...rows.flatMap(({ position, is_due: isDue }) => (isDue && readable.has(position) ? [position] : [])),
    ].map((position) => [[position], {}] as const),
    rows.filter(({ is_due: isDue }) => isDue).map(({ position }) => [[position], {}] as const),
  );
}

export const contractLogs: Projection = {
  name: NAME,
  written:
    'in the commit of the block, or when a node has answered the call information of the transaction (`store/write/answers`)',
  tables: [
    {
      name: 'contract_logs',
      rows: 'SELECT * FROM contract_logs ORDER BY position, log_index',
      isPartitioned: true,
    },
  ],
  writes: {
    append: (tx, { transactions }) =>
      insertLogs(
        tx,
        transactions.map(({ position, transaction }) => logsOf(position, transaction)),
      ),
    undo: async (tx, { range }) => {
      await undo(tx, range);
      return undefined;
    },
    answered: replaceLogs,
  },
  backfill,
  window: differences,
};
