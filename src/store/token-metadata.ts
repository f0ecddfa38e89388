/** The metadata of single tokens: which ones collections are to be asked for, and what they told. */
import type { Queryable } from './connection/database.js';
import { microBlockOf } from './positions.js';
import { postponed } from './postponed.js';

/** A single token whose collection was not asked for its metadata yet. */
export interface DueMetadata {
  contractId: string;
  single: bigint;
  /** Of the event that made the token or changed its metadata last, and the hash of its micro block. */
  position: bigint;
  block: string;
  /** Requests before, to which no node had an answer. */
  attempts: number;
}

export async function dueMetadata(db: Queryable, limit: number): Promise<DueMetadata[]> {
  const { rows } = await db.query<Omit<DueMetadata, 'single' | 'position'> & Record<'single' | 'position', string>>({
    name: 'token_metadata.due',
    text: `
      SELECT d.contract_id AS "contractId", d.token_id::text AS single, d.position, b.hash AS block, d.attempts
      FROM (
        SELECT contract_id, token_id, position, attempts, due_at FROM token_metadata
        WHERE state = 'due' AND due_at <= now() ORDER BY due_at, position LIMIT $1
      ) AS d
      JOIN micro_blocks AS b ON b.position = ${microBlockOf('d.position')}
      ORDER BY d.due_at, d.position`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, single: BigInt(row.single), position: BigInt(row.position) }));
}

/** What a collection told of one of its tokens at the end of the micro block. */
export interface MetadataAnswer extends DueMetadata {
  state: 'ok' | 'failed' | 'malformed';
  /** JSON; null without an answer, and of a token that has none. */
  metadata: string | null;
}

/** Stores what was told of tokens that are still in the chain; returns the states of those. */
export async function saveMetadata(
  db: Queryable,
  answers: readonly MetadataAnswer[],
): Promise<MetadataAnswer['state'][]> {
  if (answers.length === 0) return [];
  const { rows } = await db.query<{ state: MetadataAnswer['state'] }>({
    name: 'token_metadata.save',
    text: `
      UPDATE token_metadata AS m
      SET state = d.state, metadata = d.metadata, answer = metadata_answer(d.position, d.state, d.metadata), attempts = 0
      FROM unnest($1::text[], $2::numeric[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS d (id, single, position, block, state, metadata)
      JOIN micro_blocks AS b ON b.position = ${microBlockOf('d.position')} AND b.hash = d.block
      WHERE m.contract_id = d.id AND m.token_id = d.single AND m.position = d.position
      RETURNING m.state`,
    values: [
      ...keysOf(answers),
      answers.map(({ position }) => position),
      answers.map(({ block }) => block),
      answers.map(({ state }) => state),
      answers.map(({ metadata }) => metadata),
    ],
  });
  return rows.map(({ state }) => state);
}

const keysOf = (some: readonly DueMetadata[]): [string[], bigint[]] => [
  some.map(({ contractId }) => contractId),
  some.map(({ single }) => single),
];

/** Postpones tokens of which no node told anything; the pauses grow to a day. */
export async function postponeMetadata(db: Queryable, some: readonly DueMetadata[]): Promise<void> {
  if (some.length === 0) return;
  await db.query({
    name: 'token_metadata.postpone',
    text: `
      UPDATE token_metadata AS m SET ${postponed(1, 86_400)}
      FROM unnest($1::text[], $2::numeric[]) AS d (id, single)
      WHERE m.contract_id = d.id AND m.token_id = d.single AND m.state = 'due'`,
    values: keysOf(some),
  });
}

/** Single tokens whose metadata are not known yet. */
export async function countDueMetadata(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'token_metadata.count-due',
    text: `SELECT count(*) AS count FROM token_metadata WHERE state = 'due'`,
  });
  return Number(rows[0]!.count);
}
