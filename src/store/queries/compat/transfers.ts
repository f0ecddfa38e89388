/** Payments that no transaction states: rewards, fees of names and queries with their refunds, coins of the genesis block and of hard forks. */
import { KINDS } from '../../../chain/money/kinds.js';
import { GAPS, HELD } from '../../../chain/money/movement.js';
import { PRESET_KINDS } from '../../../chain/money/presets.js';
import type { Queryable } from '../../connection/database.js';
import { microBlockOf } from '../../positions.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { parameters } from '../parameters.js';
import { beginsAt, nameOfPart } from './part.js';
import type { Part } from './part.js';
import { COUNTED, numberOf } from './totals.js';
import type { Total } from './totals.js';

/** Kinds of movements that are listed, by code; of locks only those of key blocks: the highest bids of auctions that ended. */
const LISTED: Readonly<Record<number, string>> = {
  ...Object.fromEntries(
    Object.values(KINDS).flatMap(({ code, transfer }) => (transfer === undefined ? [] : [[code, transfer]])),
  ),
  [KINDS.lock.code]: 'fee_lock_name',
};

/** As the indexes have it, or PostgreSQL does not use them. A kind below zero is the same, of a row that only a node knows. */
const IS_PRESET = (m: string): string =>
  `abs(${m}.kind) IN (${PRESET_KINDS.map((kind) => KINDS[kind].code).join(', ')})`;
const IS_TRANSFER = (m: string): string =>
  `(abs(${m}.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(${m}.kind) = 10 AND ${m}.position & 8589934591 = 0))`;

const KIND = `CASE abs(m.kind) ${Object.entries(LISTED)
  .map(([code, name]) => `WHEN ${code} THEN '${name}'`)
  .join(' ')} END`;

export interface TransferRow {
  position: string;
  index: number;
  height: string;
  account: string;
  kind: string;
  /** Not negative. */
  amount: string;
  /** Of the block in which it happened. */
  block_hash: string;
  block_time: string;
  ref_hash: string | null;
  ref_type: string | null;
  ref_block: string | null;
}

interface TransfersOf {
  /** ak_; null for all. */
  account: string | null;
  /** Beginning of the kind. */
  kind: string;
  /** Positions, both included. */
  low: bigint;
  high: bigint;
}

/** Where a part begins: the first row may have this place. */
interface TransfersPart {
  ascending: boolean;
  from: { position: bigint; index: bigint } | undefined;
  take: number;
}

/**
 * Position of the transaction to which a movement `m` refers. Queries that end with the same key block are in the order of their ids, as their
 * refunds are.
 */
const REFERENCE = `
  CASE abs(m.kind)
    WHEN ${KINDS.name_fee.code} THEN m.position
    WHEN ${KINDS.bid.code} THEN m.position
    WHEN ${KINDS.oracle_reward.code} THEN (
      SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = ${HELD.query} ORDER BY h.position LIMIT 1
    )
    WHEN ${KINDS.oracle_refund.code} THEN (
      SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = ${HELD.query} AND h.amount > 0 ORDER BY h.id COLLATE "C"
      LIMIT 1 OFFSET m.index - (
        SELECT min(f.index) FROM movement_rows AS f WHERE abs(f.kind) = ${KINDS.oracle_refund.code} AND f.position = m.position AND ${IS_TRANSFER('f')}
      )
    )
    ELSE auction.position
  END`;

/**
 * A movement `m` with all that its row shows. The highest bid of an auction was paid by who won it. Each row is looked up: PostgreSQL does not
 * know how short a page is, and would read whole tables.
 */
const SHOWN = (picked: string, order: string): string => `
  SELECT m.position, m.index, m.position >> 33 AS height, ${KIND} AS kind, abs(m.amount)::text AS amount,
    CASE WHEN abs(m.kind) = ${KINDS.lock.code} THEN COALESCE(auction.account, a.id) ELSE a.id END AS account,
    COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS block_time,
    t.hash AS ref_hash, y.name AS ref_type, r.hash AS ref_block
  FROM (${picked}) AS m
  CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.account LIMIT 1) AS a
  LEFT JOIN LATERAL (
    SELECT h.position, h.account FROM held AS h JOIN ledger_ids AS c ON c.id = h.id
    WHERE abs(m.kind) IN (${KINDS.lock.code}, ${KINDS.bid_refund.code}) AND h.released = m.position AND h.kind = ${HELD.auction} AND c.key = m.counterparty
    LIMIT 1
  ) AS auction ON true
  LEFT JOIN LATERAL (SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = ${microBlockOf('m.position')} LIMIT 1) AS b ON true
  LEFT JOIN LATERAL (
    SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
  ) AS k ON true
  LEFT JOIN LATERAL (SELECT t.position, t.hash, t.type FROM transactions AS t WHERE t.position = ${REFERENCE} LIMIT 1) AS t ON true
  LEFT JOIN types AS y ON y.code = t.type
  LEFT JOIN LATERAL (SELECT r.hash FROM micro_blocks AS r WHERE r.position = ${microBlockOf('t.position')} LIMIT 1) AS r ON true
  ORDER BY ${order}`;

/** Above each index. */
const MAX_INDEX = 2n ** 31n;

/** Codes of the kinds that begin with a text. */
const codesOf = (kind: string): number[] =>
  Object.entries(LISTED).flatMap(([code, name]) => (name.startsWith(kind) ? [Number(code)] : []));

/** The movements of a part, each kind by one search for its place, in the indexes that have it. */
function transfersIn({ account, kind, low, high }: TransfersOf, { ascending, from, take }: TransfersPart) {
  const end = ascending ? { position: low, index: 0n } : { position: high, index: MAX_INDEX };
  const isWithin = from !== undefined && (ascending ? from.position >= low : from.position <= high);
  const start = isWithin ? from : end;
  const order = ascending ? 'm.position, m.index' : 'm.position DESC, m.index DESC';
  const asked = parameters();
  const { add } = asked;
  // Their codes are one value, so that requests are joined.
  const kinds = `${asked.addWords(codesOf(kind))}::smallint[]`;
  const [lowest, highest] = [add(low, 'bigint'), add(high, 'bigint')];
  const place = `${add(start.position, 'bigint')}, ${add(start.index, 'bigint')}`;
  // The end on the side of the place is not compared again: an index scan would begin there.
  const within = `${lowest} <= ${highest} AND ${
    ascending
      ? `(m.position, m.index) >= (${place}) AND m.position <= ${highest}`
      : `(m.position, m.index) <= (${place}) AND m.position >= ${lowest}`
  }`;
  const page = `ORDER BY ${order} LIMIT ${add(take, 'bigint')}`;
  const owner = account === null ? null : add(account, 'text');
  const own = owner === null ? '' : `m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = ${owner}) AND`;
  const search = (isIndexed: typeof IS_TRANSFER): string => `
    SELECT m.* FROM unnest(${kinds}) AS s (kind)
    CROSS JOIN LATERAL (
      SELECT m.* FROM movement_rows AS m
      WHERE ${own} abs(m.kind) = s.kind AND ${isIndexed('m')} AND ${within} ${page}
    ) AS m`;
  // What others paid into the account without a key is not of that account.
  const isOwn = owner === null ? '' : `WHERE abs(m.kind) <> ${KINDS.lock.code}`;
  const found = `${search(IS_TRANSFER)} ${isOwn} UNION ALL ${search(IS_PRESET)}`;
  const picked = owner === null ? found : `${found} UNION ALL ${WON(kinds, owner, within)}`;
  return { picked: `(${picked}) AS m`, order, page, values: asked.values, types: asked.types };
}

/** A part of the transfers. */
export function compatTransfers(db: Queryable, of: TransfersOf, part: TransfersPart): Promise<Answers<TransferRow>> {
  const { picked, order, page, values, types } = transfersIn(of, part);
  return answers<TransferRow>(db, {
    name: `compat.transfers${nameOfFilter(of)}.${part.ascending ? 'ascending' : 'descending'}`,
    text: SHOWN(`SELECT m.* FROM ${picked} ${page}`, order),
    values,
    types,
  });
}

const nameOfFilter = ({ account }: TransfersOf): string => (account === null ? '' : '.account');

/** Number of transfers. */
export function compatTransferTotal(db: Queryable, of: TransfersOf): Promise<Answer<Total>> {
  const { picked, values, types } = transfersIn(of, COUNTED);
  return answer<Total>(db, {
    name: `compat.transfer_total${nameOfFilter(of)}`,
    text: numberOf(`SELECT FROM ${picked}`),
    values,
    types,
  });
}

/** The highest bids with which an account won auctions. All of its bids are read. */
const WON = (kinds: string, account: string, within: string): string => `
  SELECT m.*
  FROM movement_rows AS o
  CROSS JOIN LATERAL (
    SELECT h.id, h.released FROM held AS h
    WHERE h.position = o.position AND h.kind = ${HELD.auction} AND h.account = ${account} AND h.released & 8589934591 = 0 LIMIT 1
  ) AS h
  CROSS JOIN LATERAL (SELECT c.key FROM ledger_ids AS c WHERE c.id = h.id LIMIT 1) AS c
  CROSS JOIN LATERAL (
    SELECT m.* FROM movement_rows AS m
    WHERE abs(m.kind) = ${KINDS.lock.code} AND ${IS_TRANSFER('m')} AND m.position = h.released AND m.counterparty = c.key LIMIT 1
  ) AS m
  WHERE ${KINDS.lock.code} = ANY (${kinds}) AND ${within}
    AND o.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = ${account}) AND abs(o.kind) = ${KINDS.bid.code} AND ${IS_TRANSFER('o')}`;

/** Up to this height no reward is paid on the main network and the test network. */
const REWARD_DELAY = 180;

/** SQL expression: rewards that the key block of a height paid; null where that is not known. */
export const rewardAt = (height: string): string => `
  CASE
    WHEN ${height} << 33 > COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)
    THEN CASE WHEN ${height} <= ${REWARD_DELAY} THEN 0 END
    WHEN (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = ${height}) IS NULL
      AND COALESCE((SELECT g.gaps & ~${GAPS.preset} FROM ledger_gaps AS g WHERE g.position = ${height} << 33), 0) = 0
    THEN COALESCE((
      SELECT sum(m.amount) FROM movement_rows AS m WHERE abs(m.kind) = ${KINDS.reward.code} AND ${IS_TRANSFER('m')} AND m.position = ${height} << 33
    ), 0)
  END`;

/** Beneficiaries of key blocks behind an account, in the order of their ids, with what they earned. */
export function compatMiners(db: Queryable, part: Part<string>): Promise<Answers<{ miner: string; total: string }>> {
  const { ascending, from, take } = part;
  return answers(db, {
    name: nameOfPart('compat.miners', part),
    text: `
      SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = ${KINDS.reward.code} AND ${IS_TRANSFER('m')}
      ), 0)::text AS total
      FROM (
        SELECT id FROM miners ${from === undefined ? '' : `WHERE ${beginsAt(part, 'id COLLATE "C"', '$2::text')}`}
        ORDER BY id COLLATE "C" ${ascending ? '' : 'DESC'} LIMIT $1::bigint
      ) AS k`,
    values: [take, ...(from === undefined ? [] : [from])],
  });
}
