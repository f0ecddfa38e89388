/**
 * Transactions of an account beyond those that name it: those that wrap others which name it, those that changed its balance, and those that
 * it signed under another id. Each source is in the order of the chain, and a page takes as many of each as it has rows.
 */
import { KINDS } from '../../chain/money/kinds.js';
import { INCLUDES, ListKind } from '../../chain/lists.js';
import { LAST_POSITION } from '../../chain/position.js';
import type { Include } from '../../chain/lists.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { ACCOUNT_COLUMNS, ANCHOR_VALID, batch, JOINED, MONEY, ROWS } from './export-transactions.js';
import type { AccountTransaction, Anchor, Batch } from './export-transactions.js';
import { WITH_TIME_AND_OUTCOME } from './outcome.js';
import { cursorPosition, cursorText, entriesBefore } from './paging/keyset.js';
import type { Cursor } from './paging/slice.js';

/** Kinds of movements of who signed a transaction: the fee, and what an oracle earns with its answer if somebody else pays the fee. */
const SIGNED = `(${KINDS.fee.code}, ${KINDS.oracle_reward.code})`;

const ENTRIES = 'FROM entries AS e WHERE e.list = l.key';

/** SQL: up to `take` positions below `before`, of the account `$1`, newest first. */
function positionsBelow(include: readonly Include[], before: string, take: string): string {
  const listed = (kind: number, id: string): string => `(
    SELECT part.position
    FROM (SELECT l.key FROM lists AS l WHERE l.kind = ${kind} AND l.id = ${id} LIMIT 1) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal ${ENTRIES} ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (${entriesBefore(before, '<', 'e.ordinal', ENTRIES)}) AS below
    CROSS JOIN LATERAL (
      SELECT e.position ${ENTRIES} AND e.ordinal <= below.count AND e.ordinal > below.count - ${take}
      ORDER BY e.ordinal DESC LIMIT ${take}
    ) AS part
  )`;
  const own = 'm.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text)';
  // Not those of key blocks.
  const moved = `(
    SELECT DISTINCT m.position FROM movement_rows AS m
    WHERE ${own} AND m.position < ${before} AND m.position & 8589934591 <> 0
      ${include.includes('inner') ? '' : `AND (abs(m.kind) IN ${SIGNED} OR m.fee IS NOT NULL)`}
    ORDER BY m.position DESC LIMIT ${take}
  )`;
  const sources = [
    listed(ListKind.account, '$1::text'),
    ...(include.includes('inner') ? [listed(ListKind.wrapped, '$1::text')] : []),
    ...(include.includes('signed') ? [listed(ListKind.oracleLife, "'ok_' || substr($1::text, 4)")] : []),
    moved,
  ];
  return `
    SELECT DISTINCT found.position FROM (${sources.join(' UNION ALL ')}) AS found
    ORDER BY found.position DESC LIMIT ${take}`;
}

const nameOf = (include: readonly Include[]): string => INCLUDES.filter((one) => include.includes(one)).join('_');

interface WidenedRow {
  body: string;
  /** Cursor of the last row if the list continues after it. */
  next: string | null;
}

/** A page of the list, newest first, each transaction with the time of its micro block and its outcome. */
export function widenedTransactions(
  db: Queryable,
  account: string,
  include: readonly Include[],
  { after, take }: { after: Cursor | null; take: number },
): Promise<Answer<WidenedRow>> {
  return answer<WidenedRow>(db, {
    name: `accounts.transactions.${nameOf(include)}`,
    text: `
      SELECT '[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number <= $4::bigint), '') || ']' AS body,
        CASE WHEN count(*) > $4::bigint THEN max(page.place) FILTER (WHERE page.number = $4::bigint) END AS next
      FROM (
        SELECT t.number, ${cursorText('t')} AS place, ${WITH_TIME_AND_OUTCOME} AS body
        FROM (
          SELECT t.*, row_number() OVER (ORDER BY t.position DESC) AS number
          FROM (SELECT ${cursorPosition('$2', '$3')} AS before OFFSET 0) AS r
          CROSS JOIN LATERAL (${positionsBelow(include, 'r.before', '($4::bigint + 1)')}) AS p
          JOIN transactions AS t ON t.position = p.position
        ) AS t
        ORDER BY t.number
      ) AS page`,
    values: [account, after?.hash ?? '', after?.position ?? LAST_POSITION, take],
  });
}

/** The next rows of an export of the list, below a position. */
export function widenedBatch(
  db: Queryable,
  account: string,
  include: readonly Include[],
  before: bigint,
  anchor: Anchor | null,
): Promise<Batch<AccountTransaction>> {
  return batch<AccountTransaction>(db, {
    name: `export.account.${nameOf(include)}`,
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (${ANCHOR_VALID('$3', '$4')}) AS a
      LEFT JOIN LATERAL (
        SELECT ${ACCOUNT_COLUMNS}
        FROM (${positionsBelow(include, '$2::bigint', String(ROWS))}) AS picked
        ${JOINED('picked.position')}
        ${MONEY('$1::text')}
      ) AS item ON true
      ORDER BY item.position DESC`,
    values: [account, before, anchor?.position ?? null, anchor?.hash ?? null],
  });
}
