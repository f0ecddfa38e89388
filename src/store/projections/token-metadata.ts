/**
 * The single tokens whose collections are asked for their metadata, and what they told. Triggers of `contract_logs` and `tokens` write the rows: see
 * docs/decisions/0054.
 */
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { MAX_ROWS, comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';
import { byTokens } from './token-backfill.js';

const NAME = 'token-metadata';
const TABLE = 'token_metadata';

async function verifyMetadata(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const columns = ['position', 'made'];
  const { rows } = await db.query({
    name: 'verify.token-metadata',
    text: comparison({
      expected: `
        SELECT contract_id, token_id, ${columns.join()}
        FROM expected_metadata(ARRAY(SELECT contract_id FROM tokens WHERE kind = 141), NULL)`,
      stored: `SELECT contract_id, token_id, ${columns.join()} FROM ${TABLE}`,
      key: ['contract_id', 'token_id'],
      columns,
    }),
  });
  return fromRows(TABLE, rows);
}

/** Nobody but a node can tell again what it answered; that something of it was changed since then is seen. */
async function verifyAnswers(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.token-metadata-answers',
    text: `
      SELECT ARRAY[m.contract_id, m.token_id::text] AS key, NULL AS height, 'answer' AS column_name,
        metadata_answer(m.position, m.state, m.metadata) AS expected, m.answer AS stored
      FROM ${TABLE} AS m WHERE is_misquoted(m) LIMIT ${MAX_ROWS}`,
  });
  return fromRows(TABLE, rows);
}

async function mend(tx: DbTransaction, keys: readonly (readonly [unknown, unknown])[]): Promise<void> {
  const values = [keys.map(([id]) => id), keys.map(([, single]) => single)];
  await tx.query({
    name: 'token_metadata.mend-answers',
    text: `
      DELETE FROM ${TABLE} AS m USING unnest($1::text[], $2::numeric[]) AS w (id, single)
      WHERE m.contract_id = w.id AND m.token_id = w.single AND is_misquoted(m)`,
    values,
  });
  await tx.query({
    name: 'token_metadata.mend',
    text: 'SELECT fill_metadata($1::text[], $2::numeric[])::text',
    values,
  });
}

export const tokenMetadata: Projection = {
  name: NAME,
  written:
    'with the logs and the kinds of contracts, by triggers of `contract_logs` and `tokens`; metadata when a node has answered',
  tables: [
    {
      name: TABLE,
      rows: `SELECT contract_id, token_id, position, made, state, metadata FROM ${TABLE} ORDER BY contract_id, token_id`,
    },
  ],
  backfill: byTokens('token_metadata.backfill', 141, 'fill_metadata(array_agg(p.contract_id), NULL)'),
  wholeChecks: [verifyMetadata, verifyAnswers],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong(TABLE)))
      await write((tx) =>
        mend(
          tx,
          keys.map(([id, single]) => [id, single] as const),
        ),
      );
  },
};
