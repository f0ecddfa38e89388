/** What nodes tell of tokens: the codes of contracts that no stored transaction created, and what tokens say of themselves. */
import { listKey } from '../chain/tokens/meta.js';
import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';
import { microBlockOf } from './positions.js';

/** Contracts in the results of calls that no stored transaction created may be tokens. */
export async function seeReturned(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  const { rows } = await db.query<{ id: string }>({
    name: 'returned_contracts.insert',
    text: `
      INSERT INTO returned_contracts (contract_id, position)
      SELECT i.id, l.position FROM contract_calls AS l CROSS JOIN LATERAL contracts_in(l.result) AS i
      WHERE l.position = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = i.id)
      ON CONFLICT DO NOTHING
      RETURNING contract_id AS id`,
    values: [positions],
  });
  await db.query({
    name: 'tokens.see',
    text: 'SELECT see_tokens($1::text[])::text',
    values: [rows.map(({ id }) => id)],
  });
}

/** A contract of which it is not known whether it is a token. */
export interface DueTokenCode {
  contractId: string;
  /** Its code (cb_…) where it was read to decode calls. */
  code: string | null;
  /** Where it was seen first; after a reorg the same contract may have another code. */
  position: bigint;
}

export async function dueTokenCodes(db: Queryable, limit: number): Promise<DueTokenCode[]> {
  const { rows } = await db.query<{ contractId: string; code: string | null; position: string }>({
    name: 'tokens.due-codes',
    text: `
      SELECT t.contract_id AS "contractId", o.code, t.position
      FROM tokens AS t LEFT JOIN contract_codes AS o ON o.contract_id = t.contract_id
      WHERE t.kind IS NULL AND t.due_at <= now() ORDER BY t.due_at LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Stores which of the contracts are tokens (0: none), and what they hold by the logs that are stored. */
export async function saveTokenKinds(
  db: Queryable,
  found: readonly (DueTokenCode & { kind: number })[],
): Promise<void> {
  if (found.length === 0) return;
  const { rows } = await db.query<{ id: string }>({
    name: 'tokens.save-kinds',
    text: `
      UPDATE tokens AS t SET kind = d.kind, attempts = 0, due_at = now()
      FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS d (id, position, kind)
      WHERE t.contract_id = d.id AND t.position = d.position AND t.kind IS NULL
      RETURNING t.contract_id AS id`,
    values: [
      found.map(({ contractId }) => contractId),
      found.map(({ position }) => position),
      found.map(({ kind }) => kind),
    ],
  });
  await fill(
    db,
    rows.map(({ id }) => id),
  );
}

/** Where contracts are on their way from being seen to being checked, and what they turned out to be. */
const STATES = {
  code: 'kind IS NULL',
  name: `kind > 0 AND meta_state = 'due'`,
  first_check: `kind > 0 AND meta_state <> 'due' AND invalid IS NULL AND attempts = 0`,
  checked: `kind > 0 AND meta_state <> 'due' AND invalid IS NULL AND attempts > 0`,
  invalid: 'invalid IS NOT NULL',
  refused: 'kind = 0',
} as const;

/** Number of contracts in each of these states. */
export async function countTokens(db: Queryable): Promise<Map<string, number>> {
  const counts = Object.entries(STATES).map(([state, is]) => `count(*) FILTER (WHERE ${is}) AS ${state}`);
  const { rows } = await db.query<Record<string, string>>({
    name: 'tokens.count-states',
    text: `
      SELECT ${counts.join(', ')} FROM tokens AS t
      WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)`,
  });
  return new Map(Object.entries(rows[0]!).map(([state, count]) => [state, Number(count)]));
}

/** Computes what tokens hold, with what a node has answered just now. */
async function fill(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({ name: 'tokens.keep-answers', text: 'SELECT keep_answers($1::text[])::text', values: [ids] });
  await db.query({ name: 'tokens.fill', text: 'SELECT fill_tokens($1::text[])::text', values: [ids] });
}

/** Postpones contracts that the node does not know; the pauses grow to a day. */
export async function postponeTokens(db: Queryable, contracts: readonly { contractId: string }[]): Promise<void> {
  if (contracts.length === 0) return;
  await db.query({
    name: 'tokens.postpone',
    text: `UPDATE tokens SET ${postponed(1, 86_400)} WHERE contract_id = ANY ($1::text[])`,
    values: [contracts.map(({ contractId }) => contractId)],
  });
}

/** A token that was not asked yet what it says of itself. */
export interface DueTokenMeta {
  contractId: string;
  kind: 9 | 141;
  position: bigint;
  /** Hash of the micro block with the transaction that created it, or in which it was seen first. */
  block: string;
}

/** Tokens of creations that failed are none: nobody asks about them. */
export async function dueTokenMetas(db: Queryable, limit: number): Promise<DueTokenMeta[]> {
  const { rows } = await db.query<{ contractId: string; kind: 9 | 141; position: string; block: string }>({
    name: 'tokens.due-metas',
    text: `
      SELECT t.contract_id AS "contractId", t.kind, t.position, m.hash AS block
      FROM (
        SELECT contract_id, kind, position FROM tokens AS t
        WHERE kind > 0 AND meta_state = 'due' AND due_at <= now()
          AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
        ORDER BY due_at LIMIT $1
      ) AS t
      JOIN micro_blocks AS m ON m.position = ${microBlockOf('t.position')}`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** What a token said at the end of the micro block. */
export interface TokenMetaAnswer extends DueTokenMeta {
  state: 'ok' | 'failed' | 'malformed';
  /** JSON; null unless the state is `ok`. */
  meta: string | null;
  name: string;
  symbol: string;
  /** Amounts by account; null if it did not tell them. */
  balances: ReadonlyMap<bigint, bigint> | null;
}

/** Stores what tokens said that are still in the chain. */
export async function saveTokenMetas(db: Queryable, answers: readonly TokenMetaAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const { rows } = await db.query<{ id: string }>({
    name: 'tokens.save-metas',
    text: `
      UPDATE tokens AS t SET meta_state = d.state, meta = d.meta, name_key = d.name, symbol_key = d.symbol, attempts = 0,
        base_position = CASE WHEN d.known THEN ${microBlockOf('d.position')} + 65536 END, initial_supply = d.supply
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::numeric[])
        AS d (id, position, block, state, meta, name, symbol, known, supply)
      JOIN micro_blocks AS m ON m.position = ${microBlockOf('d.position')} AND m.hash = d.block
      WHERE t.contract_id = d.id AND t.position = d.position AND t.kind > 0
      RETURNING t.contract_id AS id`,
    values: [
      answers.map(({ contractId }) => contractId),
      answers.map(({ position }) => position),
      answers.map(({ block }) => block),
      answers.map(({ state }) => state),
      answers.map(({ meta }) => meta),
      answers.map(({ name }) => listKey(name)),
      answers.map(({ symbol }) => listKey(symbol)),
      answers.map(({ balances }) => balances !== null),
      answers.map(({ balances }) => (balances === null ? null : sum([...balances.values()]))),
    ],
  });
  const stored = new Set(rows.map(({ id }) => id));
  await saveBases(
    db,
    answers.filter(({ contractId }) => stored.has(contractId)),
  );
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

async function saveBases(
  db: Queryable,
  answers: readonly { contractId: string; balances: ReadonlyMap<bigint, bigint> | null }[],
): Promise<void> {
  const ids = answers.map(({ contractId }) => contractId);
  const bases = answers.flatMap(({ contractId, balances }) =>
    [...(balances ?? [])].map(([account, amount]) => ({ contractId, account, amount })),
  );
  await db.query({
    name: 'token_balances.clear-bases',
    text: 'UPDATE token_balances SET base = NULL WHERE contract_id = ANY ($1::text[]) AND base IS NOT NULL',
    values: [ids],
  });
  await db.query({
    name: 'token_balances.bases',
    text: `
      INSERT INTO token_balances (contract_id, account, base, amount, events)
      SELECT d.id, d.account, d.amount, d.amount, 0 FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS d (id, account, amount)
      ON CONFLICT (contract_id, account) DO UPDATE SET base = EXCLUDED.base`,
    values: [
      bases.map(({ contractId }) => contractId),
      bases.map(({ account }) => account),
      bases.map(({ amount }) => amount),
    ],
  });
  await fill(db, ids);
}
