/** How many transactions lists have, by the numbers of entries and generations. */
import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { parameters } from '../parameters.js';
import { countBetween } from './places.js';
import { MAX_COUNTED } from './totals.js';
import type { Total } from './totals.js';
import { CODES, keysOf, listsByKey, numberedLists, partsOf, searchOf } from './transaction-lists.js';
import type { Keys, Mention, TransactionFilter } from './transaction-lists.js';

/** Reads the number of transactions of a filter. */
export function transactionTotal(db: Queryable, filter: TransactionFilter): Promise<Answer<Total>> {
  const { mentions, texts, entrypoint, types } = filter;
  const [mention, ...others] = mentions;
  if (texts.length > 0 || entrypoint !== undefined || others.length > 0) return checkedTotal(db, filter);
  return mention === undefined ? countBetween(db, filter, types) : mentionTotal(db, mention, filter);
}

/** Each transaction that the indexes find is looked at, if there are not more than are counted. */
async function checkedTotal(db: Queryable, filter: TransactionFilter): Promise<Answer<Total>> {
  const { asked, range, limit, conditions, parts } = await searchOf(db, filter, MAX_COUNTED + 1);
  const found = parts.map(({ text }) => `(${text({ ...range, order: '', limit, conditions: '' })})`);
  return answer<Total>(db, {
    name: ['compat.checked_total', ...parts.map(({ name }) => name), ...conditions.names].join('.'),
    text: `
      SELECT CASE WHEN count(*) <= ${MAX_COUNTED} THEN count(DISTINCT p.position) FILTER (WHERE p.is_listed) END AS count
      FROM (
        SELECT p.position, true ${conditions.text} AS is_listed
        FROM (SELECT found.position FROM (${found.join(' UNION ALL ')}) AS found LIMIT ${limit}) AS p
      ) AS p`,
    values: asked.values,
    types: asked.types,
  });
}

/** The lists of a mention in groups: those of a group have no transaction in common, so that the sum of their lengths is that of the group. */
function groupsOf({ lists }: Mention): Mention[] {
  const groups = new Map<string, Mention['lists'][number][]>();
  for (const ref of lists) {
    const isNamed = ref.kind === ListKind.account || ref.kind === ListKind.wrapped;
    const name = `${isNamed ? '' : ref.kind} ${ref.id}`;
    groups.set(name, [...(groups.get(name) ?? []), ref]);
  }
  return [...groups.values()].map((group) => ({ lists: group }));
}

const NONE: Keys = { lists: [], contracts: [], length: 0n };

/** The length of the longest group follows from the ordinals of its lists. Of the other ones those are counted that are not in it. */
async function mentionTotal(
  db: Queryable,
  mention: Mention,
  { low, high, types }: TransactionFilter,
): Promise<Answer<Total>> {
  const groups = (await keysOf(db, groupsOf(mention))).sort((a, b) => (a.length > b.length ? -1 : 1));
  const [longest = NONE, ...others] = groups;
  const rest: Keys = {
    ...NONE,
    lists: others.flatMap(({ lists }) => lists),
    contracts: [...(mention.contracts ?? [])],
  };
  const asked = parameters();
  const range = { low: asked.add(low, 'bigint'), high: asked.add(high, 'bigint') };
  const ofTypes = types === null ? null : asked.addWords(types);
  const keys = asked.add(longest.lists, 'bigint[]');
  const parts = partsOf(rest, ofTypes, asked);
  const limit = String(MAX_COUNTED + 1);
  const found = parts.map(({ text }) => `(${text({ ...range, order: '', limit, conditions: '' })})`);
  return answer<Total>(db, {
    name: ['compat.mention_total', ...parts.map(({ name }) => name), ...(types === null ? [] : ['of_types'])].join('.'),
    text: `
      SELECT CASE WHEN rest.read <= ${MAX_COUNTED} THEN rest.others + (
        SELECT COALESCE(sum(upto.count - below.count), 0) ${numberedLists(listsByKey(keys), ofTypes, range)}
      ) END AS count
      FROM (
        SELECT count(*) AS read, count(DISTINCT one.position) FILTER (WHERE NOT one.is_known) AS others
        FROM (
          SELECT found.position,
            EXISTS (SELECT FROM entries AS e WHERE e.position = found.position AND e.list = ANY (${keys})) AS is_known
          FROM (${found.join(' UNION ALL ')}) AS found
        ) AS one
      ) AS rest`,
    values: asked.values,
  });
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
