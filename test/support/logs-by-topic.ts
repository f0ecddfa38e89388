/** A derived table for tests alone, which shows what one needs: the logs of contracts, by their first topic. */
import { parseExact } from '../../src/chain/encoding/json.js';
import type { DbTransaction, Queryable } from '../../src/store/connection/database.js';
import { readBackfill } from '../../src/store/backfills.js';
import type { AnsweredInfo } from '../../src/store/due-infos.js';
import type { PlacedTransaction, Range } from '../../src/store/facts/blocks.js';
import { compareAll, heightOfPosition } from '../../src/store/facts/difference.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { positionsOf } from '../../src/store/facts/window.js';
import { PROJECTIONS } from '../../src/store/projections/list.js';
import type { CheckedWindow, Projection } from '../../src/store/projections/projection.js';

/** Its migration, for `newerProgram`. Nothing forbids a row to be there twice. */
export const NAME = '0990_expand_logs_by_topic';
export const MIGRATION = `
  CREATE TABLE logs_by_topic (topic text, position bigint, log int, contract text);
  CREATE INDEX logs_by_topic_position_idx ON logs_by_topic (position);
  CREATE INDEX logs_by_topic_topic_idx ON logs_by_topic (contract, topic, position);
  INSERT INTO backfills (projection, position) SELECT 'logs-by-topic', -1 WHERE EXISTS (SELECT FROM key_blocks);`;
export const DOWN = `
  DELETE FROM backfills WHERE projection = 'logs-by-topic';
  DROP TABLE logs_by_topic;`;

/** Call information that one part of the backfill reads. */
const PART = 1_000;

/** Ways to be wrong. */
export type Fault = 'a row is lost' | 'a row is doubled' | 'a value is changed' | 'undo is forgotten';

type Log = [topic: string, position: bigint, log: number, contract: string];

async function append(
  tx: DbTransaction,
  transactions: readonly PlacedTransaction[],
  fault: Fault | undefined,
): Promise<void> {
  const rows = transactions.flatMap(({ position, transaction: { info } }) => logsOf(position, info));
  const last = rows.at(-1);
  if (last === undefined) return;
  if (fault === 'a row is lost') rows.pop();
  if (fault === 'a row is doubled') rows.push(last);
  if (fault === 'a value is changed') last[3] = 'ct_other';
  await insert(tx, rows);
}

const insert = (tx: DbTransaction, rows: readonly Log[]): Promise<unknown> =>
  tx.query({
    name: 'test.logs-append',
    text: `
      INSERT INTO logs_by_topic (topic, position, log, contract)
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[], $4::text[])`,
    values: [0, 1, 2, 3].map((column) => rows.map((row) => row[column])),
  });

/** The logs in the call information of a transaction. */
function logsOf(position: bigint, info: string | null): Log[] {
  const { call_info: call } = (info === null ? {} : parseExact(info)) as {
    call_info?: { log: { address: string; topics: unknown[] }[] };
  };
  return (call?.log ?? []).map(({ address, topics }, i) => [String(topics[0]), position, i, address]);
}

async function undo(tx: DbTransaction, { from, to }: Range): Promise<void> {
  await tx.query({
    name: 'test.logs-undo',
    text: 'DELETE FROM logs_by_topic WHERE position >= $1 AND position < $2',
    values: [from, to],
  });
}

/** What follows from call information that came after the block, unless another transaction is at its position now. */
async function answered(tx: DbTransaction, answers: readonly AnsweredInfo[]): Promise<void> {
  const { rows } = await tx.query<{ position: string }>({
    name: 'test.logs-answered',
    text: `
      WITH stored AS (
        SELECT t.position FROM unnest($1::bigint[], $2::text[]) AS a (position, hash)
        JOIN transactions AS t ON t.position = a.position AND t.hash = a.hash
      ), gone AS (DELETE FROM logs_by_topic AS l USING stored AS s WHERE l.position = s.position)
      SELECT position FROM stored`,
    values: [answers.map(({ position }) => position), answers.map(({ hash }) => hash)],
  });
  const stored = new Set(rows.map(({ position }) => position));
  await insert(
    tx,
    answers.flatMap(({ position, info }) => (stored.has(String(position)) ? logsOf(position, info) : [])),
  );
}

/** New blocks, reloaded heights and late answers write rows above the part that is filled, so the rows of each part are written in place of them. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ position: string; body: string }>({
    name: 'test.logs-infos',
    text: 'SELECT position, body FROM infos WHERE position > $1 ORDER BY position LIMIT $2',
    values: [after, PART],
  });
  const last = rows.at(-1);
  if (last === undefined) return null;
  await undo(tx, { from: after + 1n, to: BigInt(last.position) + 1n });
  await insert(
    tx,
    rows.flatMap(({ position, body }) => logsOf(BigInt(position), body)),
  );
  return rows.length < PART ? null : BigInt(last.position);
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const [from, to] = positionsOf(window);
  const filled = await readBackfill(db, 'logs-by-topic');
  const end = filled === undefined || filled >= to ? to : filled + 1n;
  const { rows } = await db.query<{ topic: string; position: string; log: number; contract: string }>({
    name: 'test.logs-of-window',
    text: 'SELECT * FROM logs_by_topic WHERE position >= $1 AND position < $2',
    values: [from, end],
  });
  const expected = window.transactions
    .filter(({ position }) => position < end)
    .flatMap(({ position, row: { info } }) => logsOf(position, info));
  return compareAll(
    'logs_by_topic',
    ([position]) => heightOfPosition(position!),
    expected.map(([topic, position, log, contract]) => [[position, BigInt(log)], { topic, contract }]),
    rows.map((row) => [[row.position, BigInt(row.log)], row]),
  );
}

/** The projection; while `fault` returns one, it is wrong in this way. */
const logsByTopic = (fault: () => Fault | undefined): Projection => ({
  name: 'logs-by-topic',
  written: 'in the commit of the block, or when a node has answered the call information of the transaction',
  tables: [
    { name: 'logs_by_topic', rows: 'SELECT * FROM logs_by_topic ORDER BY position, log, contract', at: 'position' },
  ],
  writes: {
    append: (tx, { transactions }) => append(tx, transactions, fault()),
    undo: async (tx, { range }) => {
      if (fault() !== 'undo is forgotten') await undo(tx, range);
      return undefined;
    },
    answered,
  },
  backfill,
  window: differences,
});

/** Adds it to the list of projections; the result takes it out again. */
export function addLogsByTopic(fault: () => Fault | undefined): () => void {
  const list = PROJECTIONS as Projection[];
  list.push(logsByTopic(fault));
  return () => void list.pop();
}
