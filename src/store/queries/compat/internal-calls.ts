/** Lists of what contracts did inside calls. */
import { INTERNAL_FUNCTIONS } from '../../../chain/internal-calls.js';
import { LAST_POSITION } from '../../../chain/position.js';
import type { Queryable } from '../../connection/database.js';
import { microHeight } from '../../micro-height.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { createdAt, creationOf, unestimated } from '../contract-logs.js';
import { MAX_COUNTED, numberOf } from './totals.js';
import type { Total } from './totals.js';
import { placeOf, transactionIndex } from './transactions.js';

export interface InternalCallsOf {
  /** Contract (ct_) that the transaction called or created. */
  contract?: string | undefined;
  /** Names of functions; not together with `member`. */
  functions?: readonly string[] | undefined;
  /** An id without its prefix, a regular expression for texts with it in a member, and the types of the transactions; null for any. */
  member?: { id: string; text: string; types: readonly string[] | null } | undefined;
  /** An id without its prefix that is in a member, or a contract that the transaction called or created; alone. */
  involved?: { id: string; contract: string | null } | undefined;
  /** Positions, both inclusive. */
  low: bigint;
  high: bigint;
}

export interface InternalCallRow {
  position: string;
  index: number;
  function: string;
  contract_id: string;
  /** JSON. */
  tx: string;
  hash: string;
  /** Of the micro block; its height as it says it. */
  block_hash: string;
  height: string;
  time: string;
  /** Hash of the transaction that created the contract; null where a call did. */
  contract_made: string | null;
  /** Numbers of the transactions on the chain; only where they were asked for. */
  call_txi: string | null;
  contract_txi: string | null;
}

interface InternalCallsPage {
  /** Whether calls were ever put into the queue of replays, and whether all of those between the positions were replayed. */
  begun: boolean;
  complete: boolean;
  rows: InternalCallRow[];
  head: Answers<InternalCallRow>['head'];
}

interface Part {
  forward: boolean;
  /** Place of the first row; null for the beginning. */
  from: { position: bigint; index: bigint } | null;
  take: number;
}

/** Whether a table has no row from one position up to the last one of the list. Its first row from there on decides. */
const none = (table: string, from: string): string => `
  NOT EXISTS (
    SELECT FROM (SELECT o.position FROM ${table} AS o WHERE o.position >= ${from} ORDER BY o.position LIMIT 1) AS f WHERE f.position <= $4::bigint
  )`;

/** Whether all calls between two positions were replayed. `p`: the progress. */
const COMPLETE = `
  ${none('transactions', 'GREATEST($3::bigint, p.position + 1)')}
  AND ${none('call_replays', '$3::bigint')}
  AND ${none('due_infos', '$3::bigint')}
  AND NOT EXISTS (
    SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
  )`;

/** A SELECT of places, the name of its statement, and its values from parameter 6 on. Without their types it is not joined with others. */
interface Places {
  name: string;
  text: string;
  values: unknown[];
  types?: string[];
}

function placesOf(of: InternalCallsOf, forward: boolean): Places {
  const end = (row: string): string =>
    `ORDER BY ${row}.position${forward ? '' : ' DESC'}, ${row}.index${forward ? '' : ' DESC'} LIMIT $5::bigint`;
  const within = (row: string): string =>
    `${row}.position BETWEEN $3::bigint AND $4::bigint AND (${row}.position, ${row}.index) ${forward ? '>=' : '<='} ($1::bigint, $2::bigint)`;
  // The rows of each function are in the order of an index.
  const byFunctions = (names: string, condition: string): string => `
      SELECT f.position, f.index
      FROM unnest(${names}::text[]) AS n (name)
      CROSS JOIN LATERAL (
        SELECT c.position, c.index FROM internal_calls AS c WHERE ${condition}c.function = n.name AND ${within('c')} ${end('c')}
      ) AS f
      ${end('f')}`;
  const { contract, functions, member, involved } = of;
  if (involved !== undefined) {
    const ofParty = `SELECT q.position, q.index FROM internal_call_parties AS q WHERE q.id = $6::text AND ${within('q')} ${end('q')}`;
    if (involved.contract === null) return { name: 'party', values: [involved.id], text: ofParty, types: ['text'] };
    return {
      name: 'involved',
      values: [involved.id, INTERNAL_FUNCTIONS, involved.contract],
      text: `
        SELECT u.position, u.index FROM (
          (${ofParty})
          UNION
          (${byFunctions('$7', 'c.contract_id = $8::text AND ')})
        ) AS u
        ${end('u')}`,
    };
  }
  const name = [contract && 'contract', functions && 'function', member && 'member'].filter(Boolean).join('-') || 'all';
  if (member !== undefined) {
    const values: unknown[] = [member.id, member.text, member.types];
    const conditions = [
      'c.tx ~ $7::text',
      `($8::text[] IS NULL OR substring(c.tx FROM '^\\{"type":"(\\w+)"') = ANY ($8::text[]))`,
    ];
    if (contract !== undefined) conditions.push(`c.contract_id = $${5 + values.push(contract)}::text`);
    // A subquery of one row, which PostgreSQL cannot turn into one of the whole table.
    const matches = `(SELECT ${conditions.join(' AND ')} FROM internal_calls AS c WHERE c.position = q.position AND c.index = q.index LIMIT 1)`;
    return {
      name,
      values,
      text: `SELECT q.position, q.index FROM internal_call_parties AS q WHERE q.id = $6::text AND ${within('q')} AND ${unestimated(matches)} ${end('q')}`,
    };
  }
  if (functions === undefined)
    return {
      name,
      values: [],
      text: `SELECT c.position, c.index FROM internal_calls AS c WHERE ${within('c')} ${end('c')}`,
    };
  return {
    name,
    values: contract === undefined ? [functions] : [functions, contract],
    text: byFunctions('$6', contract === undefined ? '' : 'c.contract_id = $7::text AND '),
  };
}

const BEGINNING = { position: -1n, index: 0n };
const END = { position: LAST_POSITION, index: 0n };

/** A SELECT of the rows at places. */
const rowsAt = (places: string, withIndex: boolean): string => `
        SELECT a.position, a.index, a.function, a.contract_id, a.tx, x.hash, m.hash AS block_hash, ${microHeight('m')} AS height, m.time,
          ${creationOf('a.contract_id')} AS contract_made,
          ${withIndex ? transactionIndex('x') : 'NULL::bigint'} AS call_txi,
          ${
            withIndex
              ? `(SELECT ${transactionIndex('t')} FROM transactions AS t WHERE t.position = ${createdAt('a.contract_id')})`
              : 'NULL::bigint'
          } AS contract_txi
        FROM (${places}) AS q
        CROSS JOIN LATERAL (SELECT o.* FROM internal_calls AS o WHERE o.position = q.position AND o.index = q.index LIMIT 1) AS a
        ${placeOf('q.position')}`;

/** A part of a list, in any order, for lists that do not say whether it is complete. */
export function internalCallRows(
  db: Queryable,
  of: InternalCallsOf,
  { forward, from, take }: Part,
): Promise<Answers<InternalCallRow>> {
  const { name, text, values, types } = placesOf(of, forward);
  const start = from ?? (forward ? BEGINNING : END);
  return answers<InternalCallRow>(db, {
    name: `compat.internal_call_rows.${name}${forward ? '.oldest' : ''}`,
    text: rowsAt(text, false),
    values: [start.position, start.index, of.low, of.high, take, ...values],
    ...(types && { types: ['bigint', 'bigint', 'bigint', 'bigint', 'bigint', ...types] }),
  });
}

/** A part of a list, in any order. */
export async function internalCalls(
  db: Queryable,
  of: InternalCallsOf,
  { forward, from, take }: Part,
  withIndex: boolean,
): Promise<InternalCallsPage> {
  const places = placesOf(of, forward);
  const start = from ?? (forward ? BEGINNING : END);
  const { rows, head } = await answers<{ begun: boolean; complete: boolean } & (InternalCallRow | { position: null })>(
    db,
    {
      name: `compat.internal_calls.${places.name}${forward ? '.oldest' : ''}${withIndex ? '.with_index' : ''}`,
      text: `
      SELECT p.position IS NOT NULL AS begun, (${COMPLETE}) AS complete, item.*
      FROM (SELECT 1) AS one
      LEFT JOIN call_replay_progress AS p ON true
      LEFT JOIN LATERAL (
        ${rowsAt(places.text, withIndex)}
      ) AS item ON true`,
      values: [start.position, start.index, of.low, of.high, take, ...places.values],
    },
  );
  const [first] = rows;
  return {
    begun: first?.begun ?? false,
    complete: first?.complete ?? false,
    rows: rows.filter((row): row is typeof row & InternalCallRow => row.position !== null),
    head,
  };
}

/** Number of rows of a list. */
export function internalCallTotal(db: Queryable, of: InternalCallsOf): Promise<Answer<Total>> {
  const { name, text, values } = placesOf(of, true);
  return answer<Total>(db, {
    name: `compat.internal_call_total.${name}`,
    text: numberOf(`SELECT FROM (${text}) AS a`),
    values: [BEGINNING.position, BEGINNING.index, of.low, of.high, MAX_COUNTED + 1, ...values],
  });
}
