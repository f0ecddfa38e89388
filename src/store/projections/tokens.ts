/**
 * Tokens, what accounts hold of them, and who owns single tokens. Triggers of `contract_logs` write the balances and owners: logs may come long after
 * their blocks. Tokens are known by their code, which comes with the block where a transaction creates them, and from a node where a contract does. Both
 * may come in any order: see docs/decisions/0046.
 */
import { derive } from '../../chain/derive.js';
import { effectiveOf } from '../../chain/effective.js';
import { readTransaction } from '../../chain/facts.js';
import type { Transaction } from '../../chain/facts.js';
import { MalformedError } from '../../chain/malformed.js';
import type { Operation } from '../../chain/operations.js';
import { effectiveMember } from '../../chain/recompute/transaction.js';
import { tokenKind } from '../../chain/tokens/standard.js';
import type { TokenKind } from '../../chain/tokens/standard.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Placed, PlacedTransaction, Range } from '../facts/blocks.js';
import { MAX_ROWS, compareAll, comparison, fromRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { textsOf } from '../facts/read.js';
import type { Read } from '../facts/read.js';
import { positionsOf } from '../facts/window.js';
import { inChunks } from './projection.js';
import type { CheckedWindow, Projection } from './projection.js';

const NAME = 'tokens';

/** A contract that a stored transaction creates. */
interface Created {
  id: string;
  position: bigint;
  kind: TokenKind | null;
}

function createdBy(
  position: bigint,
  { body, info }: Pick<Transaction, 'body' | 'info'>,
  operations: readonly Operation[],
): Created[] {
  const op = operations.find(({ on, op }) => on === 'contract' && op === 'create');
  if (op?.on !== 'contract') return [];
  const { code } = effectiveOf({ ...readTransaction(body), info }).tx;
  return [{ id: op.id, position, kind: typeof code === 'string' ? tokenKind(code) : null }];
}

const createdIn = (transactions: readonly PlacedTransaction[]): Created[] =>
  transactions.flatMap(({ position, transaction, derived }) => createdBy(position, transaction, derived.operations));

/** Forgets what the token said of itself, unless the condition is true. */
const onlyIf = (condition: string): string =>
  Object.entries({ meta: 'NULL', name_key: `''`, symbol_key: `''`, base_position: 'NULL', initial_supply: 'NULL' })
    .map(([column, empty]) => `${column} = CASE WHEN ${condition} THEN t.${column} ELSE ${empty} END`)
    .join(', ');

async function insertTokens(tx: DbTransaction, created: readonly Created[]): Promise<void> {
  if (created.length === 0) return;
  const found = created.filter(({ kind }) => kind !== null);
  const ids = found.map(({ id }) => id);
  // They may have been seen before their creation was stored.
  await dropTokens(
    tx,
    created.filter(({ kind }) => kind === null).map(({ id }) => id),
  );
  if (found.length === 0) return;
  await tx.query({
    name: 'tokens.insert',
    text: `
      INSERT INTO tokens AS t (contract_id, position, created, kind)
      SELECT n.id, n.position, true, n.kind FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS n (id, position, kind)
      ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position, created = true, kind = EXCLUDED.kind, attempts = 0, due_at = now(),
        meta_state = CASE WHEN t.position = EXCLUDED.position AND t.kind = EXCLUDED.kind THEN t.meta_state ELSE 'due' END,
        answers = CASE WHEN t.kind = EXCLUDED.kind THEN t.answers END, ${onlyIf('t.kind = EXCLUDED.kind')}`,
    values: [ids, found.map(({ position }) => position), found.map(({ kind }) => kind)],
  });
  await fillTokens(tx, ids);
}

async function dropTokens(tx: DbTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx.query({ name: 'tokens.drop', text: 'SELECT drop_tokens($1::text[])::text', values: [ids] });
}

/** Computes what tokens hold from all their logs. */
async function fillTokens(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  if (ids.length > 0)
    await tx.query({ name: 'tokens.fill', text: 'SELECT fill_tokens($1::text[])::text', values: [ids] });
}

async function seeTokens(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  if (ids.length > 0)
    await tx.query({ name: 'tokens.see', text: 'SELECT see_tokens($1::text[])::text', values: [ids] });
}

/** Called contracts that no stored transaction created. */
async function insertCalled(tx: DbTransaction, operations: readonly Placed<Operation>[]): Promise<void> {
  const calls = operations.flatMap(({ op, position }) =>
    op.on === 'contract' && op.op === 'call' ? [{ id: op.id, position }] : [],
  );
  if (calls.length === 0) return;
  await tx.query({
    name: 'tokens.called',
    text: `
      INSERT INTO tokens AS t (contract_id, position)
      SELECT c.id, min(c.position) FROM unnest($1::text[], $2::bigint[]) AS c (id, position)
      WHERE NOT EXISTS (SELECT FROM contracts AS k WHERE k.id = c.id)
      GROUP BY c.id
      ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position
      WHERE t.position > EXCLUDED.position AND NOT t.created`,
    values: [calls.map(({ id }) => id), calls.map(({ position }) => position)],
  });
}

/** Removes the tokens that the range created, except some, and returns all others that were seen in it first. */
async function undo(tx: DbTransaction, { from, to }: Range, kept: ReadonlySet<string> = new Set()): Promise<string[]> {
  const { rows } = await tx.query<{ id: string; created: boolean }>({
    name: 'tokens.of-range',
    text: 'SELECT contract_id AS id, created FROM tokens WHERE position >= $1 AND position < $2',
    values: [from, to],
  });
  await tx.query({
    name: 'returned_contracts.undo',
    text: 'DELETE FROM returned_contracts WHERE position >= $1 AND position < $2',
    values: [from, to],
  });
  const gone = rows.filter(({ id }) => !kept.has(id));
  await dropTokens(
    tx,
    gone.filter(({ created }) => created).map(({ id }) => id),
  );
  return gone.map(({ id }) => id);
}

/** Tokens that were checked at blocks that are removed. To be passed to `takeBackChecks` when their logs are removed. */
async function checkedAbove(tx: DbTransaction, from: bigint): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'tokens.checked-above',
    text: 'SELECT contract_id AS id FROM tokens WHERE told_position > $1',
    values: [from],
  });
  return rows.map(({ id }) => id);
}

/** Forgets what tokens told: their balances are those of their events until they are checked again. */
async function takeBackChecks(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  if (ids.length > 0)
    await tx.query({
      name: 'tokens.take-back-checks',
      text: 'SELECT take_back_checks($1::text[])::text',
      values: [ids],
    });
}

/** Transactions of one part of a backfill that created or called a contract, and logs. */
const PART = 1_000;

async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ position: string; created: boolean; body: string | null; info: string | null }>({
    name: 'tokens.backfill',
    text: `
      SELECT p.position, p.created, t.body, i.body AS info
      FROM (
        SELECT position, bool_or(created) AS created FROM (
          (SELECT position, true AS created FROM contracts WHERE position > $1 ORDER BY position LIMIT $2)
          UNION ALL (SELECT position, false FROM contract_calls WHERE position > $1 ORDER BY position LIMIT $2)
          UNION ALL (SELECT position, false FROM contract_logs WHERE position > $1 ORDER BY position LIMIT $2)
        ) AS u GROUP BY position ORDER BY position LIMIT $2
      ) AS p
      LEFT JOIN transactions AS t ON t.position = p.position AND p.created
      LEFT JOIN infos AS i ON i.position = p.position AND p.created
      ORDER BY p.position`,
    values: [after, PART],
  });
  const last = rows.at(-1)?.position;
  if (last === undefined) return null;
  const created = rows.flatMap(({ position, body, info }) => {
    if (body === null) return [];
    return createdBy(BigInt(position), { body, info }, derive({ ...readTransaction(body), info }).operations);
  });
  await insertTokens(tx, created);
  await tx.query({
    name: 'returned_contracts.backfill',
    text: `
      INSERT INTO returned_contracts (contract_id, position)
      SELECT i.id, l.position FROM contract_calls AS l CROSS JOIN LATERAL contracts_in(l.result) AS i
      WHERE l.position > $1 AND l.position <= $2 AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = i.id)
      ON CONFLICT DO NOTHING`,
    values: [after, last],
  });
  const { rows: seen } = await tx.query<{ id: string }>({
    name: 'tokens.backfill-seen',
    text: `
      SELECT contract_id AS id FROM contract_calls WHERE position > $1 AND position <= $2
      UNION SELECT contract_id FROM contract_logs WHERE position > $1 AND position <= $2
      UNION SELECT contract_id FROM returned_contracts WHERE position > $1 AND position <= $2`,
    values: [after, last],
  });
  await seeTokens(
    tx,
    seen.map(({ id }) => id),
  );
  return rows.length < PART ? null : BigInt(last);
}

/** Compares the tokens that transactions of the window created with their code. */
async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const [from, to] = positionsOf(window);
  const filled = await readBackfill(db, NAME);
  const end = filled === undefined || filled >= to ? to : filled + 1n;
  const { rows } = await db.query<{ contract_id: string; position: string; kind: number }>({
    name: 'verify.tokens',
    text: 'SELECT contract_id, position, kind FROM tokens WHERE created AND position >= $1 AND position < $2',
    values: [from, end],
  });
  const created = window.transactions.filter(({ position }) => position < end).flatMap(recomputed);
  return [
    ...compareAll(
      'tokens',
      ([position]) => heightOfPosition(position!),
      created.map(({ id, position, kind }) => [[position, id], { kind }]),
      rows.map((row) => [[row.position, row.contract_id], row]),
    ),
    ...(await returnedDifferences(db, from, end)),
  ];
}

/** Compares contracts in results of calls with the results. Not of calls that are decoded again, and not contracts that a stored transaction creates. */
async function returnedDifferences(db: Queryable, from: bigint, end: bigint): Promise<Difference[]> {
  const { rows } = await db.query<{ id: string; position: string; is_stored: boolean }>({
    name: 'verify.returned-contracts',
    text: `
      SELECT r.id, r.position, r.is_stored
      FROM (
        SELECT i.id, c.position, false AS is_stored FROM contract_calls AS c CROSS JOIN LATERAL contracts_in(c.result) AS i
        WHERE c.position >= $1 AND c.position < $2
        UNION ALL SELECT contract_id, position, true FROM returned_contracts WHERE position >= $1 AND position < $2
      ) AS r
      WHERE NOT EXISTS (SELECT FROM contract_calls AS c WHERE c.position = r.position AND c.state = 'pending')
        AND NOT EXISTS (SELECT FROM contracts AS k WHERE k.id = r.id)`,
    values: [from, end],
  });
  const keysOf = (isStored: boolean) =>
    rows.filter((row) => row.is_stored === isStored).map(({ id, position }) => [[position, id], {}] as const);
  return compareAll('returned_contracts', ([position]) => heightOfPosition(position!), keysOf(false), keysOf(true));
}

function recomputed({ row, position, found }: Read): { id: string; position: bigint; kind: TokenKind }[] {
  const effect = found?.effect;
  if (effect?.on !== 'contract' || effect.does !== 'create') return [];
  const kind = codeKind(row);
  return kind === null ? [] : [{ id: effect.id, position, kind }];
}

function codeKind(row: Read['row']): TokenKind | null {
  try {
    const code = effectiveMember(textsOf(row), 'code');
    return code === undefined ? null : tokenKind(code);
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}

const TOKENS = 'ARRAY(SELECT contract_id FROM tokens WHERE kind > 0)';

async function verifyBalances(db: Queryable): Promise<Difference[]> {
  const columns = ['base', 'amount', 'events', 'position', 'log_index', 'told'];
  const { rows } = await db.query({
    name: 'verify.token-balances',
    text: comparison({
      expected: `SELECT contract_id, account, ${columns.join()} FROM expected_holdings(${TOKENS})`,
      stored: `SELECT contract_id, account, ${columns.join()} FROM token_balances`,
      key: ['contract_id', 'account'],
      columns,
    }),
  });
  return fromRows('token_balances', rows);
}

async function verifyOwners(db: Queryable): Promise<Difference[]> {
  const columns = ['owner', 'position', 'log_index'];
  const { rows } = await db.query({
    name: 'verify.token-owners',
    text: comparison({
      expected: `SELECT contract_id, token_id, ${columns.join()} FROM expected_owners(${TOKENS}, NULL)`,
      stored: `SELECT contract_id, token_id, ${columns.join()} FROM token_owners`,
      key: ['contract_id', 'token_id'],
      columns,
    }),
  });
  return fromRows('token_owners', rows);
}

async function verifySums(db: Queryable): Promise<Difference[]> {
  const columns = ['supply', 'holders', 'logs'];
  const { rows } = await db.query({
    name: 'verify.token-sums',
    text: comparison({
      expected: 'SELECT * FROM expected_sums(ARRAY(SELECT contract_id FROM tokens))',
      stored: `SELECT contract_id, ${columns.join()} FROM tokens`,
      key: ['contract_id'],
      columns,
    }),
  });
  return fromRows('tokens', rows);
}

/** Nobody but a node can tell again what it answered; that something of it was changed since then is seen. */
async function verifyAnswers(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.token-answers',
    text: `
      SELECT t.contract_id AS key, NULL AS height, 'answers' AS column_name, answers_of(t) AS expected, t.answers AS stored
      FROM tokens AS t WHERE is_misquoted(t) LIMIT ${MAX_ROWS}`,
  });
  return fromRows('tokens', rows);
}

/** The same of what tokens told that are marked; and that the blocks at which they told it are still in the chain. */
async function verifyTold(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.token-told',
    text: `
      SELECT t.contract_id AS key, NULL AS height, 'told_sum' AS column_name, told_of(t) AS expected, t.told_sum AS stored
      FROM tokens AS t WHERE is_mistold(t) LIMIT ${MAX_ROWS}`,
  });
  return fromRows('tokens', rows);
}

/** Contracts that logs, calls and their results show and that no stored transaction created. */
async function verifySeen(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const { rows } = await db.query({
    name: 'verify.tokens-seen',
    text: comparison({
      expected: `
        SELECT s.contract_id, min(s.position) AS position
        FROM (
          SELECT contract_id, position FROM contract_logs UNION ALL SELECT contract_id, position FROM contract_calls
          UNION ALL SELECT contract_id, position FROM returned_contracts
        ) AS s
        WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = s.contract_id) GROUP BY s.contract_id`,
      stored: 'SELECT contract_id, position FROM tokens WHERE NOT created',
      key: ['contract_id'],
      columns: ['position'],
    }),
  });
  return fromRows('tokens', rows);
}

async function mend(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  // Their kind is asked for again.
  await tx.query({
    name: 'tokens.mend-kinds',
    text: `
      SELECT drop_tokens(ARRAY(
        SELECT t.contract_id FROM tokens AS t
        WHERE t.contract_id = ANY ($1::text[]) AND NOT t.created AND is_misquoted(t)
          AND (t.kind = 0 OR t.kind::text IS DISTINCT FROM split_part(t.answers, ' ', 1))
      ))::text`,
    values: [ids],
  });
  await tx.query({
    name: 'tokens.mend-answers',
    text: `
      UPDATE tokens AS t SET meta_state = 'due', attempts = 0, due_at = now(), ${onlyIf('t.answers IS NOT NULL')}
      WHERE t.contract_id = ANY ($1::text[]) AND t.kind > 0 AND (t.meta_state <> 'due' OR t.answers IS NULL) AND is_misquoted(t)`,
    values: [ids],
  });
  await tx.query({
    name: 'tokens.mend-told',
    text: `
      SELECT take_back_checks(ARRAY(SELECT t.contract_id FROM tokens AS t WHERE t.contract_id = ANY ($1::text[]) AND is_mistold(t)))::text`,
    values: [ids],
  });
  await seeTokens(tx, ids);
  await fillTokens(tx, ids);
}

export const tokens: Projection = {
  name: NAME,
  written:
    'tokens that transactions create, in the commit of the block; others when a node has answered their code; balances and owners with the logs, by triggers of `contract_logs`',
  tables: [
    {
      name: 'tokens',
      rows: 'SELECT contract_id, position, created, kind, supply, holders, logs FROM tokens WHERE kind > 0 ORDER BY contract_id',
    },
    { name: 'returned_contracts', rows: 'SELECT * FROM returned_contracts ORDER BY contract_id, position' },
    { name: 'token_balances', rows: 'SELECT * FROM token_balances ORDER BY contract_id, account' },
    { name: 'token_owners', rows: 'SELECT * FROM token_owners ORDER BY contract_id, token_id' },
  ],
  writes: {
    append: async (tx, { transactions, operations }) => {
      await insertTokens(tx, createdIn(transactions));
      await insertCalled(tx, operations);
    },
    undo: async (tx, { range }) => {
      const checked = await checkedAbove(tx, range.from);
      const ids = await undo(tx, range);
      return async () => {
        await seeTokens(tx, ids);
        await takeBackChecks(tx, checked);
      };
    },
    replace: async (tx, { range, added: { transactions, operations }, isUnchanged }) => {
      const created = createdIn(transactions);
      // What the node said of tokens that are created again by the same transactions stays.
      const kept = new Set(isUnchanged ? created.flatMap(({ id, kind }) => (kind === null ? [] : [id])) : []);
      const checked = isUnchanged ? [] : await checkedAbove(tx, range.from);
      const ids = await undo(tx, range, kept);
      return async () => {
        await insertTokens(tx, created);
        await insertCalled(tx, operations);
        await seeTokens(tx, ids);
        await takeBackChecks(tx, checked);
      };
    },
  },
  backfill,
  window: differences,
  wholeChecks: [verifyAnswers, verifyTold, verifyBalances, verifyOwners, verifySums, verifySeen],
  mend: async (write, wrong) => {
    const ids = new Set(
      ['tokens', 'token_balances', 'token_owners'].flatMap((table) => wrong(table).map(([id]) => id)),
    );
    for (const some of inChunks([...ids])) await write((tx) => mend(tx, some));
  },
};
