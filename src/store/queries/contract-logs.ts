/** Lists of the logs of contracts, by the contract, the event and the indexed arguments. */
import { LAST_POSITION } from '../../chain/position.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { blockMembers, eventName, logMembers } from '../log-texts.js';
import { microHeight } from '../micro-height.js';
import { microBlockOf } from '../positions.js';
import { answer, answers } from './answer.js';
import type { Answer, Answers } from './answer.js';
import { COUNTED, numberOf } from './compat/totals.js';
import type { Total } from './compat/totals.js';
import { ANCHOR_VALID, batch } from './export-transactions.js';
import type { Anchor, Batch } from './export-transactions.js';

/** The place of a log in the order of the chain. */
export interface LogPlace {
  position: bigint;
  index: number;
}

export interface LogsOf {
  /** Contracts (ct_) that emitted them. */
  contract?: string;
  /** Contract (ct_) that the transaction called or created. */
  called?: string;
  /** Contract (ct_) that emitted them, or that the transaction called or created. */
  involved?: string;
  /** First topic. */
  event?: bigint;
  /** What the data begins with; no index has it. */
  data?: Uint8Array;
  /** Name of the function that the transaction called; no index has it. */
  calledFunction?: string;
  /** Indexed arguments by their places, from 1. */
  topics?: ReadonlyMap<1 | 2 | 3, bigint>;
  /** Positions, both inclusive. */
  low: bigint;
  high: bigint;
}

interface LogsRow {
  /** `{"complete": …, "logs": […]}`. */
  body: string;
  /** Position and index of the last log of the page, if the list continues after it. */
  next: string | null;
}

/** A condition on a log `l`. `$` stands for its value. */
interface Condition {
  name: string;
  exact: string;
  /** By an index over hashes of the values; absent if there is none. */
  indexed?: string;
  value: string | bigint | Uint8Array;
  /** Of the value. */
  type: 'text' | 'numeric' | 'bytea';
}

const onText = (name: string, column: string, value: string): Condition => ({
  name,
  exact: `${column} = $::text`,
  indexed: `${column} IS NOT NULL AND hashtextextended(${column}, 0) = hashtextextended($::text, 0)`,
  value,
  type: 'text',
});

/** The condition by which the index of a topic finds rows. */
export const ofTopic = (topic: string, value: string): string =>
  `${topic} IS NOT NULL AND hash_numeric_extended(${topic}, 0) = hash_numeric_extended(${value}, 0)`;

const onTopic = (name: string, place: number, value: bigint): Condition => ({
  name,
  exact: `l.topics[${place + 1}] = $::numeric`,
  indexed: ofTopic(`l.topics[${place + 1}]`, '$::numeric'),
  value,
  type: 'numeric',
});

/** The condition that all events of one kind of a contract have in common: no other list is as long and has as short parts. */
export const ofContractAndEvent = (l: string, contract: string, event: string): string => `
  (hashtextextended(${l}.contract_id, 0) # hash_numeric_extended(${l}.topics[1], 1))
    = (hashtextextended(${contract}, 0) # hash_numeric_extended(${event}, 1))`;

/** The bytes of the data are followed by four of a checksum. */
const DATA = `decode(substr(l.data, 4), 'base64')`;

const onData = (value: Uint8Array): Condition => ({
  name: 'data',
  exact: `(length(${DATA}) - 4 >= length($::bytea) AND substring(${DATA} FROM 1 FOR length($::bytea)) = $::bytea)`,
  value,
  type: 'bytea',
});

/** Arguments are printed by this program: see `contract_calls`. */
const onFunction = (name: string): Condition => ({
  name: 'function',
  exact: `starts_with((SELECT c.arguments FROM contract_calls AS c WHERE c.position = l.position), $::text)`,
  value: `{"function":${JSON.stringify(name)},`,
  type: 'text',
});

/** The alternatives of a filter; no log matches two of them. In each, the first condition is the one whose index is read. */
function alternatives({
  contract,
  called,
  involved,
  event,
  topics,
  data,
  calledFunction,
}: LogsOf): { conditions: Condition[]; itself?: true }[] {
  const emitted = (id: string): Condition => onText('contract', 'l.contract_id', id);
  const calledOf = (id: string): Condition => onText('called', 'l.called_id', id);
  const first = [...(topics ?? [])].map(([place, value]) => onTopic(`topic${place}`, place, value));
  const last = event === undefined ? [] : [onTopic('event', 0, event)];
  if (contract !== undefined) last.unshift(emitted(contract));
  if (data !== undefined) last.push(onData(data));
  if (calledFunction !== undefined) last.push(onFunction(calledFunction));
  const either = called ?? involved;
  if (either === undefined) return [{ conditions: [...first, ...last] }];
  return [
    { conditions: [...first, calledOf(either), ...last] },
    { conditions: [...first, emitted(either), ...last], ...(called !== undefined && { itself: true }) },
  ];
}

/**
 * The index of a condition finds the same rows. PostgreSQL would take both for independent, expect hardly any rows, and read and sort the whole list
 * where it should read the first rows in the order of the index.
 */
export const unestimated = (condition: string): string => `CASE WHEN ${condition} THEN true ELSE false END`;

/** SQL expressions of the positions between which logs are listed, both inclusive. */
const OF_VALUES = { low: '$3::bigint', high: '$4::bigint' };

/** A SELECT of places, and the name of its statement. `values`: its parameters from number `first` on. */
function placesOf(
  of: LogsOf,
  forward: boolean,
  first: number,
  { low, high } = OF_VALUES,
): { name: string; text: string; values: unknown[]; types: string[] } {
  const values: unknown[] = [];
  const types: string[] = [];
  const order = forward ? 'l.position, l.log_index' : 'l.position DESC, l.log_index DESC';
  const found = alternatives(of).map(({ conditions, itself }) => {
    const numbers = conditions.map(({ type, value }) => {
      types.push(type);
      return `$${first - 1 + values.push(value)}`;
    });
    const texts = conditions.map(({ exact }, i) => unestimated(exact.replaceAll('$', () => numbers[i]!)));
    const [driver, second] = conditions;
    if (driver?.name === 'contract' && second?.name === 'event')
      texts.push(ofContractAndEvent('l', `${numbers[0]!}::text`, `${numbers[1]!}::numeric`));
    else if (driver?.indexed !== undefined) texts.push(driver.indexed.replace('$', () => numbers[0]!));
    if (itself === true) texts.push('l.called_id IS NULL');
    const after = `(l.position, l.log_index) ${forward ? '>' : '<'} ($1::bigint, $2::int)`;
    const all = [`l.position BETWEEN ${low} AND ${high}`, after, ...texts].join(' AND ');
    return {
      name: [...conditions.map(({ name }) => name), ...(itself === true ? ['itself'] : [])].join('-') || 'all',
      text: `(SELECT l.position, l.log_index FROM contract_logs AS l WHERE ${all} ORDER BY ${order} LIMIT $5::bigint)`,
    };
  });
  const [only, other] = found;
  return {
    name: `${found.map(({ name }) => name).join('.')}${forward ? '.oldest' : ''}`,
    text:
      other === undefined
        ? only!.text
        : `(SELECT * FROM (${only!.text} UNION ALL ${other.text}) AS l ORDER BY ${order} LIMIT $5::bigint)`,
    values,
    types,
  };
}

/** Before the first place, and after the last one. */
const BEGINNING = { position: -1n, index: 0 };
const END = { position: LAST_POSITION, index: 0 };

/** Of the first five parameters of a list. */
const TYPES = ['bigint', 'int', 'bigint', 'bigint', 'bigint'];

const afterOf = (after: LogPlace | null, forward: boolean): LogPlace => after ?? (forward ? BEGINNING : END);

/** SQL expression: whether the logs of all transactions from one position to another are known. */
const isComplete = (low: string, high: string): string => `
  NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN ${low} AND ${high})
  AND NOT EXISTS (
    SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN ${low} AND ${high}
  )
  AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < ${high})`;

/** Whether the logs of the transaction at a position are known: also that it has none. */
export const areLogsKnown = (db: Queryable, position: bigint): Promise<Answer<{ known: boolean }>> =>
  answer(db, {
    name: 'contract_logs.are_known',
    text: `SELECT ${isComplete('$1::bigint', '$1::bigint')} AS known`,
    values: [position],
  });

/** A page of a list of logs, newest first or (`forward`) oldest first. */
export function contractLogs(
  db: Queryable,
  of: LogsOf,
  { forward, after, take }: { forward: boolean; after: LogPlace | null; take: number },
): Promise<Answer<LogsRow>> {
  const places = placesOf(of, forward, 6);
  const start = afterOf(after, forward);
  const order = `ORDER BY p.position${forward ? '' : ' DESC'}, p.log_index${forward ? '' : ' DESC'}`;
  return answer<LogsRow>(db, {
    name: `contract_logs.${places.name}`,
    text: `
      SELECT '{"complete":' || (${isComplete('$3::bigint', '$4::bigint')}) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
        CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
      FROM (
        SELECT p.number, p.position || '.' || p.log_index AS place,
          '{"transaction_hash":"' || t.hash || '",' || ${blockMembers('p.position')} || ',' || ${logMembers('l')} || '}' AS body
        FROM (SELECT p.*, row_number() OVER (${order}) AS number FROM ${places.text} AS p) AS p
        ${LOG}
        ${TRANSACTION}
        ORDER BY p.number
      ) AS page`,
    values: [start.position, start.index, of.low, of.high, take + 1, ...places.values],
    types: [...TYPES, ...places.types],
    page: true,
  });
}

export interface LogRow {
  position: string;
  log_index: number;
  /** Of the micro block: hash, height as it says it, and time, ms since 1970. */
  block_hash: string;
  height: string;
  time: string;
  hash: string;
  contract_id: string;
  called_id: string | null;
  event: string | null;
  /** Decimal digits. */
  topics: string[];
  data: string;
}

const COLUMNS = `
  l.position, l.log_index, m.hash AS block_hash, ${microHeight('m')} AS height, m.time, t.hash, l.contract_id, l.called_id, ${eventName('l')} AS event, l.topics::text[] AS topics,
  l.data`;

/** Of a place `p`. The limits keep PostgreSQL from reading whole tables to join a few rows. */
const LOG = `
  CROSS JOIN LATERAL (
    SELECT o.* FROM contract_logs AS o WHERE o.position = p.position AND o.log_index = p.log_index LIMIT 1
  ) AS l`;
const TRANSACTION = `
  CROSS JOIN LATERAL (SELECT o.hash FROM transactions AS o WHERE o.position = p.position LIMIT 1) AS t`;

const JOINED = `
  ${LOG}
  ${TRANSACTION}
  CROSS JOIN LATERAL (
    SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ${microBlockOf('p.position')} LIMIT 1
  ) AS m`;

/** Rows of one batch of an export. */
const ROWS = 200;

/** The next logs of an export, newest first. */
export function logsBatch(
  db: Queryable,
  of: LogsOf,
  after: LogPlace | null,
  anchor: Anchor | null,
): Promise<Batch<LogRow>> {
  const places = placesOf(of, false, 8);
  const start = afterOf(after, false);
  return batch<LogRow>(db, {
    name: `export.contract_logs.${places.name}`,
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (${ANCHOR_VALID('$6', '$7')}) AS a
      LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM ${places.text} AS p ${JOINED}) AS item ON true
      ORDER BY item.position DESC, item.log_index DESC`,
    values: [
      ...[start.position, start.index, of.low, of.high, ROWS],
      ...[anchor?.position ?? null, anchor?.hash ?? null],
      ...places.values,
    ],
  });
}

/** SQL expression: the position of the transaction that created a contract; null if that is not known, as of most contracts that a call created. */
export const createdAt = (contract: string): string => `COALESCE(
      (SELECT c.position FROM contracts AS c WHERE c.id = ${contract}),
      (SELECT c.position FROM child_contracts AS c WHERE c.id = ${contract})
    )`;

/** SQL expression: its hash. */
export const creationOf = (contract: string): string => `(
    SELECT t.hash FROM transactions AS t WHERE t.position = ${createdAt(contract)}
  )`;

export interface LogWithCreations extends LogRow {
  /** Hashes of the transactions that created the contracts `contract_id` and `called_id`; null where that is not known. */
  contract_made: string | null;
  called_made: string | null;
}

const WITH_CREATIONS = `
  ${COLUMNS}, ${creationOf('l.contract_id')} AS contract_made, ${creationOf('l.called_id')} AS called_made`;

/** Logs as rows, for renderers of other forms. */
export function logRows(
  db: Queryable,
  of: LogsOf,
  { forward, after, take }: { forward: boolean; after: LogPlace | null; take: number },
): Promise<Answers<LogWithCreations>> {
  const places = placesOf(of, forward, 6);
  const start = afterOf(after, forward);
  return answers<LogWithCreations>(db, {
    name: `contract_logs.rows.${places.name}`,
    text: `SELECT ${WITH_CREATIONS} FROM ${places.text} AS p ${JOINED}`,
    values: [start.position, start.index, of.low, of.high, take, ...places.values],
    types: [...TYPES, ...places.types],
  });
}

/** A second row for a log `l` that another contract than the called one emitted. */
const OF_EMITTER = `${LOG} CROSS JOIN generate_series(1, CASE WHEN l.called_id IS NULL THEN 1 ELSE 2 END)`;

/** Number of the rows of a list of logs: one for each log, or one for each of its contracts. */
export function logTotal(db: Queryable, of: LogsOf, isOfBoth: boolean): Promise<Answer<Total>> {
  const places = placesOf(of, COUNTED.ascending, 6);
  return answer<Total>(db, {
    name: `contract_logs.total.${isOfBoth ? 'of_both.' : ''}${places.name}`,
    text: numberOf(`SELECT FROM ${places.text} AS p ${isOfBoth ? OF_EMITTER : ''}`),
    values: [BEGINNING.position, BEGINNING.index, of.low, of.high, COUNTED.take, ...places.values],
    types: [...TYPES, ...places.types],
  });
}

/** The logs of one transaction; `known`: whether all of them are. */
interface TransactionLogs {
  known: boolean;
  rows: LogWithCreations[];
}

/**
 * The same of one transaction if it is between the positions of `of`; `logs` is null if it is not stored. Its position is read by the same statement: a reorg in between would move it, and
 * its logs would be those of another one.
 */
export async function logRowsOfTransaction(
  db: Queryable,
  hash: string,
  of: LogsOf,
  { forward, after, take }: { forward: boolean; after: LogPlace | null; take: number },
): Promise<{ logs: TransactionLogs | null; head: Answers<LogWithCreations>['head'] }> {
  const places = placesOf(of, forward, 7, {
    low: 'GREATEST($3::bigint, asked.position)',
    high: 'LEAST($4::bigint, asked.position)',
  });
  const start = afterOf(after, forward);
  const { rows, head } = await answers<{ known: boolean } & (LogWithCreations | { position: null })>(db, {
    name: `contract_logs.rows_of_transaction.${places.name}`,
    text: `
      SELECT asked.position NOT BETWEEN $3::bigint AND $4::bigint OR (${isComplete('asked.position', 'asked.position')}) AS known, item.*
      FROM (SELECT position FROM transactions_by_hash WHERE hash = $6::text) AS asked
      LEFT JOIN LATERAL (SELECT ${WITH_CREATIONS} FROM ${places.text} AS p ${JOINED}) AS item ON true`,
    values: [start.position, start.index, of.low, of.high, take, hash, ...places.values],
  });
  const [first] = rows;
  if (first === undefined) return { logs: null, head };
  return { logs: { known: first.known, rows: rows.filter((row) => row.position !== null) }, head };
}

/** Whether a contract was created or called by a stored transaction, or has emitted an event. */
export function isKnownContract(db: Queryable, contract: string): Promise<Answer<{ known: boolean }>> {
  return answer(db, {
    name: 'contract_logs.known',
    text: `
      SELECT EXISTS (SELECT FROM contracts AS c WHERE c.id = $1) OR EXISTS (SELECT FROM contract_calls AS c WHERE c.contract_id = $1)
        OR EXISTS (
          SELECT FROM contract_logs AS l
          WHERE hashtextextended(l.contract_id, 0) = hashtextextended($1::text, 0) AND l.contract_id = $1::text
        ) AS known`,
    values: [contract],
    types: ['text'],
  });
}
