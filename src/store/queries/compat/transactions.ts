import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { entriesBefore } from '../paging/keyset.js';
import { inMicroBlock, microBlockOf } from '../../positions.js';
import { parameters } from '../parameters.js';

/** One transaction with everything that its row shows. */
export interface CompatTransactionRow {
  position: string;
  /** Exact text of the node. */
  body: string;
  /** Time of its micro block, ms. */
  micro_time: string;
  /** Number of its micro block in the generation, from 0. */
  micro_index: number;
  /** Exact text of the call information; null if it has none, or it is not stored. */
  info: string | null;
  /** JSON text of a decoded call: `{function, arguments}`; null if it is none, or is not decoded. */
  call: string | null;
  /** Whether the creation of a contract failed; null if it is none, or that is not known. */
  creation_failed: boolean | null;
  /** Standard of the token that it creates or calls; null if that is none. */
  token_kind: 9 | 141 | null;
  /** Text of the name that it uses or changes. */
  name: string | null;
  /** The account that the name of a payment points to. */
  paid: string | null;
  /** Exact text of the transaction that created the channel. */
  channel_creation: string | null;
  /** Number of the transaction on the chain, from 0; only where it was asked for. */
  tx_index: string | null;
}

/** SQL expression: number of a row `t` of transactions on the chain: those of the generations, micro blocks and positions before it. */
export const transactionIndex = (t: string): string => `
  (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = ${t}.position >> 33) +
  COALESCE((
    SELECT sum(b.tx_count) FROM micro_blocks AS b
    WHERE b.position > (${t}.position >> 33) << 33 AND b.position < ${microBlockOf(`${t}.position`)}
  ), 0) + (${t}.position & 65535)`;

/** Joins the transaction `x` at a position and its micro block `m`. The limits keep PostgreSQL from reading whole tables to join a few rows. */
export const placeOf = (position: string): string => `
  CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = ${position} LIMIT 1) AS x
  CROSS JOIN LATERAL (
    SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ${microBlockOf(`(${position})`)} LIMIT 1
  ) AS m`;

/** Most transactions name no such object, and looking for a text is faster than for an expression. */
const IF_NAMED = (prefix: string, then: string): string =>
  `CASE WHEN strpos(t.body, '"${prefix}_') > 0 THEN (${then}) END`;

/** What rows of transactions show. `positions`: SELECT of `position`. The limits keep PostgreSQL from reading whole tables to join a few rows. */
const shown = (positions: string, withIndex: boolean): string => `
  SELECT t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info, c.arguments AS call,
    CASE WHEN k.outcome_known THEN k.failed END AS creation_failed, (
      SELECT o.kind FROM tokens AS o
      WHERE o.contract_id = COALESCE(c.contract_id, CASE WHEN NOT k.failed THEN k.id END) AND o.kind > 0
    ) AS token_kind,
    ${IF_NAMED(
      'nm',
      `
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\\s*:\\s*"(nm_\\w+)"')
      ORDER BY n.position DESC LIMIT 1`,
    )} AS name,
    ${IF_NAMED(
      'nm',
      `
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = ${ListKind.account} AND l.id LIKE 'ak\\_%' AND t.body ~ '"recipient_id"\\s*:\\s*"nm_'
      ORDER BY strpos(t.body, l.id) LIMIT 1`,
    )} AS paid,
    ${IF_NAMED(
      'ch',
      `
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\\s*:\\s*"(ch_\\w+)"')`,
    )} AS channel_creation,
    ${withIndex ? transactionIndex('t') : 'NULL'} AS tx_index
  FROM (${positions}) AS p
  CROSS JOIN LATERAL (SELECT o.position, o.body FROM transactions AS o WHERE o.position = p.position LIMIT 1) AS t
  CROSS JOIN LATERAL (SELECT o.time FROM micro_blocks AS o WHERE o.position = ${microBlockOf('p.position')} LIMIT 1) AS m
  LEFT JOIN LATERAL (SELECT o.body FROM infos AS o WHERE o.position = p.position LIMIT 1) AS i ON true
  LEFT JOIN LATERAL (
    SELECT o.contract_id, CASE o.state WHEN 'done' THEN o.arguments END AS arguments FROM contract_calls AS o WHERE o.position = p.position LIMIT 1
  ) AS c ON true
  LEFT JOIN LATERAL (SELECT o.id, o.failed, o.outcome_known FROM contracts AS o WHERE o.position = p.position LIMIT 1) AS k ON true`;

export function compatTransaction(
  db: Queryable,
  hash: string,
  withIndex: boolean,
): Promise<Answer<CompatTransactionRow>> {
  return answer<CompatTransactionRow>(db, {
    name: `compat.transaction${withIndex ? '.with_index' : ''}`,
    text: shown('SELECT h.position FROM transactions_by_hash AS h WHERE h.hash = $1', withIndex),
    values: [hash],
    types: ['text'],
  });
}

/** Transactions at these positions; those that are not stored are left out. */
export function compatTransactionsAt(
  db: Queryable,
  positions: readonly bigint[],
  withIndex = false,
): Promise<Answers<CompatTransactionRow>> {
  return answers<CompatTransactionRow>(db, {
    name: `compat.transactions_at${withIndex ? '.with_index' : ''}`,
    text: shown('SELECT a.position FROM unnest($1::bigint[]) AS a (position)', withIndex),
    values: [positions],
  });
}

/** Body and call information of the transactions of micro blocks. */
export function compatBodiesOf(
  db: Queryable,
  microBlocks: readonly bigint[],
): Promise<Answers<{ micro_block: string; body: string; info: string | null }>> {
  return answers(db, {
    name: 'compat.bodies',
    text: `
      SELECT b.position AS micro_block, t.body, i.body AS info
      FROM unnest($1::bigint[]) AS b (position)
      CROSS JOIN LATERAL (
        SELECT position, body FROM transactions WHERE ${inMicroBlock('position', 'b.position')} ORDER BY position LIMIT 65536
      ) AS t
      LEFT JOIN infos AS i ON i.position = t.position`,
    values: [microBlocks],
  });
}

/** A list of transactions by what it is of. */
interface ListRef {
  kind: ListKind;
  id: string;
}

/** Transactions that mention an object, under any of its names: those of several lists. */
export interface Mention {
  lists: readonly ListRef[];
  /** Ids of contracts, for calls that other transactions wrap: they are in no list. */
  contracts?: readonly string[];
}

/** Which transactions a list has: those to which all of this applies. */
export interface TransactionFilter {
  mentions: readonly Mention[];
  /** Names of types; null for all. */
  types: readonly string[] | null;
  /** Regular expressions that the text of the transaction matches. */
  texts: readonly string[];
  /** Name of the function of a contract call. */
  entrypoint?: string | undefined;
  /** Both are included. */
  low: bigint;
  high: bigint;
}

export interface Keys {
  /** Keys of lists that are stored. */
  lists: string[];
  contracts: string[];
  /** How many transactions there are at most. */
  length: bigint;
}

/** The keys of the lists of each mention, with their lengths. */
export async function keysOf(db: Queryable, mentions: readonly Mention[]): Promise<Keys[]> {
  if (mentions.length === 0) return [];
  const refs = mentions.flatMap(({ lists }, mention) => lists.map((ref) => ({ ...ref, mention })));
  const { rows } = await answers<{ mention: number; key: string; length: string }>(db, {
    name: 'compat.list_keys',
    text: `
      SELECT r.mention, l.key, (SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1) AS length
      FROM unnest($1::int[], $2::smallint[], $3::text[]) AS r (mention, kind, id)
      CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = r.kind AND id = r.id LIMIT 1) AS l`,
    values: [refs.map(({ mention }) => mention), refs.map(({ kind }) => kind), refs.map(({ id }) => id)],
  });
  return mentions.map(({ contracts = [] }, i) => {
    const own = rows.filter(({ mention, length }) => mention === i && length !== null);
    return {
      lists: own.map(({ key }) => key),
      contracts: [...contracts],
      length: own.reduce((sum, { length }) => sum + BigInt(length), 0n),
    };
  });
}

/** Part of a list of transactions, from the lowest or from the highest position on. */
interface TransactionsPart {
  ascending: boolean;
  take: number;
}

/**
 * Transactions of a filter, from the lists of the mention with the fewest: each by one search for the place and as many entries as the page has;
 * what else the filter asks for is checked for each.
 */
export async function filteredTransactions(
  db: Queryable,
  filter: TransactionFilter,
  { ascending, take }: TransactionsPart,
  withIndex = false,
): Promise<Answers<CompatTransactionRow>> {
  const { mentions } = filter;
  const [fewest, ...others] = mentions.length > 1 ? byLength(await keysOf(db, mentions)) : [];
  const asked = parameters();
  const range = { low: asked.add(filter.low, 'bigint'), high: asked.add(filter.high, 'bigint') };
  const order = ascending ? '' : 'DESC';
  const limit = asked.add(take, 'bigint');
  const types = filter.types === null ? null : asked.addWords(filter.types);
  const conditions = conditionsOf(filter, others, asked.add);
  const named = fewest === undefined ? mentions[0] : undefined;
  const parts =
    fewest !== undefined
      ? partsOf(fewest, types, asked)
      : named !== undefined
        ? partsOfNamed(named, types, asked)
        : [wholeChain(types)];
  const sources = parts.map(({ name, text }) => ({
    name,
    text: text({ ...range, order, limit, conditions: conditions.text }),
  }));
  const positions = `
    SELECT DISTINCT found.position
    FROM (${sources.map(({ text }) => `(${text})`).join(' UNION ALL ')}) AS found
    ORDER BY found.position ${order}
    LIMIT ${limit}`;
  const names = [...sources.map(({ name }) => name), ...conditions.names, order || 'ASC'];
  return answers<CompatTransactionRow>(db, {
    name: ['compat.transactions', ...names, ...(withIndex ? ['with_index'] : [])].join('.'),
    text: shown(positions, withIndex),
    values: asked.values,
    types: asked.types,
  });
}

/** The one with the fewest transactions comes first. */
const byLength = (keys: readonly Keys[]): Keys[] => [...keys].sort((a, b) => (a.length < b.length ? -1 : 1));

type Asked = ReturnType<typeof parameters>;

interface Fragments {
  low: string;
  high: string;
  order: string;
  limit: string;
  /** Conditions for the position `p.position` and the transaction `t`. */
  conditions: string;
}

interface Source {
  name: string;
  /** SELECT of `position`. */
  text(fragments: Fragments): string;
}

const CODES = (names: string): string => `(SELECT code FROM types WHERE name = ANY (${names}))`;

/** The conditions that are checked for each transaction. */
function conditionsOf(
  { texts, entrypoint, types }: TransactionFilter,
  others: readonly Keys[],
  parameter: Asked['add'],
): { text: string; names: string[] } {
  const found: string[] = [];
  const names: string[] = [];
  if (texts.length > 0) {
    names.push('text');
    found.push(
      `(SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL (${parameter(texts, 'text[]')})`,
    );
  }
  if (entrypoint !== undefined) {
    names.push('entrypoint');
    const beginning = parameter(`{"function":"${entrypoint}"`, 'text');
    found.push(`
      EXISTS (
        SELECT FROM contract_calls AS c
        WHERE c.position = p.position AND c.state = 'done' AND starts_with(c.arguments, ${beginning})
      )`);
  }
  for (const { lists, contracts } of others) {
    const isListed = `EXISTS (
      SELECT FROM entries AS o WHERE o.position = p.position AND o.list = ANY (${parameter(lists, 'bigint[]')})
    )`;
    names.push(contracts.length > 0 ? 'and_contract' : 'and');
    found.push(contracts.length > 0 ? `(${isListed} OR ${isCallOf(parameter(contracts, 'text[]'))})` : isListed);
  }
  if (types !== null) names.push('typed');
  return { text: found.map((condition) => ` AND ${condition}`).join(''), names };
}

const isCallOf = (contracts: string): string => `EXISTS (
  SELECT FROM contract_calls AS c WHERE c.position = p.position AND c.contract_id = ANY (${contracts})
)`;

/** All transactions, or those of some types. */
const wholeChain = (types: string | null): Source =>
  types === null
    ? {
        name: 'all',
        text: ({ low, high, order, limit, conditions }) => `
          SELECT p.position FROM transactions AS p
          WHERE p.position >= ${low} AND p.position <= ${high} ${conditions}
          ORDER BY p.position ${order} LIMIT ${limit}`,
      }
    : {
        name: 'all_of_types',
        text: ({ low, high, order, limit, conditions }) => `
          SELECT of_type.position
          FROM ${CODES(types)} AS y (code)
          CROSS JOIN LATERAL (
            SELECT p.position FROM transactions AS p
            WHERE p.type = y.code AND p.position >= ${low} AND p.position <= ${high} ${conditions}
            ORDER BY p.position ${order} LIMIT ${limit}
          ) AS of_type`,
      };

/** FROM item of lists (`l.key`) by their keys. */
export const listsByKey = (keys: string): string => `unnest(${keys}) AS l (key)`;

/** The same by what they are of. */
const listsByName = (lists: readonly ListRef[], { addWords }: Asked): string => {
  const kinds = addWords(lists.map(({ kind }) => kind));
  const ids = addWords(lists.map(({ id }) => id));
  return `(
        SELECT o.key FROM unnest(${kinds}::smallint[], ${ids}) AS r (kind, id)
        CROSS JOIN LATERAL (SELECT o.key FROM lists AS o WHERE o.kind = r.kind AND o.id = r.id LIMIT 1) AS o
      ) AS l (key)`;
};

/**
 * FROM of lists (`l.key`), of each of these types (`y.code`) where types are given, with the numbers of their entries before a range of positions
 * (`below.count`) and up to its end (`upto.count`).
 */
export function numberedLists(
  lists: string,
  types: string | null,
  { low, high }: Pick<Fragments, 'low' | 'high'>,
): string {
  const ordinal = types === null ? 'e.ordinal' : 'e.type_ordinal';
  const entries = `FROM entries AS e WHERE e.list = l.key${types === null ? '' : ' AND e.type = y.code'}`;
  return `
      FROM ${lists}
      ${types === null ? '' : `CROSS JOIN ${CODES(types)} AS y (code)`}
      CROSS JOIN LATERAL (
        SELECT COALESCE((SELECT ${ordinal} ${entries} ORDER BY ${ordinal} DESC LIMIT 1), 0)::bigint AS total LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (${entriesBefore(low, '<', ordinal, entries)}) AS below
      CROSS JOIN LATERAL (${entriesBefore(high, '<=', ordinal, entries)}) AS upto`;
}

/** The lists of one mention whose keys are known, and the calls of its contracts. */
export const partsOf = ({ lists, contracts }: Keys, types: string | null, asked: Asked): Source[] =>
  listedAndCalled({ name: 'lists', from: listsByKey(asked.add(lists, 'bigint[]')) }, contracts, types, asked);

const partsOfNamed = ({ lists, contracts = [] }: Mention, types: string | null, asked: Asked): Source[] =>
  listedAndCalled({ name: 'named_lists', from: listsByName(lists, asked) }, contracts, types, asked);

function listedAndCalled(
  lists: { name: string; from: string },
  contracts: readonly string[],
  types: string | null,
  { addWords }: Asked,
): Source[] {
  const column = types === null ? 'ordinal' : 'type_ordinal';
  const listed: Source = {
    name: lists.name,
    text: ({ low, high, order, limit, conditions }) => `
      SELECT part.position
      ${numberedLists(lists.from, types, { low, high })}
      CROSS JOIN LATERAL (
        SELECT p.position
        FROM entries AS p
        WHERE p.list = l.key ${types === null ? '' : 'AND p.type = y.code'}
          AND p.${column} > below.count AND p.${column} <= upto.count ${conditions}
        ORDER BY p.${column} ${order} LIMIT ${limit}
      ) AS part`,
  };
  if (contracts.length === 0) return [listed];
  const ids = addWords(contracts);
  const called: Source = {
    name: 'calls',
    text: ({ low, high, order, limit, conditions }) => `
      SELECT part.position
      FROM unnest(${ids}) AS l (id)
      CROSS JOIN LATERAL (
        SELECT p.position FROM contract_calls AS p
        WHERE p.contract_id = l.id AND p.position >= ${low} AND p.position <= ${high} ${conditions}
          ${types === null ? '' : `AND (SELECT t.type FROM transactions AS t WHERE t.position = p.position) IN ${CODES(types)}`}
        ORDER BY p.position ${order} LIMIT ${limit}
      ) AS part`,
  };
  return [listed, called];
}

/** Number of the transactions of a mention; of some types, or all (null). One list has its length stored; of several they are counted. */
export async function countOfMention(
  db: Queryable,
  mention: Mention,
  types: readonly string[] | null,
): Promise<Answer<{ count: string }>> {
  const [keys] = await keysOf(db, [mention]);
  const { lists = [], contracts = [] } = keys ?? {};
  if (lists.length === 1 && contracts.length === 0)
    return answer(db, {
      name: `compat.length${types === null ? '' : '.of_types'}`,
      text:
        types === null
          ? 'SELECT COALESCE((SELECT ordinal FROM entries WHERE list = $1::bigint ORDER BY ordinal DESC LIMIT 1), 0) AS count'
          : `
            SELECT COALESCE(sum((
              SELECT e.type_ordinal FROM entries AS e
              WHERE e.list = $1::bigint AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1
            )), 0) AS count
            FROM types AS y WHERE y.name = ANY ($2::text[])`,
      values: types === null ? [lists[0]] : [lists[0], types],
    });
  return answer(db, {
    name: `compat.distinct${types === null ? '' : '.of_types'}`,
    text: `
      SELECT count(*) AS count
      FROM (
        SELECT position FROM entries WHERE list = ANY ($1::bigint[])
        UNION
        SELECT position FROM contract_calls WHERE contract_id = ANY ($2::text[])
      ) AS found
      ${types === null ? '' : `JOIN transactions AS t ON t.position = found.position WHERE t.type IN ${CODES('$3::text[]')}`}`,
    values: [lists, contracts, ...(types === null ? [] : [types])],
  });
}

/** How often an id is in each member of each type, in the transactions of a mention. */
export async function countsByMember(
  db: Queryable,
  mention: Mention,
  ids: readonly string[],
  members: readonly string[],
): Promise<Answers<{ type: string; member: string; count: string }>> {
  const [keys] = await keysOf(db, [mention]);
  return answers(db, {
    name: 'compat.counts_by_member',
    text: `
      SELECT y.name AS type, found.member[1] AS member, count(*) AS count
      FROM (SELECT DISTINCT position FROM entries WHERE list = ANY ($1::bigint[])) AS e
      JOIN transactions AS t ON t.position = e.position
      JOIN types AS y ON y.code = t.type
      CROSS JOIN LATERAL regexp_matches(t.body, $2, 'g') AS found (member)
      GROUP BY y.name, found.member[1]`,
    values: [keys?.lists ?? [], `"(${members.join('|')})"\\s*:\\s*"(?:${ids.join('|')})"`],
  });
}
