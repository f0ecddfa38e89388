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
  /** `"rows": […], "complete": …`: members of an object. */
  body: string;
  /** Position and index of the last movement that was looked at, if the list continues after it. */
  next: string | null;
}

/** Above each index. */
const MAX_INDEX = 2 ** 15;

const isBefore = (a: MovementPlace, b: MovementPlace): boolean =>
  a.position < b.position || (a.position === b.position && a.index < b.index);

/** The place behind which a list begins: `after`, or the end of the range if that is nearer. */
function startOf(
  after: MovementPlace | null,
  forward: boolean,
  { low, high }: Pick<LedgerOf, 'low' | 'high'>,
): MovementPlace {
  const end = forward ? { position: low, index: -1 } : { position: high, index: MAX_INDEX };
  return after !== null && (forward ? isBefore(end, after) : isBefore(after, end)) ? after : end;
}

/** No index has the kinds. So that rare ones cost no more, a page of them looks at so many rows, and may be short. */
const LOOKED_AT = 1_000;

const codesOf = (kinds: readonly Kind[]): number[] => kinds.map((kind) => KINDS[kind].code);

const NAMES = Object.entries(KINDS).reduce<string[]>((names, [name, { code }]) => {
  names[code - 1] = name;
  return names;
}, []);

/** SQL expression: the name of a kind by its code. The names are constants of this program, so they need no parameters. */
export const kindName = (code: string): string => `('{${NAMES.join()}}'::text[])[${code}]`;

/**
 * Rows of the account `$1` from the place `$2`, `$3` on, at the positions `$4` to `$5`. The place is within the positions, and the end on its side is not
 * compared again: an index scan would begin at that end.
 */
const rowsFrom = (forward: boolean, limit: string, columns = 'r.*'): string => `
    SELECT ${columns} FROM movement_rows AS r
    WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND ${forward ? 'r.position <= $5::bigint' : 'r.position >= $4::bigint'} AND $4::bigint <= $5::bigint
      AND (r.position, r.index) ${forward ? '>=' : '<='} ($2::bigint, $3::int)
    ORDER BY ${orderOf('r', forward)} LIMIT ${limit}`;

/** Whether a movement is behind the place. */
const isBehind = (m: string, index: string, forward: boolean): string =>
  `(${m}.position, ${index}) ${forward ? '>' : '<'} ($2::bigint, $3::int)`;

/**
 * Movements of the account `$1` behind the place `$2`, `$3`, at the positions `$4` to `$5`, at most `$6`. Rows are limited before they are divided into
 * movements: the first one may be that of the place, and have none behind it.
 */
const movementsOf = (forward: boolean): string => `
  SELECT m.* FROM (${rowsFrom(forward, '$6::bigint + 1')}) AS r
  CROSS JOIN LATERAL (
    VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
      (r.position, r.index - 1, ${KINDS.fee.code}, r.fee, r.balance - r.amount, NULL, false)
  ) AS m (position, index, kind, amount, balance, counterparty, from_node)
  WHERE m.amount IS NOT NULL AND ${isBehind('m', 'm.index', forward)}
  ORDER BY ${orderOf('m', forward)} LIMIT $6::bigint`;

const orderOf = (m: string, forward: boolean): string =>
  forward ? `${m}.position, ${m}.index` : `${m}.position DESC, ${m}.index DESC`;

/**
 * The transaction `t` and the block `b` of a movement or a row `m`, and its counterparty `c`. Each is looked up: PostgreSQL does not know how short a page
 * is, and would read whole tables for one. What a key block does is at its position, which no transaction has.
 */
const PLACED = `
  LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
  LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
  LEFT JOIN LATERAL (
    SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = ${microBlockOf('m.position')} AND m.position & 8589934591 <> 0
    UNION ALL
    SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND m.position & 8589934591 = 0
    LIMIT 1
  ) AS b ON true`;

/**
 * The first position of which movements may be missing or wrong; null if there is none. A balance builds on all below it, so it is one for all accounts.
 * `OFFSET 0`: each is read once, not wherever it is used. `d`: of the last block that is written, and the first micro block above it. What is stored above it
 * is not, from the next block on.
 */
export const FIRST_UNKNOWN = `
  SELECT LEAST(
    (SELECT g.position FROM ledger_gaps AS g ORDER BY g.position LIMIT 1),
    (SELECT r.height FROM ledger_rewrites AS r ORDER BY r.height LIMIT 1) << 33,
    d.above,
    CASE WHEN d.above IS NOT NULL OR (SELECT k.height FROM key_blocks AS k ORDER BY k.height DESC LIMIT 1) << 33 > d.position
    THEN ((d.position >> 33) + 1) << 33 END
  ) AS position
  FROM (
    SELECT d.position, (SELECT b.position FROM micro_blocks AS b WHERE b.position > d.position ORDER BY b.position LIMIT 1) AS above
    FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position OFFSET 0) AS d
    OFFSET 0
  ) AS d
  OFFSET 0`;

/** Members of an answer about the chain up to a position. */
export const completeness = (unknown: string, position: string): string => `
  '"complete":' || CASE WHEN ${unknown} <= ${position} THEN 'false,"incomplete_since":' || (${unknown} >> 33) ELSE 'true' END`;

const PLACE = `'{"height":', m.position >> 33, ',"time":', b.time, ',"block_hash":"', b.hash, '","transaction_hash":', COALESCE('"' || t.hash || '"', 'null')`;

/** SQL: the movement of a row `m` as JSON. */
const MOVEMENT = `concat(${PLACE}, ',"kind":"', ${kindName('abs(m.kind)')}, '","amount":', m.amount, ',"balance":', m.balance, ',"counterparty":',
          COALESCE('"' || c.id || '"', 'null'), ',"source":"', CASE WHEN m.kind < 0 THEN 'node' ELSE 'chain' END, '"}')`;

/** SQL: the fee that is stored with it. */
const FEE = `concat(${PLACE}, ',"kind":"fee","amount":', m.fee, ',"balance":', m.balance - m.amount, ',"counterparty":null,"source":"chain"}')`;

/**
 * A page of the movements of an account, newest first or (`forward`) oldest first. A fee and what is stored with it are of one transaction, so what they show
 * is looked up once for both, and only for rows of the page.
 */
export function ledgerPage(
  db: Queryable,
  { account, kinds, low, high }: LedgerOf,
  { forward, after, take }: { forward: boolean; after: MovementPlace | null; take: number },
): Promise<Answer<LedgerRow>> {
  const start = startOf(after, forward, { low, high });
  const isListed = (index: string, kind: string): string =>
    `${isBehind('r', index, forward)}${kinds === null ? '' : ` AND ${kind} = ANY($7::int[])`}`;
  const movement = {
    count: `(${isListed('r.index::int', 'abs(r.kind)::int')})::int`,
    index: 'm.index',
    json: MOVEMENT,
  };
  const fee = {
    count: `(r.fee IS NOT NULL AND ${isListed('r.index - 1', String(KINDS.fee.code))})::int`,
    ...{ index: 'm.index - 1', json: FEE },
  };
  const [first, second] = forward ? [fee, movement] : [movement, fee];
  // How many of the list are before those of the row.
  const before = '(m.through - m.first - m.second)';
  const looked = kinds === null ? '$6::bigint + 2' : `(SELECT ${LOOKED_AT})`;
  const last = `m.number = ${LOOKED_AT}`;
  const lastPlace = `concat(m.position, '.', m.index${forward ? '' : ' - (m.fee IS NOT NULL)::int'})`;
  return answer<LedgerRow>(db, {
    name: `ledger.page${kinds === null ? '' : '.kinds'}${forward ? '.oldest' : ''}`,
    // The first row may be that of the place, and the last one only tells that the list continues.
    text: `
      SELECT '"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.before < $6::bigint AND page.before < page.through), '') || '],' ||
        (SELECT ${completeness('u.position', '$5::bigint')} FROM (${FIRST_UNKNOWN}) AS u) AS body,
        CASE WHEN max(page.through) > $6::bigint THEN max(page.place)${kinds === null ? '' : ' ELSE max(page.last_place)'} END AS next
      FROM (
        SELECT ${before} AS before, m.through,
          CASE WHEN ${before} < $6::bigint AND m.through >= $6::bigint
          THEN concat(m.position, '.', CASE WHEN m.through - m.second = $6::bigint THEN ${first.index} ELSE ${second.index} END) END AS place,
          ${kinds === null ? '' : `CASE WHEN ${last} THEN ${lastPlace} END AS last_place,`}
          concat_ws(',', CASE WHEN m.first = 1 THEN ${first.json} END, CASE WHEN m.second = 1 AND m.through <= $6::bigint THEN ${second.json} END) AS body
        FROM (
          SELECT r.*, sum(r.first + r.second) OVER place AS through${kinds === null ? '' : ', row_number() OVER place AS number'}
          FROM (${rowsFrom(forward, looked, `r.position, r.index, r.kind, r.amount, r.fee, r.balance, r.counterparty, ${first.count} AS first, ${second.count} AS second`)}) AS r
          WINDOW place AS (ORDER BY ${orderOf('r', forward)} ROWS UNBOUNDED PRECEDING)
        ) AS m
        ${PLACED}
        WHERE (m.first + m.second > 0 AND ${before} <= $6::bigint)${kinds === null ? '' : ` OR ${last}`}
        ORDER BY ${orderOf('m', forward)}
      ) AS page`,
    values: [...[account, start.position, start.index, low, high, take], ...(kinds === null ? [] : [codesOf(kinds)])],
    types: ['text', 'bigint', 'int', 'bigint', 'bigint', 'bigint', ...(kinds === null ? [] : ['int[]'])],
    page: true,
    plannedOnce: true,
  });
}

/** The key block of a height, a block by its hash, or the last block up to a position. */
export type BalancePlace = { height: number } | { block: string } | { upTo: bigint };

/** SQL: the last block up to a position, with the last position that it has. What a micro block does is at the positions of its transactions. */
export const lastBlock = (position: string): string => `(
  SELECT * FROM (
    (SELECT m.hash, m.time, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.position <= ${position} ORDER BY m.position DESC LIMIT 1)
    UNION ALL (
      SELECT k.hash, k.time, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height <= ${position} >> 33 ORDER BY k.height DESC LIMIT 1
    )
  ) AS b ORDER BY b.position DESC LIMIT 1
)`;

/** SQL expression: the balance of the account with a key after a position. */
export const balanceUpTo = (account: string, position: string): string => `COALESCE((
  SELECT m.balance FROM movement_rows AS m WHERE m.account = ${account} AND m.position <= ${position}
  ORDER BY m.position DESC, m.index DESC LIMIT 1
), 0)`;

/** The balance of an account at a place of the chain. No row if there is no such block. */
export function balanceAt(
  db: Queryable,
  account: string,
  place: BalancePlace,
): Promise<Answer<{ height: string; block_hash: string; balance: string; verified: boolean; rest: string }>> {
  const [name, block, value] =
    'upTo' in place
      ? ['', lastBlock('$2::bigint'), place.upTo]
      : 'height' in place
        ? [
            '.height',
            '(SELECT k.hash, k.height << 33 AS position, k.height << 33 AS last FROM key_blocks AS k WHERE k.height = $2::bigint)',
            place.height,
          ]
        : [
            '.block',
            `(
              SELECT m.hash, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.hash = $2
              UNION ALL SELECT k.hash, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.hash = $2
            )`,
            place.block,
          ];
  return answer(db, {
    name: `ledger.balance${name}`,
    text: `
      SELECT b.position >> 33 AS height, b.hash AS block_hash,
        ${balanceUpTo('(SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text)', 'b.last')} AS balance, EXISTS (
          SELECT FROM ledger_checks AS v WHERE v.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND v.height << 33 >= b.last
        ) AS verified,
        ${completeness('u.position', 'b.last')} AS rest
      FROM ${block} AS b CROSS JOIN (${FIRST_UNKNOWN}) AS u`,
    values: [account, value],
    types: ['text', 'block' in place ? 'text' : 'bigint'],
    plannedOnce: true,
  });
}

export interface ExportedMovement {
  position: string;
  index: number;
  kind: Kind;
  amount: string;
  balance: string;
  counterparty: string | null;
  from_node: boolean;
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
  const start = startOf(after, forward, { low, high });
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
        SELECT m.position, m.index, ${kindName('m.kind')} AS kind, m.amount::text, m.balance::text, c.id AS counterparty, m.from_node, t.hash AS tx_hash,
          b.hash AS block_hash, b.time AS time
        FROM (${movementsOf(forward)}) AS m ${PLACED}
      ) AS item ON true
      ORDER BY ${orderOf('item', forward)}`,
    values: [
      ...[account, start.position, start.index, low, high, ROWS],
      ...[anchor?.position ?? null, anchor?.hash ?? null],
    ],
  });
}
