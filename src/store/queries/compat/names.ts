import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { AUCTION, NAME, WITH_NAME_RECORD } from '../node-records.js';
import { RankKind, rankedLength } from '../paging/ranks.js';
import { inGeneration } from '../../positions.js';
import { parameters } from '../parameters.js';
import type { Part } from './part.js';
import { approximateTime, HEAD } from './times.js';
import { isEveryHeight, numberOf } from './totals.js';
import type { Total } from './totals.js';

/** A record of a name: one claim and what followed, until the name was free again. */
export interface CompatNameRow {
  position: string;
  name: string;
  name_hash: string;
  active: boolean;
  /** In auction. */
  running: boolean;
  /** Height from which it is active: of the claim, or of the end of the auction. */
  active_from: string;
  activation_time: string;
  expire_height: string;
  expire_time: string;
  auction_end_time: string;
  /** Whether it was or is auctioned. */
  auctioned: boolean;
  owner: string;
  /** The account of the last claim. */
  claimer: string | null;
  /** Exact JSON text of the last update's pointers; null if it was never updated. */
  pointers: string | null;
  /** Position of the last claim, and the time of its micro block, ms. */
  bid_position: string;
  bid_time: string;
  claims: string;
  /** Position of the transaction that revoked it. */
  revoke_position: string | null;
  /** Position of the record of the auction that runs for this name. */
  running_position: string | null;
}

const OF_NAME = `(SELECT l.key FROM lists AS l WHERE l.kind = ${ListKind.name} AND l.id = n.name_hash)`;

const ordinalAt = (position: string): string =>
  `(SELECT e.ordinal FROM entries AS e WHERE e.position = ${position} AND e.list = ${OF_NAME} LIMIT 1)`;

const RECORD = `
  n.position, n.name, n.name_hash, n.active, n.running,
  (${NAME.auctionEnd}) AS active_from, ${approximateTime(`(${NAME.auctionEnd})`)} AS activation_time,
  (${NAME.expiresAt}) AS expire_height, ${approximateTime(`(${NAME.expiresAt})`)} AS expire_time,
  ${approximateTime(`(${AUCTION.end})`)} AS auction_end_time,
  n.auction_end_height > n.created_at_height AS auctioned,
  (${NAME.owner}) AS owner,
  (
    SELECT substring(t.body FROM '"account_id"\\s*:\\s*"(ak_\\w+)"') FROM transactions AS t WHERE t.position = n.bid_position
  ) AS claimer,
  (${NAME.pointers}) AS pointers, n.bid_position,
  (SELECT m.time FROM micro_blocks AS m WHERE m.position = (n.bid_position & (-65536)::bigint)) AS bid_time,
  ${ordinalAt('n.bid_position')} - ${ordinalAt('n.position')} + 1 AS claims,
  CASE WHEN n.revoked_at IS NOT NULL THEN (
    SELECT max(e.position) FROM entries AS e
    WHERE ${inGeneration('e.position', 'n.revoked_at')} AND e.list = ${OF_NAME}
  ) END AS revoke_position,
  (
    SELECT a.position FROM names AS a WHERE a.name_hash = n.name_hash AND a.running ORDER BY a.position DESC LIMIT 1
  ) AS running_position`;

/** The record that a name is shown by: the last one whose auction is over. */
const IS_SHOWN = `
  NOT n.running AND NOT EXISTS (
    SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
  )`;

/** Records at these positions. */
export function compatNamesAt(db: Queryable, positions: readonly bigint[]): Promise<Answers<CompatNameRow>> {
  return answers<CompatNameRow>(db, {
    name: 'compat.names_at',
    text: `
      SELECT ${RECORD}
      FROM unnest($1::bigint[]) AS p (position)
      JOIN names AS n ON n.position = p.position
      ${WITH_NAME_RECORD}
      CROSS JOIN ${HEAD}`,
    values: [positions],
  });
}

/** Order of a list of names. Names that expire first are last, then by name: so is the index. */
export type NameOrder = 'expiration' | 'activation' | 'name' | 'auction_end' | 'auction_name';

interface SortKey {
  /** The first column of the order; null where it is the name alone. */
  height: string | null;
  /** Direction of the name where `height` ascends. */
  name: 'ASC' | 'DESC';
  of: string;
}

const SORT_KEYS: Record<NameOrder, SortKey> = {
  expiration: { height: 'n.expires_at', name: 'DESC', of: IS_SHOWN },
  activation: { height: 'n.auction_end_height', name: 'DESC', of: 'n.active' },
  name: { height: null, name: 'ASC', of: IS_SHOWN },
  auction_end: { height: 'n.auction_end_height', name: 'DESC', of: 'n.running' },
  auction_name: { height: null, name: 'ASC', of: 'n.running' },
};

export interface NamesFilter {
  order: NameOrder;
  /** Null for any. */
  active: boolean | null;
  owner: string | null;
  /** Beginning of the name; null for any. */
  prefix: string | null;
  /** Heights of the order, both included. */
  low: bigint;
  high: bigint;
}

/** What a list asks for of a row `n`, and how its statement is named for that. */
function conditionsOf(
  { order, active, owner, prefix, low, high }: NamesFilter,
  parameter: ReturnType<typeof parameters>['add'],
): { conditions: string[]; names: string[] } {
  const { of, height } = SORT_KEYS[order];
  const conditions = [of];
  const names: string[] = [];
  const add = (name: string, condition: string): void => {
    names.push(name);
    conditions.push(condition);
  };
  if (active !== null) add(active ? 'active' : 'inactive', active ? 'n.active' : 'NOT n.active');
  if (owner !== null) add('owner', `n.owner = ${parameter(owner, 'text')}`);
  if (prefix !== null) {
    const first = parameter(prefix, 'text');
    add('prefix', `n.name >= ${first} AND n.name < ${first} || ${parameter('\u{10ffff}', 'text')}`);
  }
  if (height !== null)
    conditions.push(`${height} >= ${parameter(low, 'bigint')} AND ${height} <= ${parameter(high, 'bigint')}`);
  return { conditions, names };
}

/** Keys of the names of a list: the height of its order (0 where there is none) and the name, with the position of the record. */
export function compatNames(
  db: Queryable,
  filter: NamesFilter,
  { ascending, from, inclusive, take }: Part<{ height: bigint; name: string }>,
): Promise<Answers<{ height: string; name: string; position: string }>> {
  const { order } = filter;
  const key = SORT_KEYS[order];
  const { add: parameter, values, types } = parameters();
  const nameAscending = (key.name === 'ASC') === ascending;
  const { conditions, names: asked } = conditionsOf(filter, parameter);
  const names = [order, ascending ? 'ascending' : 'descending', ...asked];
  if (from !== undefined) {
    names.push('from');
    const name = `n.name ${nameAscending ? '>' : '<'}${inclusive ? '=' : ''} ${parameter(from.name, 'text')}`;
    if (key.height === null) conditions.push(name);
    else {
      const height = parameter(from.height, 'bigint');
      const beyond = `${key.height} ${ascending ? '>' : '<'}`;
      conditions.push(`${beyond}= ${height} AND (${beyond} ${height} OR ${name})`);
    }
    if (inclusive) names.push('inclusive');
  }
  const direction = (isAscending: boolean): string => (isAscending ? 'ASC' : 'DESC');
  const sort = [
    ...(key.height === null ? [] : [`${key.height} ${direction(ascending)}`]),
    `n.name ${direction(nameAscending)}`,
  ];
  return answers(db, {
    name: `compat.names.${names.join('.')}`,
    text: `
      SELECT ${key.height ?? '0'} AS height, n.name, n.position
      FROM names AS n
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${sort.join(', ')}
      LIMIT ${parameter(take, 'bigint')}`,
    values,
    types,
  });
}

/** Number of names of a list. That of active ones is stored, of an account, too. */
export function compatNameTotal(db: Queryable, filter: NamesFilter): Promise<Answer<Total>> {
  const { order, active, owner, prefix, low, high } = filter;
  if (active === true && prefix === null && isEveryHeight({ low, high })) return compatNameCount(db, owner);
  const { add, values, types } = parameters();
  const { conditions, names } = conditionsOf(filter, add);
  return answer<Total>(db, {
    name: `compat.names_total.${[order, ...names].join('.')}`,
    text: numberOf(`SELECT FROM names AS n WHERE ${conditions.join(' AND ')}`),
    values,
    types,
  });
}

/** Positions of the record by which a name is shown, and of that of its running auction; null if there is none. */
export function compatNamePositions(
  db: Queryable,
  hash: string,
): Promise<Answer<{ name_position: string | null; auction_position: string | null }>> {
  return answer(db, {
    name: 'compat.name_positions',
    text: `
      SELECT
        (SELECT position FROM names WHERE name_hash = $1 AND NOT running ORDER BY position DESC LIMIT 1) AS name_position,
        (SELECT position FROM names WHERE name_hash = $1 AND running ORDER BY position DESC LIMIT 1) AS auction_position`,
    values: [hash],
  });
}

/** Number of active names, of an account or of all (null). */
export const compatNameCount = (db: Queryable, owner: string | null): Promise<Answer<{ count: string }>> =>
  owner === null ? rankedLength(db, RankKind.activeNames, '') : rankedLength(db, RankKind.activeNamesOfOwner, owner);

/** Names as they are now, by their hashes, with the position of their last update; null if there is none since the claim. Those in auction alone are left out. */
export function compatUpdated(
  db: Queryable,
  hashes: readonly string[],
): Promise<
  Answers<{ hash: string; name: string; active: boolean; pointers: string | null; update_position: string | null }>
> {
  return answers(db, {
    name: 'compat.updated',
    text: `
      SELECT n.name_hash AS hash, n.name, n.active, (${NAME.pointers}) AS pointers, (
        SELECT e.position
        FROM entries AS e
        JOIN transactions AS t ON t.position = e.position
        WHERE e.list = ${OF_NAME} AND e.position >= n.position AND t.body ~ '"type"\\s*:\\s*"NameUpdateTx"'
        ORDER BY e.ordinal DESC LIMIT 1
      ) AS update_position
      FROM (SELECT DISTINCT hash FROM unnest($1::text[]) AS h (hash)) AS asked
      CROSS JOIN LATERAL (
        SELECT * FROM names AS own WHERE own.name_hash = asked.hash AND NOT own.running ORDER BY own.position DESC LIMIT 1
      ) AS n
      ${WITH_NAME_RECORD}`,
    values: [hashes],
  });
}

/** For each name and position: the height from which the record that the name had there is active, and whether it was auctioned. */
export function compatActivations(
  db: Queryable,
  hashes: readonly string[],
  positions: readonly bigint[],
): Promise<Answers<{ number: string; active_from: string; auctioned: boolean }>> {
  return answers(db, {
    name: 'compat.activations',
    text: `
      SELECT asked.number, record.active_from, record.auctioned
      FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (hash, position, number)
      CROSS JOIN LATERAL (
        SELECT n.auction_end_height AS active_from, n.auction_end_height > n.created_at_height AS auctioned
        FROM names AS n
        WHERE n.name_hash = asked.hash AND n.position <= asked.position ORDER BY n.position DESC LIMIT 1
      ) AS record`,
    values: [hashes, positions],
  });
}

/** Ends of the records of a name that expired without being revoked. */
export function compatExpiries(
  db: Queryable,
  hash: string,
): Promise<Answers<{ active_from: string; expired_at: string }>> {
  return answers(db, {
    name: 'compat.expiries',
    text: `
      SELECT auction_end_height AS active_from, expires_at AS expired_at
      FROM names WHERE name_hash = $1 AND NOT active AND NOT running AND revoked_at IS NULL`,
    values: [hash],
  });
}
