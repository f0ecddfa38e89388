/** What accounts allow others to spend of tokens: which tokens are to be asked, and what they told. */
import type { Queryable } from './connection/database.js';
import { microBlockOf } from './positions.js';
import { postponed } from './postponed.js';

/** An allowance about which its token was not asked since its last event. */
export interface DueAllowance {
  contractId: string;
  owner: bigint;
  spender: bigint;
  /** The last event about both, and the hash of its micro block. */
  position: bigint;
  logIndex: number;
  block: string;
  /** Requests before, to which no node had an answer. */
  attempts: number;
}

type Texts = 'owner' | 'spender' | 'position';

export async function dueAllowances(db: Queryable, limit: number): Promise<DueAllowance[]> {
  const { rows } = await db.query<Omit<DueAllowance, Texts> & Record<Texts, string>>({
    name: 'token_allowances.due',
    text: `
      SELECT d.contract_id AS "contractId", d.owner::text AS owner, d.spender::text AS spender, d.position, d.log_index AS "logIndex",
        b.hash AS block, d.attempts
      FROM (
        SELECT contract_id, owner, spender, position, log_index, attempts, due_at FROM token_allowances
        WHERE state = 'due' AND due_at <= now() ORDER BY due_at, position LIMIT $1
      ) AS d
      JOIN micro_blocks AS b ON b.position = ${microBlockOf('d.position')}
      ORDER BY d.due_at, d.position`,
    values: [limit],
  });
  return rows.map((row) => ({
    ...row,
    owner: BigInt(row.owner),
    spender: BigInt(row.spender),
    position: BigInt(row.position),
  }));
}

/** What a token told at the end of the micro block. */
export interface AllowanceAnswer extends DueAllowance {
  state: 'ok' | 'failed' | 'malformed';
  /** Null unless the state is `ok`. */
  told: bigint | null;
}

/** Stores what was told about events that are still the last ones in the chain; returns the states of those. */
export async function saveAllowances(
  db: Queryable,
  answers: readonly AllowanceAnswer[],
): Promise<AllowanceAnswer['state'][]> {
  if (answers.length === 0) return [];
  const { rows } = await db.query<{ state: AllowanceAnswer['state'] }>({
    name: 'token_allowances.save',
    text: `
      UPDATE token_allowances AS a
      SET state = d.state, told = d.told, answer = allowance_answer(d.position, d.log_index, d.state, d.told), attempts = 0
      FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::bigint[], $5::int[], $6::text[], $7::text[], $8::numeric[])
        AS d (id, owner, spender, position, log_index, block, state, told)
      JOIN micro_blocks AS b ON b.position = ${microBlockOf('d.position')} AND b.hash = d.block
      WHERE a.contract_id = d.id AND a.owner = d.owner AND a.spender = d.spender AND a.position = d.position AND a.log_index = d.log_index
      RETURNING a.state`,
    values: [
      ...keysOf(answers),
      answers.map(({ position }) => position),
      answers.map(({ logIndex }) => logIndex),
      answers.map(({ block }) => block),
      answers.map(({ state }) => state),
      answers.map(({ told }) => told),
    ],
  });
  return rows.map(({ state }) => state);
}

const keysOf = (some: readonly DueAllowance[]): [string[], bigint[], bigint[]] => [
  some.map(({ contractId }) => contractId),
  some.map(({ owner }) => owner),
  some.map(({ spender }) => spender),
];

/** Postpones allowances of which no node told anything; the pauses grow to a day. */
export async function postponeAllowances(db: Queryable, some: readonly DueAllowance[]): Promise<void> {
  if (some.length === 0) return;
  await db.query({
    name: 'token_allowances.postpone',
    text: `
      UPDATE token_allowances AS a SET ${postponed(1, 86_400)}
      FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS d (id, owner, spender)
      WHERE a.contract_id = d.id AND a.owner = d.owner AND a.spender = d.spender AND a.state = 'due'`,
    values: keysOf(some),
  });
}

/** Allowances about which their tokens have not told yet. */
export async function countDueAllowances(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'token_allowances.count-due',
    text: `SELECT count(*) AS count FROM token_allowances WHERE state = 'due'`,
  });
  return Number(rows[0]!.count);
}
