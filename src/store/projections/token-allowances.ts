/**
 * What accounts allow others to spend of tokens, by the last event about both, and what the tokens told then. Triggers of `contract_logs` and `tokens`
 * write the rows: see docs/decisions/0057.
 */
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { MAX_ROWS, comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';
import { byTokens } from './token-backfill.js';

const NAME = 'token-allowances';
const TABLE = 'token_allowances';

async function verifyAllowances(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const columns = ['amount', 'position', 'log_index'];
  const { rows } = await db.query({
    name: 'verify.token-allowances',
    text: comparison({
      expected: `
        SELECT contract_id, owner, spender, ${columns.join()}
        FROM expected_allowances(ARRAY(SELECT contract_id FROM tokens WHERE kind = 9))`,
      stored: `SELECT contract_id, owner, spender, ${columns.join()} FROM ${TABLE}`,
      key: ['contract_id', 'owner', 'spender'],
      columns,
    }),
  });
  return fromRows(TABLE, rows);
}

/** Nobody but a node can tell again what it answered; that something of it was changed since then is seen. */
async function verifyAnswers(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.token-allowances-answers',
    text: `
      SELECT ARRAY[a.contract_id, a.owner::text, a.spender::text] AS key, NULL AS height, 'answer' AS column_name,
        allowance_answer(a.position, a.log_index, a.state, a.told) AS expected, a.answer AS stored
      FROM ${TABLE} AS a WHERE is_misquoted(a) LIMIT ${MAX_ROWS}`,
  });
  return fromRows(TABLE, rows);
}

async function mend(tx: DbTransaction, keys: readonly (readonly unknown[])[]): Promise<void> {
  await tx.query({
    name: 'token_allowances.mend-answers',
    text: `
      DELETE FROM ${TABLE} AS a USING unnest($1::text[], $2::numeric[], $3::numeric[]) AS w (id, owner, spender)
      WHERE a.contract_id = w.id AND a.owner = w.owner AND a.spender = w.spender AND is_misquoted(a)`,
    values: [0, 1, 2].map((at) => keys.map((key) => key[at])),
  });
  await tx.query({
    name: 'token_allowances.mend',
    text: 'SELECT fill_allowances($1::text[])::text',
    values: [[...new Set(keys.map(([id]) => id))]],
  });
}

export const tokenAllowances: Projection = {
  name: NAME,
  written:
    'with the logs and the kinds of contracts, by triggers of `contract_logs` and `tokens`; what tokens tell when a node has answered',
  tables: [
    {
      name: TABLE,
      rows: `
        SELECT contract_id, owner, spender, amount, position, log_index, state, told FROM ${TABLE} ORDER BY contract_id, owner, spender`,
    },
  ],
  backfill: byTokens('token_allowances.backfill', 9, 'fill_allowances(array_agg(p.contract_id))'),
  wholeChecks: [verifyAllowances, verifyAnswers],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong(TABLE))) await write((tx) => mend(tx, keys));
  },
};
