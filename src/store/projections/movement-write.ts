/** Writes and deletes rows about money. */
import { KINDS } from '../../chain/money/kinds.js';
import { HELD } from '../../chain/money/movement.js';
import { LAST_POSITION } from '../../chain/position.js';
import type { DbTransaction } from '../connection/database.js';
import type { LedgerRows, MovementRow } from './movement-types.js';

export async function insertRows(tx: DbTransaction, rows: LedgerRows): Promise<void> {
  const { movements, held, earnings, gaps, unseen, unexplained } = rows;
  if (movements.length > 0) await insertMovements(tx, movements);
  if (held.length > 0) {
    await tx.query({
      name: 'held.save',
      text: `
        INSERT INTO held (kind, id, position, amount, account, other, until, released)
        SELECT * FROM unnest(
          $1::smallint[], $2::text[], $3::bigint[], $4::numeric[], $5::text[], $6::text[], $7::bigint[], $8::bigint[]
        )
        ON CONFLICT (kind, id, position) DO UPDATE SET released = EXCLUDED.released`,
      values: [
        held.map(({ on }) => HELD[on]),
        held.map(({ id }) => id),
        held.map(({ position }) => position),
        held.map(({ amount }) => amount),
        held.map(({ account }) => account),
        held.map(({ other }) => other),
        held.map(({ until }) => until),
        held.map(({ released }) => released),
      ],
    });
  }
  if (earnings.length > 0) {
    await tx.query({
      name: 'earnings.insert',
      text: `
        INSERT INTO earnings (position, fees, is_known, is_report)
        SELECT * FROM unnest($1::bigint[], $2::numeric[], $3::boolean[], $4::boolean[])`,
      values: [
        earnings.map(({ position }) => position),
        earnings.map(({ fees }) => fees),
        earnings.map(({ isKnown }) => isKnown),
        earnings.map(({ isReport }) => isReport),
      ],
    });
  }
  if (gaps.length > 0) {
    await tx.query({
      name: 'ledger_gaps.insert',
      text: 'INSERT INTO ledger_gaps (position, gaps) SELECT * FROM unnest($1::bigint[], $2::smallint[])',
      values: [gaps.map(({ position }) => position), gaps.map((row) => row.gaps)],
    });
  }
  if (unseen.length > 0) {
    await tx.query({
      name: 'unseen_held.insert',
      text: 'INSERT INTO unseen_held (position, amount) SELECT * FROM unnest($1::bigint[], $2::numeric[])',
      values: [unseen.map(({ position }) => position), unseen.map(({ amount }) => amount)],
    });
  }
  if (unexplained.length > 0) {
    await tx.query({
      name: 'ledger_questions.again',
      text: `
        INSERT INTO ledger_questions (height, state, attempts, due_at)
        SELECT DISTINCT height, 'contradicts', 10, now() + interval '1 hour' FROM unnest($1::bigint[]) AS u (height)
        ON CONFLICT DO NOTHING`,
      values: [unexplained],
    });
  }
}

/** A movement, and the fee before it if the same account pays it. */
interface Paired extends MovementRow {
  fee: bigint | null;
}

function paired(movements: readonly MovementRow[]): Paired[] {
  const pairs: Paired[] = [];
  for (const movement of movements) {
    const before = pairs.at(-1);
    if (before !== undefined && isFeeBefore(movement, before))
      pairs[pairs.length - 1] = { ...movement, fee: before.amount };
    else pairs.push({ ...movement, fee: null });
  }
  return pairs;
}

const isFeeBefore = (movement: MovementRow, before: Paired): boolean =>
  before.kind === KINDS.fee.code &&
  before.fee === null &&
  before.counterparty === null &&
  before.position === movement.position &&
  before.account === movement.account &&
  before.index + 1 === movement.index;

async function insertMovements(tx: DbTransaction, movements: readonly MovementRow[]): Promise<void> {
  const ids = new Set(
    movements.flatMap(({ account, counterparty }) => (counterparty === null ? [account] : [account, counterparty])),
  );
  // Known ones are not inserted first: a conflict would use up a number each time.
  await tx.query({
    name: 'ledger_ids.insert',
    text: `
      INSERT INTO ledger_ids (id) SELECT w.id FROM unnest($1::text[]) AS w (id)
      WHERE NOT EXISTS (SELECT FROM ledger_ids AS i WHERE i.id = w.id)`,
    values: [[...ids]],
  });
  const rows = paired(movements);
  await tx.query({
    name: 'movement_rows.insert',
    text: `
      INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, fee, balance)
      SELECT m.position, a.key, c.key, m.index, m.kind, m.amount, m.fee, m.balance
      FROM unnest(
        $1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::smallint[], $6::numeric[], $7::numeric[], $8::numeric[]
      ) WITH ORDINALITY AS m (position, account, counterparty, index, kind, amount, fee, balance, n)
      JOIN ledger_ids AS a ON a.id = m.account
      LEFT JOIN ledger_ids AS c ON c.id = m.counterparty
      ORDER BY m.n`,
    values: [
      rows.map(({ position }) => position),
      rows.map(({ account }) => account),
      rows.map(({ counterparty }) => counterparty),
      rows.map(({ index }) => index),
      // Below zero: only the node knows of it. A column of its own would take eight bytes of each row.
      rows.map(({ kind, isFromNode }) => (isFromNode ? -kind : kind)),
      rows.map(({ amount }) => amount),
      rows.map(({ fee }) => fee),
      rows.map(({ balance }) => balance),
    ],
  });
}

/** Deletes the rows of a range; what it ended is open again. `to`: null for all positions above. What ends above the range keeps its end. */
export async function deleteRows(tx: DbTransaction, { from, to }: { from: bigint; to: bigint | null }): Promise<void> {
  const values = [from, to ?? LAST_POSITION];
  for (const table of ['movement_rows', 'earnings', 'ledger_gaps', 'unseen_held', 'held']) {
    await tx.query({
      name: `${table}.undo`,
      text: `DELETE FROM ${table} WHERE position >= $1 AND position < $2`,
      values,
    });
  }
  await tx.query({
    name: 'held.open-again',
    text: 'UPDATE held SET released = NULL WHERE released >= $1 AND released < $2',
    values,
  });
}
