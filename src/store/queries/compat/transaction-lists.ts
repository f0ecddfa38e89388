/** Lists of transactions by what they are and what they mention. */
import type { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answers } from '../answer.js';
import type { Answers } from '../answer.js';
import { entriesBefore } from '../paging/keyset.js';
import { parameters } from '../parameters.js';
import { shown } from './transactions.js';
import type { CompatTransactionRow } from './transactions.js';

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
  const { asked, range, limit, conditions, parts } = await searchOf(db, filter, take);
  const order = ascending ? '' : 'DESC';
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

/** How the transactions of a filter are found: the parts of its list, and what is checked for each of their transactions. */
export async function searchOf(db: Queryable, filter: TransactionFilter, take: number) {
  const { mentions } = filter;
  const [fewest, ...others] = mentions.length > 1 ? byLength(await keysOf(db, mentions)) : [];
  const asked = parameters();
  const range = { low: asked.add(filter.low, 'bigint'), high: asked.add(filter.high, 'bigint') };
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
  return { asked, range, limit, conditions, parts };
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

/** SELECT of the codes of types. */
export const CODES = (names: string): string => `(SELECT code FROM types WHERE name = ANY (${names}))`;

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
