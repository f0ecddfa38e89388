/** Contracts, their calls, and the codes of contracts that a contract created. A node alone knows these codes: see `store/contracts`. */
import { derive } from '../../chain/derive.js';
import { readTransaction } from '../../chain/facts.js';
import { MalformedError } from '../../chain/malformed.js';
import { stringifyExact } from '../../chain/encoding/json.js';
import type { Operation } from '../../chain/operations.js';
import { effectiveMember } from '../../chain/recompute/transaction.js';
import type { StoredText } from '../../chain/recompute/transaction.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Placed, Range } from '../facts/blocks.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { membersOf } from '../facts/read.js';
import type { Read } from '../facts/read.js';
import { positionsOf } from '../facts/window.js';
import type { TransactionRow } from '../facts/window.js';
import type { CallDecoder, CheckedWindow, Projection } from './projection.js';
import { isStray, strayValues } from './strays.js';

/** Where a contract was created or called. */
type Place = readonly [id: string, position: bigint];

const NAME = 'contracts';

/** Calls of one part of a backfill. */
const PART = 1_000;

const placesOf = (operations: readonly Placed<Operation>[], does: 'create' | 'call'): Place[] =>
  operations.flatMap(({ op, position }) => (op.on === 'contract' && op.op === does ? [[op.id, position]] : []));

async function append(db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> {
  await insertContracts(db, placesOf(operations, 'create'));
  await insertCalls(db, operations);
}

async function insertContracts(db: Queryable, created: readonly Place[]): Promise<void> {
  const positions = new Map(created);
  if (positions.size === 0) return;
  const ids = [...positions.keys()];
  await db.query({
    name: 'contracts.insert',
    text: `
      INSERT INTO contracts (id, position) SELECT * FROM unnest($1::text[], $2::bigint[])
      ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, outcome_known = false, attempts = 0, due_at = now(),
        failed = contracts.failed AND contracts.position = EXCLUDED.position`,
    values: [ids, [...positions.values()]],
  });
  await db.query({
    name: 'contract_calls.known',
    text: `
      UPDATE contract_calls SET state = 'pending', due_at = now()
      WHERE position = ANY (ARRAY(
        SELECT c.position FROM unnest($1::text[]) AS w (id)
        CROSS JOIN LATERAL (SELECT position, state FROM contract_calls WHERE contract_id = w.id OFFSET 0) AS c
        WHERE c.state = 'unknown'
      ))`,
    values: [ids],
  });
  await db.query({
    name: 'contract_codes.created',
    text: 'DELETE FROM contract_codes WHERE contract_id = ANY ($1::text[])',
    values: [ids],
  });
}

/** Inserts calls, whose arguments are to be decoded: those without call information when it is known. */
async function insertCalls(db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> {
  const calls = placesOf(operations, 'call');
  if (calls.length === 0) return;
  const ids = calls.map(([id]) => id);
  // No stored transaction created these contracts, so their code is read from the node.
  await db.query({
    name: 'contract_codes.insert',
    text: `
      INSERT INTO contract_codes (contract_id)
      SELECT DISTINCT c.id FROM unnest($1::text[]) AS c (id)
      WHERE (SELECT k.id FROM contracts k WHERE k.id = c.id) IS NULL
      ON CONFLICT (contract_id) DO NOTHING`,
    values: [ids],
  });
  await db.query({
    name: 'contract_calls.insert',
    text: `
      INSERT INTO contract_calls (position, contract_id, caller_id, state, due_at)
      SELECT c.position, c.contract_id, c.caller_id, CASE
          WHEN (SELECT k.id FROM contracts k WHERE k.id = c.contract_id) IS NULL
            AND (SELECT o.code FROM contract_codes o WHERE o.contract_id = c.contract_id) IS NULL THEN 'unknown'
          ELSE 'pending'
        END, CASE WHEN EXISTS (SELECT FROM due_infos AS d WHERE d.position = c.position) THEN 'infinity' ELSE now() END
      FROM unnest($1::bigint[], $2::text[], $3::text[]) AS c (position, contract_id, caller_id)
      ON CONFLICT (position) DO UPDATE SET caller_id = EXCLUDED.caller_id
      WHERE contract_calls.caller_id IS DISTINCT FROM EXCLUDED.caller_id`,
    values: [calls.map(([, position]) => position), ids, operations.flatMap(callersOf)],
  });
}

/** Of an operation that is a call: who calls. */
const callersOf = ({ op }: { op: Operation }): (string | null)[] =>
  op.on === 'contract' && op.op === 'call' ? [op.caller] : [];

/** Stores who made the calls that an earlier version stored. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ position: string; body: string; info: string | null }>({
    name: 'contract_calls.backfill',
    text: `
      SELECT c.position, t.body, i.body AS info
      FROM (SELECT position FROM contract_calls WHERE position > $1 ORDER BY position LIMIT $2) AS c
      JOIN transactions AS t ON t.position = c.position
      LEFT JOIN infos AS i ON i.position = c.position
      ORDER BY c.position`,
    values: [after, PART],
  });
  const callers = rows.map(
    ({ body, info }) =>
      derive({ ...readTransaction(body), info }).operations.flatMap((op) => callersOf({ op }))[0] ?? null,
  );
  await tx.query({
    name: 'contract_calls.callers',
    text: `
      UPDATE contract_calls AS c SET caller_id = w.caller_id
      FROM unnest($1::bigint[], $2::text[]) AS w (position, caller_id)
      WHERE c.position = w.position AND c.caller_id IS DISTINCT FROM w.caller_id`,
    values: [rows.map(({ position }) => position), callers],
  });
  return rows.length < PART ? null : BigInt(rows.at(-1)!.position);
}

async function undo(db: Queryable, range: Range): Promise<void> {
  const values = [range.from, range.to];
  // Codes of contracts that a contract created and that only the range calls: another branch may have other code under the same id.
  await db.query({
    name: 'contract_codes.undo',
    text: `
      DELETE FROM contract_codes AS o
      WHERE o.contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)
        AND NOT EXISTS (
          SELECT FROM contract_calls AS c WHERE c.contract_id = o.contract_id AND (c.position < $1 OR c.position >= $2)
        )`,
    values,
  });
  await db.query({
    name: 'contract_calls.undo',
    text: 'DELETE FROM contract_calls WHERE position >= $1 AND position < $2',
    values,
  });
  // Calls above the range of contracts that the range created.
  await db.query({
    name: 'contract_calls.undo-code',
    text: `
      UPDATE contract_calls SET state = 'unknown', arguments = NULL, result = NULL
      WHERE position = ANY (ARRAY(
        SELECT c.position FROM contracts k
        CROSS JOIN LATERAL (SELECT position FROM contract_calls WHERE contract_id = k.id OFFSET 0) AS c
        WHERE k.position >= $1 AND k.position < $2
      ))`,
    values,
  });
  await db.query({
    name: 'contracts.undo',
    text: 'DELETE FROM contracts WHERE position >= $1 AND position < $2',
    values,
  });
}

/** Deletes contracts and calls of the range that none of its operations created. */
async function deleteStrays(db: Queryable, range: Range, operations: readonly Placed<Operation>[]): Promise<void> {
  const created = placesOf(operations, 'create');
  const calls = placesOf(operations, 'call');
  await db.query({
    name: 'contracts.strays',
    text: `DELETE FROM contracts AS s WHERE ${isStray('id', 'position')}`,
    values: strayValues(range, created),
  });
  await db.query({
    name: 'contract_calls.strays',
    text: `DELETE FROM contract_calls AS s WHERE ${isStray('contract_id', 'position')}`,
    values: strayValues(range, calls),
  });
}

/** Schedules the calls and contracts of a range to be decoded again; their present values stay until then. */
async function redecode(db: Queryable, range: Range): Promise<void> {
  const values = [range.from, range.to];
  await db.query({
    name: 'contract_calls.redecode',
    text: `
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
      WHERE position >= $1 AND position < $2 AND state <> 'unknown'`,
    values,
  });
  await db.query({
    name: 'contract_codes.redecode',
    text: `
      UPDATE contract_codes SET code = NULL, code_at = NULL, attempts = 0, due_at = now()
      WHERE contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)`,
    values,
  });
}

/** Calls of the range wait for their call information, if that is to be read again. */
async function awaitInfos(db: Queryable, range: Range): Promise<void> {
  await db.query({
    name: 'contract_calls.await-infos',
    text: `
      UPDATE contract_calls AS c SET due_at = 'infinity'
      FROM due_infos AS d
      WHERE d.position >= $1 AND d.position < $2 AND c.position = d.position AND c.state = 'pending'`,
    values: [range.from, range.to],
  });
}

interface ContractRow {
  id: string;
  position: string;
}

interface CallRow {
  position: string;
  contract_id: string;
  caller_id: string | null;
  state: string;
  arguments: string | null;
  result: string | null;
}

/** A called contract, and the texts that have its code. */
interface CalledRow {
  id: string;
  /** Text of the transaction that created the contract; null if it is not stored. */
  body: string | null;
  info: string | null;
  tx_start: number | null;
  tx_length: number | null;
  /** Code from the node, of a contract that a contract created. */
  known_code: string | null;
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const { transactions } = window;
  const bounds = positionsOf(window);
  const { rows: calls } = await db.query<CallRow>({
    name: 'verify.calls',
    text: `SELECT position, contract_id, caller_id, state, arguments, result FROM contract_calls
    WHERE position >= $1 AND position < $2 ORDER BY position`,
    values: bounds,
  });
  const { rows: contracts } = await db.query<ContractRow>({
    name: 'verify.contracts',
    text: 'SELECT id, position FROM contracts WHERE position >= $1 AND position < $2',
    values: bounds,
  });
  const { rows: called } = await db.query<CalledRow>({
    name: 'verify.called',
    text: `SELECT c.id, t.body, i.body AS info, t.tx_start, t.tx_length, o.code AS known_code
      FROM unnest($1::text[]) AS c (id)
      LEFT JOIN contracts AS k ON k.id = c.id
      LEFT JOIN transactions AS t ON t.position = k.position
      LEFT JOIN infos AS i ON i.position = k.position
      LEFT JOIN contract_codes AS o ON o.contract_id = c.id`,
    values: [[...new Set(calls.map((call) => call.contract_id))]],
  });
  const codes = new Map(called.map((contract) => [contract.id, codeOf(contract)]));
  return [
    ...contractDifferences(transactions, contracts),
    ...callDifferences(transactions, calls, { codes, reader: window.calls, filled: await readBackfill(db, NAME) }),
  ];
}

function contractDifferences(transactions: readonly Read[], rows: readonly ContractRow[]): Difference[] {
  const expected = transactions.flatMap(({ row, found }) => {
    const effect = found?.effect;
    return effect?.on === 'contract' && effect.does === 'create' ? [[[row.position, effect.id], {}] as const] : [];
  });
  const stored = rows.map(({ id, position }) => [[position, id], {}] as const);
  return compareAll('contracts', ([position]) => heightOfPosition(position!), expected, stored);
}

function callDifferences(
  transactions: readonly Read[],
  calls: readonly CallRow[],
  {
    codes,
    reader,
    filled,
  }: {
    codes: ReadonlyMap<string, Code | null>;
    reader: CallDecoder;
    /** Position up to which callers are stored; undefined if all are. */
    filled: bigint | undefined;
  },
): Difference[] {
  const stored = new Map(calls.map((row) => [row.position, row]));
  const expected: [Key, object][] = [];
  for (const { row, found } of transactions) {
    const effect = found?.effect;
    if (effect?.on !== 'contract' || effect.does !== 'call') continue;
    const call = stored.get(row.position);
    const columns = call && decoded(row, effect.data, call, codes.get(call.contract_id) ?? null, reader);
    const hasCaller = filled === undefined || BigInt(row.position) <= filled;
    expected.push([
      [row.position],
      { contract_id: effect.id, ...(hasCaller && { caller_id: effect.caller }), ...columns },
    ]);
  }
  return compareAll(
    'contract_calls',
    ([position]) => heightOfPosition(position!),
    expected,
    calls.map((call) => [[call.position], call]),
  );
}

/** The expected columns of a call in its present state. A call that waits to be decoded again has the columns of the last decoding. */
function decoded(
  row: TransactionRow,
  data: string | undefined,
  call: CallRow,
  known: Code | null,
  reader: CallDecoder,
): Partial<CallRow> {
  if (known === null) return { state: 'unknown', arguments: null, result: null };
  const { code } = known;
  const decoded = code !== undefined && data !== undefined ? reader.decodeCall(code, data) : null;
  // Only a compiler service can have decoded it, so its arguments and result cannot be verified here.
  if (decoded === null) {
    if (call.state === 'pending' || (call.state === 'done' && call.arguments !== null)) return {};
    return { state: 'failed', arguments: null, result: null };
  }
  if (call.state === 'pending' && call.arguments === null) return { result: null };
  const expected = { state: call.state === 'pending' ? 'pending' : 'done', arguments: stringifyExact(decoded) };
  // The call information was removed with the block; it will be read when the call is decoded again.
  if (call.state === 'pending' && row.info === null) return expected;
  return { ...expected, result: resultOf(row.info, code!, decoded.function, reader) };
}

interface Code {
  /** Undefined if the transaction that created the contract has no code that can be read. */
  code: string | undefined;
}

/** The code in the transaction that created the contract, or the code from the node if a contract created it; null if not known. */
function codeOf({ body, info, tx_start: txStart, tx_length: txLength, known_code: known }: CalledRow): Code | null {
  if (body !== null) return { code: memberOr({ body, info, txStart: txStart!, txLength: txLength! }, 'code') };
  return known === null ? null : { code: known };
}

function resultOf(info: string | null, code: string, name: string, reader: CallDecoder): string | null {
  const call = info === null ? undefined : callIn(membersOf(info));
  const value = call?.['return_value'];
  if (call?.['return_type'] !== 'ok' || typeof value !== 'string') return null;
  const result = reader.decodeResult(code, name, value);
  return result === null ? null : stringifyExact(result);
}

type Members = Record<string, unknown>;

/** The result of the call; that of a call in a GAMetaTx is inside the result of the authentication. */
function callIn(result: Members): Members | undefined {
  let at: Members | null | undefined = result;
  while (at != null && at['call_info'] === undefined) {
    at = (at['ga_info'] as Members | null | undefined)?.['inner_object'] as Members | null | undefined;
  }
  return at?.['call_info'] as Members | undefined;
}

function memberOr(texts: StoredText, name: string): string | undefined {
  try {
    return effectiveMember(texts, name);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

export const contracts: Projection = {
  name: NAME,
  written:
    'in the commit of the block; whether a creation failed, the arguments of calls, and the codes of contracts that a contract created, when the node has answered them (`store/contracts`, `store/calls`)',
  tables: [
    { name: 'contracts', rows: 'SELECT id, position FROM contracts ORDER BY id' },
    {
      name: 'contract_calls',
      rows: 'SELECT position, contract_id, caller_id, state, arguments, result FROM contract_calls ORDER BY position',
      isPartitioned: true,
    },
    { name: 'contract_codes' },
  ],
  writes: {
    append: (tx, { operations }) => append(tx, operations),
    undo: async (tx, { range }) => {
      await undo(tx, range);
      return undefined;
    },
    replace: async (tx, { range, added: { operations }, isUnchanged }) => {
      if (isUnchanged) {
        await redecode(tx, range);
        await deleteStrays(tx, range, operations);
      } else await undo(tx, range);
      return async () => {
        await append(tx, operations);
        await awaitInfos(tx, range);
      };
    },
  },
  backfill,
  window: differences,
};
