/** What contracts did inside calls, as replays by nodes show it. Nobody writes it with a block: see docs/decisions/0063. */
import { CHECKSUM, forgetCalls, forgetReplays, lowerProgress, queueAgain } from '../internal-calls.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { MAX_ROWS, comparison, fromRows } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';

const CALLS = 'internal_calls';
const PARTIES = 'internal_call_parties';

/** Only a replay tells again what was done; that something of it was changed since then is seen. */
async function verifyCalls(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.internal-calls',
    text: `
      SELECT ARRAY[a.position::text] AS key, NULL AS height, 'answer' AS column_name, a.expected, a.stored
      FROM (
        SELECT c.position, ${CHECKSUM} AS expected, string_agg(DISTINCT c.answer, ' ') AS stored
        FROM ${CALLS} AS c
        LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = c.position LIMIT 1) AS t ON true
        GROUP BY c.position, t.hash
      ) AS a
      WHERE a.expected IS DISTINCT FROM a.stored LIMIT ${MAX_ROWS}`,
  });
  return fromRows(CALLS, rows);
}

async function verifyParties(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.internal-call-parties',
    text: comparison({
      expected: `SELECT i.id, c.position, c.index FROM ${CALLS} AS c CROSS JOIN LATERAL internal_call_ids(c.tx) AS i`,
      stored: `SELECT id, position, index FROM ${PARTIES}`,
      key: ['id', 'position', 'index'],
      columns: [],
    }),
  });
  return fromRows(PARTIES, rows);
}

/** The node is asked again about these calls. */
async function askAgain(tx: DbTransaction, keys: readonly Key[]): Promise<void> {
  const positions = keys.map(([position]) => BigInt(position!));
  await forgetCalls(tx, positions);
  await queueAgain(tx, positions);
}

async function mendParties(tx: DbTransaction, keys: readonly Key[]): Promise<void> {
  await tx.query({
    name: 'internal_call_parties.mend',
    text: `
      DELETE FROM ${PARTIES} AS p USING unnest($1::text[], $2::bigint[], $3::int[]) AS w (id, position, index)
      WHERE p.id = w.id AND p.position = w.position AND p.index = w.index`,
    values: [0, 1, 2].map((column) => keys.map((key) => key[column])),
  });
  await askAgain(
    tx,
    keys.map(([, position]) => [position!]),
  );
}

async function undo(tx: DbTransaction, { range }: { range: Range }): Promise<undefined> {
  await forgetReplays(tx, range);
  await lowerProgress(tx, range.from);
}

export const internalCalls: Projection = {
  name: 'internal-calls',
  written: 'when a node has replayed the call, with `INTERNAL_CALLS=on`',
  tables: [
    {
      name: CALLS,
      rows: `SELECT position, index, function, contract_id, tx FROM ${CALLS} ORDER BY position, index`,
    },
    { name: PARTIES, rows: `SELECT id, position, index FROM ${PARTIES} ORDER BY id, position, index` },
  ],
  writes: {
    // The queue is filled from the call information of stored blocks.
    append: () => Promise.resolve(),
    undo,
    // The progress stays: calls whose call information comes with the block are put into the queue, and the others when it is answered.
    async replace(tx, { range, added, isUnchanged }) {
      if (isUnchanged) return undefined;
      await forgetReplays(tx, range);
      return () =>
        queueAgain(
          tx,
          added.transactions.map(({ position }) => position),
        );
    },
    answered: (tx, answers) =>
      queueAgain(
        tx,
        answers.map(({ position }) => position),
      ),
  },
  wholeChecks: [verifyCalls, verifyParties],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong(CALLS))) await write((tx) => askAgain(tx, keys));
    for (const keys of inChunks(wrong(PARTIES))) await write((tx) => mendParties(tx, keys));
  },
};
