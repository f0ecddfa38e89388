/** Oracles, channels and contracts. */
import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { ORACLE, WITH_ORACLE_RECORD } from '../node-records.js';
import { RankKind, rankedLength } from '../paging/ranks.js';
import { nameOfPart } from './part.js';
import type { Part } from './part.js';
import { approximateTime, HEAD } from './times.js';
import { isEveryHeight, numberOf } from './totals.js';
import type { Total } from './totals.js';

export interface CompatOracleRow {
  id: string;
  /** Position of the registration. */
  position: string;
  active: boolean;
  /** By which it is sorted. */
  expires_at: string;
  expire_height: string;
  expire_time: string;
  /** Positions of the transactions that extended it. */
  extends: string[] | null;
}

const ORACLE_ROW = `
  o.id, o.position, o.active, o.expires_at, (${ORACLE.expiresAt}) AS expire_height,
  ${approximateTime(`(${ORACLE.expiresAt})`)} AS expire_time,
  (
    SELECT array_agg(e.position ORDER BY e.position)
    FROM entries AS e JOIN transactions AS t ON t.position = e.position
    WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = ${ListKind.oracleLife} AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\\s*:\\s*"OracleExtendTx"'
  ) AS extends`;

export function compatOracle(db: Queryable, id: string): Promise<Answers<CompatOracleRow>> {
  return answers<CompatOracleRow>(db, {
    name: 'compat.oracle',
    text: `SELECT ${ORACLE_ROW} FROM oracles AS o ${WITH_ORACLE_RECORD} CROSS JOIN ${HEAD} WHERE o.id = $1`,
    values: [id],
  });
}

interface OfState {
  /** Null: both. */
  active: boolean | null;
  /** Both are included. */
  low: bigint;
  high: bigint;
}

const stateOf = ({ active }: OfState): string => (active === null ? 'all' : active ? 'active' : 'inactive');

/** SELECTs of the oracles of a list, one for each state: each state has an index of its own. */
const oraclesOf = ({ active }: OfState): string[] =>
  [...(active === false ? [] : ['s.active']), ...(active === true ? [] : ['NOT s.active'])].map(
    (isOfState) => `
      SELECT s.id, s.expires_at FROM oracles AS s
      WHERE ${isOfState} AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint`,
  );

/** Oracles by expiry, of one state or of both, that expire between two heights. */
export function compatOracles(
  db: Queryable,
  of: OfState,
  part: Part<{ height: bigint; id: string }>,
): Promise<Answers<CompatOracleRow>> {
  const { ascending, from, inclusive, take } = part;
  const order = ascending ? '' : 'DESC';
  const beyond = ascending ? '>' : '<';
  const first =
    from === undefined
      ? ''
      : `AND s.expires_at ${beyond}= $4::bigint AND (s.expires_at ${beyond} $4::bigint OR s.id ${beyond}${inclusive ? '=' : ''} $5)`;
  const found = oraclesOf(of).map(
    (ofState) => `(${ofState} ${first} ORDER BY s.expires_at ${order}, s.id ${order} LIMIT $3::bigint)`,
  );
  return answers<CompatOracleRow>(db, {
    name: nameOfPart(`compat.oracles.${stateOf(of)}`, part),
    text: `
      SELECT ${ORACLE_ROW}
      FROM (
        SELECT found.id FROM (${found.join(' UNION ALL ')}) AS found
        ORDER BY found.expires_at ${order}, found.id ${order} LIMIT $3::bigint
      ) AS listed
      JOIN oracles AS o ON o.id = listed.id
      ${WITH_ORACLE_RECORD}
      CROSS JOIN ${HEAD}`,
    values: [of.low, of.high, take, ...(from === undefined ? [] : [from.height, from.id])],
  });
}

/** Number of oracles of a list. That of active ones is stored. */
export function compatOracleTotal(db: Queryable, of: OfState): Promise<Answer<Total>> {
  if (of.active === true && isEveryHeight(of)) return rankedLength(db, RankKind.oracles, '');
  return answer<Total>(db, {
    name: `compat.oracle_total.${stateOf(of)}`,
    text: numberOf(`SELECT FROM (${oraclesOf(of).join(' UNION ALL ')}) AS found`),
    values: [of.low, of.high],
  });
}

export interface CompatQueryRow {
  id: string;
  position: string;
  response_position: string | null;
}

/** The queries that these transactions asked. */
export function compatQueriesAt(db: Queryable, positions: readonly bigint[]): Promise<Answers<CompatQueryRow>> {
  return answers<CompatQueryRow>(db, {
    name: 'compat.queries_at',
    text: 'SELECT id, position, response_position FROM oracle_queries WHERE position = ANY ($1::bigint[])',
    values: [positions],
  });
}

interface Positions {
  /** Both are included. */
  low: bigint;
  high: bigint;
}

/** Answered queries of an oracle `$1`, with responses between two positions. */
const RESPONSES = `
      FROM entries AS e
      JOIN oracle_queries AS q ON q.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = ${ListKind.oracle} AND l.id = $1)
        AND q.response_position >= $2::bigint AND q.response_position <= $3::bigint`;

/** Answered queries of an oracle, by the position of the response. All queries of the oracle are read. */
export function compatResponses(
  db: Queryable,
  oracle: string,
  { low, high }: Positions,
  { ascending, take }: { ascending: boolean; take: number },
): Promise<Answers<CompatQueryRow>> {
  return answers<CompatQueryRow>(db, {
    name: `compat.responses.${ascending ? 'ascending' : 'descending'}`,
    text: `
      SELECT q.id, q.position, q.response_position
      ${RESPONSES}
      ORDER BY q.response_position ${ascending ? '' : 'DESC'}
      LIMIT $4::bigint`,
    values: [oracle, low, high, take],
  });
}

/** Number of responses of an oracle. */
export const compatResponseTotal = (db: Queryable, oracle: string, { low, high }: Positions): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.response_total',
    text: numberOf(`SELECT ${RESPONSES}`),
    values: [oracle, low, high],
  });

/** The channel `c` was closed mutually or settled. A solo close alone does not end it. */
const IS_ENDED = `
  (c.closed_position IS NOT NULL AND EXISTS (
    SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
    WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = ${ListKind.channel} AND l.id = c.id)
      AND e.position >= c.closed_position AND t.body ~ '"type"\\s*:\\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
  ))`;

export interface CompatChannelRow {
  id: string;
  /** Position of the creation. */
  position: string;
  active: boolean;
}

export function compatChannel(db: Queryable, id: string): Promise<Answers<CompatChannelRow>> {
  return answers<CompatChannelRow>(db, {
    name: 'compat.channel',
    text: `SELECT c.id, c.position, NOT ${IS_ENDED} AS active FROM channels AS c WHERE c.id = $1 AND c.position IS NOT NULL`,
    values: [id],
  });
}

/** Channels of a list: created between two positions. */
const channelsOf = ({ active }: OfState): string => `
  FROM channels AS c
  WHERE c.position >= $1::bigint AND c.position <= $2::bigint ${active === null ? '' : `AND ${active ? 'NOT' : ''} ${IS_ENDED}`}`;

/** Channels by creation, of one state or of both. */
export function compatChannels(
  db: Queryable,
  of: OfState,
  { ascending, take }: { ascending: boolean; take: number },
): Promise<Answers<CompatChannelRow>> {
  return answers<CompatChannelRow>(db, {
    name: `compat.channels.${stateOf(of)}.${ascending ? 'ascending' : 'descending'}`,
    text: `
      SELECT c.id, c.position, NOT ${IS_ENDED} AS active
      ${channelsOf(of)}
      ORDER BY c.position ${ascending ? '' : 'DESC'}
      LIMIT $3::bigint`,
    values: [of.low, of.high, take],
  });
}

/** Number of channels of a list. */
export const compatChannelTotal = (db: Queryable, of: OfState): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: `compat.channel_total.${stateOf(of)}`,
    text: numberOf(`SELECT ${channelsOf(of)}`),
    values: [of.low, of.high],
  });

/** All transactions of these channels. */
export function compatChannelTransactions(
  db: Queryable,
  channels: readonly string[],
): Promise<Answers<{ channel: string; position: string; body: string; time: string }>> {
  return answers(db, {
    name: 'compat.channel_transactions',
    text: `
      SELECT l.id AS channel, t.position, t.body,
        (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) AS time
      FROM unnest($1::text[]) AS asked (id)
      CROSS JOIN LATERAL (
        SELECT key, id FROM lists WHERE kind = ${ListKind.channel} AND id = asked.id LIMIT 1
      ) AS l
      JOIN entries AS e ON e.list = l.key
      JOIN transactions AS t ON t.position = e.position`,
    values: [channels],
  });
}

/** SQL condition: whether an event of a contract, or its code, proves that it exists. For EXISTS PostgreSQL may read all events once. */
const isSeen = (id: string): string => `
  COALESCE(
    (SELECT true FROM contract_codes AS o WHERE o.contract_id = ${id} AND o.code IS NOT NULL),
    (
      SELECT true FROM contract_logs AS l
      WHERE hashtextextended(l.contract_id, 0) = hashtextextended(${id}, 0) AND l.contract_id = ${id} LIMIT 1
    ),
    false
  )`;

/** A contract, and where it was created. */
export interface CreatedRow {
  id: string;
  /** Of the transaction. */
  position: string;
  /** 0 if the transaction itself created it; otherwise its place among the contracts that calls within the transaction created. */
  index: number;
  /** The contract that created it, the number of the creation among its own, the coins that it gave; null if no contract did. */
  creator: string | null;
  nonce: string | null;
  amount: string | null;
  /** Null unless a contract created it and a node answered with it. */
  code: string | null;
}

const OF_TRANSACTION = `
  c.id, c.position, 0 AS index, NULL::text AS creator, NULL::bigint AS nonce, NULL::numeric AS amount, NULL::text AS code`;
const OF_CONTRACT = `
  k.id, k.position, k.index, k.creator, k.nonce, k.amount,
    (SELECT o.code FROM contract_codes AS o WHERE o.contract_id = k.id) AS code`;

/** Contracts that transactions created, and those that contracts did, that meet a condition; without those whose creation failed. */
const byTransactions = (condition: string): string => `FROM contracts AS c WHERE ${condition} AND NOT c.failed`;
const byContracts = (condition: string): string =>
  `FROM child_contracts AS k WHERE ${condition} AND (k.is_certain OR ${isSeen('k.id')})`;

const inRange = (t: string): string => `${t}.position >= $1::bigint AND ${t}.position <= $2::bigint`;

/** Contracts by their creation, after a place. */
export function compatContracts(
  db: Queryable,
  { low, high }: Positions,
  { ascending, after, take }: { ascending: boolean; after: { position: bigint; index: number }; take: number },
): Promise<Answers<CreatedRow>> {
  const [order, is] = ascending ? ['ASC', '>'] : ['DESC', '<'];
  return answers(db, {
    name: `compat.contracts.${ascending ? 'ascending' : 'descending'}`,
    text: `
      (
        SELECT ${OF_TRANSACTION}
        ${byTransactions(`${inRange('c')} AND c.position ${is}= $3::bigint AND (c.position, 0) ${is} ($3::bigint, $4::int)`)}
        ORDER BY c.position ${order} LIMIT $5::bigint
      )
      UNION ALL
      (
        SELECT ${OF_CONTRACT}
        ${byContracts(`${inRange('k')} AND (k.position, k.index) ${is} ($3::bigint, $4::int)`)}
        ORDER BY k.position ${order}, k.index ${order} LIMIT $5::bigint
      )
      ORDER BY position ${order}, index ${order} LIMIT $5::bigint`,
    values: [low, high, after.position, after.index, take],
    types: ['bigint', 'bigint', 'bigint', 'int', 'bigint'],
  });
}

/** Number of contracts of a list. */
export const compatContractTotal = (db: Queryable, { low, high }: Positions): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.contract_total',
    text: numberOf(`SELECT 1 ${byTransactions(inRange('c'))} UNION ALL SELECT 1 ${byContracts(inRange('k'))}`),
    values: [low, high],
  });

export function compatContract(db: Queryable, id: string): Promise<Answers<CreatedRow>> {
  return answers(db, {
    name: 'compat.contract',
    text: `
      SELECT ${OF_TRANSACTION} ${byTransactions('c.id = $1::text')}
      UNION ALL SELECT ${OF_CONTRACT} ${byContracts('k.id = $1::text')}`,
    values: [id],
    types: ['text'],
  });
}

/** Whether a contract exists, although no stored transaction created it: a call did, or the genesis block. */
export function isMadeOtherwise(db: Queryable, id: string): Promise<Answer<{ made: boolean }>> {
  return answer(db, {
    name: 'compat.contract_made_otherwise',
    text: `SELECT ${isSeen('$1::text')} AS made`,
    values: [id],
  });
}
