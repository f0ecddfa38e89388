import { LAST_POSITION } from '../chain/position.js';
import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';
import { seeReturned } from './tokens.js';

/** A transaction whose call information is to be read, or whose contract call is to be decoded. */
export interface DueCall {
  position: bigint;
  hash: string;
  /** Exact text of the transaction. */
  body: string;
  /** The contract of a call that can be decoded; null for others. */
  contractId: string | null;
  dueAt: string;
  attempts: number;
  /** Identifies the code: another branch may have other code under the same contract id. Empty without code. */
  codeId: string;
  /** Call information; null if it is to be read. */
  info: string | null;
}

/** SQL expression that identifies the code of the contract of call `c`; null while the code is not known. */
const CODE_ID = `
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
     WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  )`;

/** The place of a row in the order of due times. */
type DuePlace = Pick<DueCall, 'dueAt' | 'position'>;

/** Calls with known call information that are due to be decoded, in the order of their due times; with `after` only those after that call. */
export async function dueCalls(db: Queryable, limit: number, after?: DuePlace): Promise<DueCall[]> {
  const { rows } = await db.query<DueCall & { position: string }>({
    name: 'contract_calls.due',
    text: `
      SELECT c.position, t.hash, t.body, c.contract_id AS "contractId", c.due_at::text AS "dueAt", c.attempts,
        COALESCE(${CODE_ID}, '') AS "codeId", i.body AS info
      FROM (
        SELECT position, contract_id, due_at, attempts FROM contract_calls
        WHERE state = 'pending' AND due_at <= now() AND (due_at, position) > ($2::timestamptz, $3::bigint)
        ORDER BY due_at, position LIMIT $1
      ) c
      JOIN transactions t ON t.position = c.position
      LEFT JOIN infos AS i ON i.position = c.position
      ORDER BY c.due_at, c.position`,
    values: [limit, after?.dueAt ?? '-infinity', after?.position ?? -1n],
  });
  return rows.map(withPosition);
}

/** Transactions whose call information is due to be read: those of new blocks, or (in the order of their due times) the others. */
export async function dueInfos(
  db: Queryable,
  of: 'new blocks' | 'others',
  limit: number,
  after?: DuePlace,
): Promise<DueCall[]> {
  const isNew = of === 'new blocks';
  const { rows } = await db.query<DueCall & { position: string }>({
    name: 'due_infos.due',
    text: `
      SELECT d.position, t.hash, t.body, c.contract_id AS "contractId", d.due_at::text AS "dueAt", d.attempts,
        COALESCE(${CODE_ID}, '') AS "codeId", NULL AS info
      FROM (
        SELECT position, due_at, attempts FROM due_infos
        WHERE due_at <= CASE WHEN $2::boolean THEN '-infinity' ELSE now() END AND (due_at, position) > ($3::timestamptz, $4::bigint)
        ORDER BY due_at, position LIMIT $1
      ) AS d
      JOIN transactions AS t ON t.position = d.position
      LEFT JOIN contract_calls AS c ON c.position = d.position AND c.state <> 'unknown'
      ORDER BY d.due_at, d.position`,
    values: [limit, isNew, after?.dueAt ?? '-infinity', after?.position ?? (isNew ? -1n : LAST_POSITION)],
  });
  return rows.map(withPosition);
}

const withPosition = (row: DueCall & { position: string }): DueCall => ({ ...row, position: BigInt(row.position) });

/** The code of a contract: in its creation, or as the node returned it. */
interface ContractCode {
  codeId: string;
  /** Exact text of the transaction that created the contract; null if a contract created it. */
  creation: string | null;
  /** Code from the node (`cb_…`); null if a transaction created the contract. */
  code: string | null;
}

/** The known codes of these contracts. */
export async function contractCodes(db: Queryable, contracts: readonly string[]): Promise<ContractCode[]> {
  const { rows } = await db.query<ContractCode>({
    name: 'contracts.codes',
    text: `
      SELECT ${CODE_ID} AS "codeId", t.body AS creation, o.code
      FROM unnest($1::text[]) AS c (contract_id)
      LEFT JOIN contracts k ON k.id = c.contract_id
      LEFT JOIN transactions t ON t.position = k.position
      LEFT JOIN contract_codes o ON o.contract_id = c.contract_id
      WHERE t.body IS NOT NULL OR o.code IS NOT NULL`,
    values: [contracts],
  });
  return rows;
}

/** Number of calls that wait to be decoded, and of other transactions whose call information is to be read. It counts rows, so do not call it for each batch. */
export async function pendingCalls(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'contract_calls.pending',
    text: `
      SELECT (SELECT count(*) FROM contract_calls WHERE state = 'pending') + (
        SELECT count(*) FROM due_infos AS d
        WHERE NOT EXISTS (SELECT FROM contract_calls AS c WHERE c.position = d.position AND c.state = 'pending')
      ) AS count`,
  });
  return Number(rows[0]?.count ?? 0);
}

/** Result of decoding a call: JSON texts, or null if it cannot be decoded. */
export interface DecodedCall extends Pick<DueCall, 'position' | 'hash' | 'codeId'> {
  arguments: string | null;
  result: string | null;
}

/** Stores decoded calls, except those that a reorg moved and those whose contract has other code now. */
export async function saveDecoded(db: Queryable, calls: readonly DecodedCall[]): Promise<void> {
  if (calls.length === 0) return;
  // OFFSET 0: the code is looked up for these calls only. Otherwise PostgreSQL may look it up for all calls and then join.
  await db.query({
    name: 'contract_calls.decoded',
    text: `
      UPDATE contract_calls c
      SET state = CASE WHEN d.arguments IS NULL THEN 'failed' ELSE 'done' END, arguments = d.arguments, result = d.result
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) AS d (position, hash, code_id, arguments, result)
      CROSS JOIN LATERAL (
        SELECT c.position, ${CODE_ID} AS code_id
        FROM contract_calls c JOIN transactions t ON t.position = c.position
        WHERE c.position = d.position AND t.hash = d.hash
        OFFSET 0
      ) AS now
      WHERE c.position = now.position AND now.code_id = d.code_id`,
    values: [
      calls.map((call) => call.position),
      calls.map((call) => call.hash),
      calls.map((call) => call.codeId),
      calls.map((call) => call.arguments),
      calls.map((call) => call.result),
    ],
  });
  await seeReturned(
    db,
    calls.filter(({ result }) => result?.includes('"type":"contract"')).map(({ position }) => position),
  );
}

/** Postpones calls that could not be decoded for a temporary reason; the pauses grow to an hour. Not those that wait for their call information. */
export async function postponeCalls(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await db.query({
    name: 'contract_calls.postpone',
    text: `
      UPDATE contract_calls
      SET ${postponed(1, 3600)}
      WHERE position = ANY ($1::bigint[]) AND due_at < 'infinity'`,
    values: [positions],
  });
}
