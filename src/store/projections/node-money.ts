/** What the node's Rosetta interface said of generations, and of which it is to be asked. */
import { GAPS } from '../../chain/money/movement.js';
import { readNodeMoney, writeNodeMoney } from '../../chain/money/node-money.js';
import type { NodeMoney } from '../../chain/money/node-money.js';
import { heightOf, keyPosition } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { postponed } from '../postponed.js';

/** What is known of generations, by height. What is about other blocks than those that are stored is left out: earlier releases do not delete it. */
export async function nodeMoneyBetween(db: Queryable, from: number, to: number): Promise<Map<number, NodeMoney>> {
  const { rows } = await db.query<{ height: string; operations: string }>({
    name: 'node_money.between',
    text: `
      SELECT t.height, t.operations FROM node_money AS t
      JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash
      WHERE t.height BETWEEN $1 AND $2`,
    values: [from, to],
  });
  return new Map(rows.map(({ height, operations }) => [Number(height), readNodeMoney(operations)]));
}

/**
 * Removes what a node answered about generations that change: also the one below a key block that does. Returns the position from which on rows may follow from
 * other answers.
 */
export async function forgetAnswers(tx: DbTransaction, { from, to }: Range): Promise<bigint> {
  const values = [from, to];
  const changes = 'height >= ($1::bigint - 1) >> 33 AND height <= ($2::bigint - 1) >> 33';
  await tx.query({
    name: 'ledger_questions.undo',
    text: `DELETE FROM ledger_questions WHERE ${changes}`,
    values,
  });
  await tx.query({
    name: 'ledger_corrections.undo',
    text: 'DELETE FROM ledger_corrections WHERE position >= $1 AND position < $2',
    values,
  });
  const { rows } = await tx.query<{ height: string | null }>({
    name: 'node_money.undo',
    text: `
      WITH gone AS (DELETE FROM node_money WHERE ${changes} RETURNING height) SELECT min(height) AS height FROM gone`,
    values,
  });
  const height = rows[0]?.height ?? null;
  const below = height === null ? from : keyPosition(Number(height)) + 1n;
  return below < from ? below : from;
}

/** Codes of gaps that the node fills where it lists rewards; elsewhere all but `reward`. */
const ALL_GAPS = Object.values(GAPS).reduce((sum, bit) => sum | bit, 0);

/** `q` is a height whose generation is whole, and of which there is no answer. */
const IS_ASKED = `
  q.height >= 0 AND EXISTS (SELECT FROM key_blocks AS k WHERE k.height = q.height + 1)
    AND NOT EXISTS (
      SELECT FROM node_money AS t JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash WHERE t.height = q.height
    )`;

/** What key block h does is in the answer about generation h - 1. */
const GAP_HEIGHT = `
  SELECT CASE WHEN g.position & (1::bigint << 33) - 1 = 0 THEN (g.position >> 33) - 1 ELSE g.position >> 33 END AS height
  FROM ledger_gaps AS g CROSS JOIN ledger AS l
  WHERE g.gaps & CASE WHEN l.lists_rewards THEN ${ALL_GAPS} ELSE ${ALL_GAPS & ~GAPS.reward} END <> 0`;

/**
 * Asks about the generations of new rows, and the one below them, that have a gap. As long as the chain keeps something of which no row of ours tells,
 * any of them may have what ends it.
 */
export async function askAbout(tx: DbTransaction, from: bigint, last: bigint): Promise<void> {
  await tx.query({
    name: 'ledger_questions.insert',
    text: `
      INSERT INTO ledger_questions (height)
      SELECT q.height FROM (
        ${GAP_HEIGHT} AND g.position BETWEEN $1 AND $2
        UNION
        SELECT k.height - 1 FROM key_blocks AS k
        WHERE k.height << 33 BETWEEN $1 AND $2 AND k.height BETWEEN $1::bigint >> 33 AND $2::bigint >> 33
          AND (SELECT sum(u.amount) FROM unseen_held AS u WHERE u.position < k.height << 33) <> 0
      ) AS q
      WHERE ${IS_ASKED}
      ON CONFLICT DO NOTHING`,
    values: [keyPosition(Math.max(0, heightOf(from) - 1)), last],
  });
}

/** The same for all rows that were written while nobody could be asked. */
export async function askAboutAll(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'ledger_questions.insert-all',
    text: `
      INSERT INTO ledger_questions (height) SELECT DISTINCT q.height FROM (${GAP_HEIGHT}) AS q WHERE ${IS_ASKED} ON CONFLICT DO NOTHING`,
  });
}

/** Position of the generation about which the node is being asked for the first time; null if there is none. */
export async function firstAsked(db: Queryable): Promise<bigint | null> {
  const { rows } = await db.query<{ height: string | null }>({
    name: 'ledger_questions.first',
    text: 'SELECT min(height) AS height FROM ledger_questions WHERE attempts = 0',
  });
  const height = rows[0]?.height ?? null;
  return height === null ? null : keyPosition(Number(height));
}

/** A generation that the node is to be asked about. */
export interface MoneyQuestion {
  height: number;
  networkId: string;
  /** Of its key block, and of the one above it. */
  hash: string;
  nextHash: string;
  version: number;
  attempts: number;
  /** What became of the last attempt. */
  state: string;
}

/** What is due now, new and low heights first. */
export async function dueQuestions(db: Queryable, limit: number): Promise<MoneyQuestion[]> {
  const { rows } = await db.query<Omit<MoneyQuestion, 'height'> & { height: string }>({
    name: 'ledger_questions.due',
    text: `
      SELECT q.height, l.network_id AS "networkId", k.hash, n.hash AS "nextHash", k.version, q.attempts, q.state
      FROM ledger_questions AS q
      JOIN key_blocks AS k ON k.height = q.height
      JOIN key_blocks AS n ON n.height = q.height + 1
      CROSS JOIN ledger AS l
      WHERE q.due_at <= now()
      ORDER BY q.attempts > 0, q.height LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, height: Number(row.height) }));
}

/** Transactions of a generation with their call information, in the order of the chain. */
export async function transactionsOf(db: Queryable, height: number): Promise<{ body: string; info: string | null }[]> {
  const { rows } = await db.query<{ body: string; info: string | null }>({
    name: 'ledger_questions.transactions',
    text: `
      SELECT t.body, i.body AS info FROM transactions AS t LEFT JOIN infos AS i ON i.position = t.position
      WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position`,
    values: [keyPosition(height), keyPosition(height + 1)],
  });
  return rows;
}

/** What of an answer changes movements. */
const MOVED = (t: string): string =>
  `concat(${t}.operations::json ->> 'next', ${t}.operations::json ->> 'transactions')`;

export interface MoneyAnswer {
  question: MoneyQuestion;
  money: NodeMoney;
}

/** Stores what is about blocks that are still in the chain, and still asked. Returns the heights, ascending, of what changes movements. */
export async function saveAnswers(tx: DbTransaction, answered: readonly MoneyAnswer[]): Promise<number[]> {
  if (answered.length === 0) return [];
  const { rows } = await tx.query<{ height: string }>({
    name: 'node_money.save',
    text: `
      WITH answers AS (
        SELECT a.height, a.next_hash, a.operations
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS a (height, hash, next_hash, operations)
        JOIN key_blocks AS k ON k.height = a.height AND k.hash = a.hash
        JOIN key_blocks AS n ON n.height = a.height + 1 AND n.hash = a.next_hash
      ),
      known AS (SELECT t.* FROM node_money AS t JOIN answers AS a ON a.height = t.height),
      corrected AS (
        DELETE FROM ledger_corrections AS c USING answers AS a
        WHERE c.position > a.height << 33 AND c.position <= (a.height + 1) << 33
        RETURNING a.height
      ),
      asked AS (DELETE FROM ledger_questions AS q USING answers AS a WHERE q.height = a.height RETURNING q.height),
      saved AS (
        INSERT INTO node_money (height, next_hash, operations)
        SELECT a.height, a.next_hash, a.operations FROM answers AS a JOIN asked AS q ON q.height = a.height
        ON CONFLICT (height) DO UPDATE SET next_hash = EXCLUDED.next_hash, operations = EXCLUDED.operations
        RETURNING *
      )
      SELECT s.height FROM saved AS s
      WHERE s.height IN (SELECT c.height FROM corrected AS c) OR NOT EXISTS (
        SELECT FROM known AS k WHERE k.height = s.height AND k.next_hash = s.next_hash AND ${MOVED('k')} = ${MOVED('s')}
      )`,
    values: [
      answered.map(({ question }) => question.height),
      answered.map(({ question }) => question.hash),
      answered.map(({ question }) => question.nextHash),
      answered.map(({ money }) => writeNodeMoney(money)),
    ],
  });
  return rows.map(({ height }) => Number(height)).sort((a, b) => a - b);
}

/** Postpones what was not answered, or not in a way that can be used; the pauses grow to six hours. */
export async function postponeQuestions(
  tx: DbTransaction,
  answers: readonly { height: number; state: string }[],
): Promise<void> {
  if (answers.length === 0) return;
  await tx.query({
    name: 'ledger_questions.postpone',
    text: `
      UPDATE ledger_questions AS q SET state = a.state, ${postponed(5, 21_600)}
      FROM unnest($1::bigint[], $2::text[]) AS a (height, state) WHERE q.height = a.height`,
    values: [answers.map(({ height }) => height), answers.map(({ state }) => state)],
  });
}

/** Number of generations that wait for an answer, by what became of the last attempt. */
export async function countQuestions(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ state: string; count: string }>({
    name: 'ledger_questions.count',
    text: 'SELECT state, count(*) AS count FROM ledger_questions GROUP BY state',
  });
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
