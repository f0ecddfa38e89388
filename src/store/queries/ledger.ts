/** What changed the balance of an account, and its balance at a block. */
import { KINDS } from '../../chain/money/kinds.js';
import type { Kind } from '../../chain/money/kinds.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { microBlockOf } from '../positions.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { batch } from './export-transactions.js';
import type { Anchor, Batch } from './export-transactions.js';

/** The place of a movement in the order of the chain. */
interface MovementPlace {
  position: bigint;
  index: number;
}

export interface LedgerOf {
  /** ak_ */
  account: string;
  /** Null for all. */
  kinds: readonly Kind[] | null;
  /** Positions, both inclusive. */
  low: bigint;
  high: bigint;
}

interface LedgerRow {
  /** `{"rows": […], "complete": …}`. */
  body: string;
  /** Position and index of the last movement that was looked at, if the list continues after it. */
  next: string | null;
}

/** Before the first place, and after the last one. */
const BEGINNING = { position: -1n, index: 0 };
const END = { position: 2n ** 63n - 1n, index: 0 };

const startOf = (after: MovementPlace | null, forward: boolean): MovementPlace => after ?? (forward ? BEGINNING : END);

/** No index has the kinds. So that rare ones cost no more, a page of them looks at so many movements, and may be short. */
const LOOKED_AT = 2_000;

const codesOf = (kinds: readonly Kind[]): number[] => kinds.map((kind) => KINDS[kind].code);

/** The names are constants of this program, so they need no parameters. */
const KIND_NAME = `CASE m.kind ${Object.entries(KINDS)
  .map(([name, { code }]) => `WHEN ${code} THEN '${name}'`)
  .join(' ')} END`;

/**
 * Movements of the account `$1` behind the place `$2`, `$3`, at the positions `$4` to `$5`, at most `$6`. Rows are limited before they are divided into
 * movements: the first one may be that of the place, and have none behind it.
 */
const movementsOf = (forward: boolean): string => `
  SELECT m.* FROM (
    SELECT r.* FROM movement_rows AS r
    WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position BETWEEN $4::bigint AND $5::bigint
      AND (r.position, r.index) ${forward ? '>=' : '<='} ($2::bigint, $3::int)
    ORDER BY ${orderOf('r', forward)} LIMIT $6::bigint + 1
  ) AS r
  CROSS JOIN LATERAL (
    VALUES (r.position, r.index::int, r.kind::int, r.amount, r.balance, r.counterparty),
      (r.position, r.index - 1, ${KINDS.fee.code}, r.fee, r.balance - r.amount, NULL)
  ) AS m (position, index, kind, amount, balance, counterparty)
  WHERE m.amount IS NOT NULL AND (m.position, m.index) ${forward ? '>' : '<'} ($2::bigint, $3::int)
  ORDER BY ${orderOf('m', forward)} LIMIT $6::bigint`;

const orderOf = (m: string, forward: boolean): string =>
  forward ? `${m}.position, ${m}.index` : `${m}.position DESC, ${m}.index DESC`;

/** The transaction `t` and its micro block `b`, or the key block `k` of a movement `m`, and its counterparty `c`. */
const PLACED = `
  LEFT JOIN ledger_ids AS c ON c.key = m.counterparty
  LEFT JOIN transactions AS t ON t.position = m.position
  LEFT JOIN micro_blocks AS b ON b.position = ${microBlockOf('m.position')}
  LEFT JOIN key_blocks AS k ON k.height = m.position >> 33 AND k.height << 33 = m.position`;

/**
 * The first position of which movements may be missing or wrong; null if there is none. A balance builds on all below it, so it is one for all accounts.
 * `OFFSET 0`: it is read once, not wherever it is used. `d`: of the last block that is written. What is stored above it is not, from the next block on.
 */
const FIRST_UNKNOWN = `
  SELECT LEAST(
    (SELECT min(g.position) FROM ledger_gaps AS g),
    (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
    (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
    CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
    THEN ((d.position >> 33) + 1) << 33 END
  ) AS position
  FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
  OFFSET 0`;

/** Members of an answer about the chain up to a position. */
const completeness = (unknown: string, position: string): string => `
  '"complete":' || CASE WHEN ${unknown} <= ${position} THEN 'false,"incomplete_since":' || (${unknown} >> 33) ELSE 'true' END`;

const ROW = `
  '{"height":' || (m.position >> 33) || ',"time":' || COALESCE(b.time, k.time) || ',"block_hash":"' || COALESCE(b.hash, k.hash) ||
  '","transaction_hash":' || COALESCE('"' || t.hash || '"', 'null') || ',"kind":"' || (${KIND_NAME}) || '","amount":' || m.amount ||
  ',"balance":' || m.balance || ',"counterparty":' || COALESCE('"' || c.id || '"', 'null') || ',"source":"chain"}'`;

/** A page of the movements of an account, newest first or (`forward`) oldest first. */
export function ledgerPage(
  db: Queryable,
  { account, kinds, low, high }: LedgerOf,
  { forward, after, take }: { forward: boolean; after: MovementPlace | null; take: number },
): Promise<Answer<LedgerRow>> {
  const start = startOf(after, forward);
  const size = kinds === null ? '$6::bigint' : '$7::bigint';
  const listed =
    kinds === null
      ? 'SELECT * FROM looked_at'
      : `SELECT * FROM looked_at AS m WHERE m.kind = ANY($8::int[]) ORDER BY ${orderOf('m', forward)} LIMIT ${size}`;
  const placeAfter = `
    SELECT m.position || '.' || m.index FROM looked_at AS m ORDER BY ${orderOf('m', !forward)} LIMIT 1`;
  const afterLooked = `WHEN (SELECT count(*) FROM looked_at) = $6::bigint THEN (${placeAfter})`;
  return answer<LedgerRow>(db, {
    name: `ledger.page${kinds === null ? '' : '.kinds'}${forward ? '.oldest' : ''}`,
    text: `
      WITH looked_at AS (${movementsOf(forward)})
      SELECT '{"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < ${size}), '') || '],' ||
        (SELECT ${completeness('u.position', '$5::bigint')} FROM (${FIRST_UNKNOWN}) AS u) || '}' AS body,
        CASE WHEN count(*) = ${size} THEN max(page.place) FILTER (WHERE page.number = ${size} - 1)
          ${kinds === null ? '' : afterLooked} END AS next
      FROM (
        SELECT m.number, m.position || '.' || m.index AS place, ${ROW} AS body
        FROM (SELECT m.*, row_number() OVER (ORDER BY ${orderOf('m', forward)}) AS number FROM (${listed}) AS m) AS m
        ${PLACED}
        ORDER BY m.number
      ) AS page`,
    values: [
      ...[account, start.position, start.index, low, high],
      ...(kinds === null ? [take + 1] : [LOOKED_AT, take + 1, codesOf(kinds)]),
    ],
  });
}

/** The balance of an account after the key block of a height, or at the head if it is null. No row if there is no such block. */
export function balanceAt(
  db: Queryable,
  account: string,
  height: number | null,
): Promise<Answer<{ height: string; block_hash: string; balance: string; rest: string }>> {
  // What a micro block does is at the positions of its transactions.
  const block =
    height === null
      ? `SELECT * FROM (
          (SELECT m.hash, m.position, m.position | 65535 AS last FROM micro_blocks AS m ORDER BY m.position DESC LIMIT 1)
          UNION ALL (SELECT k.hash, k.height << 33, k.height << 33 FROM key_blocks AS k ORDER BY k.height DESC LIMIT 1)
        ) AS b ORDER BY b.position DESC LIMIT 1`
      : 'SELECT k.hash, k.height << 33 AS position, k.height << 33 AS last FROM key_blocks AS k WHERE k.height = $2::bigint';
  return answer(db, {
    name: `ledger.balance${height === null ? '' : '.height'}`,
    text: `
      SELECT b.position >> 33 AS height, b.hash AS block_hash, COALESCE((
        SELECT m.balance FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position <= b.last
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) AS balance, ${completeness('u.position', 'b.last')} AS rest
      FROM (${block}) AS b CROSS JOIN (${FIRST_UNKNOWN}) AS u`,
    values: [account, ...(height === null ? [] : [height])],
  });
}

export interface ExportedMovement {
  position: string;
  index: number;
  kind: Kind;
  amount: string;
  balance: string;
  counterparty: string | null;
  /** Null for what a key block does. */
  tx_hash: string | null;
  /** Hash and time, ms since 1970, of the micro block or key block. */
  block_hash: string;
  time: string;
}

/** Rows of one batch of an export. */
const ROWS = 200;

/** The next movements of an export, of all kinds. The anchor is a transaction or a key block. */
export function ledgerBatch(
  db: Queryable,
  { account, low, high }: LedgerOf,
  forward: boolean,
  after: MovementPlace | null,
  anchor: Anchor | null,
): Promise<Batch<ExportedMovement>> {
  const start = startOf(after, forward);
  return batch<ExportedMovement>(db, {
    name: `export.ledger${forward ? '.oldest' : ''}`,
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (
        SELECT $8::text IS NULL
          OR EXISTS (SELECT FROM transactions AS t WHERE t.position = $7::bigint AND t.hash = $8)
          OR EXISTS (SELECT FROM key_blocks AS k WHERE k.height = $7::bigint >> 33 AND k.hash = $8) AS is_valid
      ) AS a
      LEFT JOIN LATERAL (
        SELECT m.position, m.index, ${KIND_NAME} AS kind, m.amount::text, m.balance::text, c.id AS counterparty, t.hash AS tx_hash,
          COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS time
        FROM (${movementsOf(forward)}) AS m ${PLACED}
      ) AS item ON true
      ORDER BY ${orderOf('item', forward)}`,
    values: [
      ...[account, start.position, start.index, low, high, ROWS],
      ...[anchor?.position ?? null, anchor?.hash ?? null],
    ],
  });
}
