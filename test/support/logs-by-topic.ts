/** A derived table for tests alone, which shows what one needs: the logs of contracts, by their first topic. */
import { parseExact } from '../../src/chain/encoding/json.js';
import type { DbTransaction, Queryable } from '../../src/store/connection/database.js';
import type { PlacedTransaction, Range } from '../../src/store/facts/blocks.js';
import { compareAll, heightOfPosition } from '../../src/store/facts/difference.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { positionsOf } from '../../src/store/facts/window.js';
import { PROJECTIONS } from '../../src/store/projections/list.js';
import type { CheckedWindow, Projection } from '../../src/store/projections/projection.js';

/** What its migration would contain. Nothing forbids a row to be there twice. */
export const MIGRATION = 'CREATE TABLE logs_by_topic (topic text, position bigint, log int, contract text)';

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
  await tx.query({
    name: 'test.logs-append',
    text: `
      INSERT INTO logs_by_topic (topic, position, log, contract)
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[], $4::text[])`,
    values: [0, 1, 2, 3].map((column) => rows.map((row) => row[column])),
  });
}

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

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const { rows } = await db.query<{ topic: string; position: string; log: number; contract: string }>({
    name: 'test.logs-of-window',
    text: 'SELECT * FROM logs_by_topic WHERE position >= $1 AND position < $2',
    values: positionsOf(window),
  });
  const expected = window.transactions.flatMap(({ position, row: { info } }) => logsOf(position, info));
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
  written: 'in the commit of the block',
  tables: [
    { name: 'logs_by_topic', rows: 'SELECT * FROM logs_by_topic ORDER BY position, log, contract', at: 'position' },
  ],
  writes: {
    append: (tx, { transactions }) => append(tx, transactions, fault()),
    undo: async (tx, { range }) => {
      if (fault() !== 'undo is forgotten') await undo(tx, range);
      return undefined;
    },
  },
  window: differences,
});

/** Adds it to the list of projections; the result takes it out again. */
export function addLogsByTopic(fault: () => Fault | undefined): () => void {
  const list = PROJECTIONS as Projection[];
  list.push(logsByTopic(fault));
  return () => void list.pop();
}
