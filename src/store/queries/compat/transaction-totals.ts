/** How many transactions lists have, by the numbers of entries and generations. */
import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import { parameters } from '../parameters.js';
import { countBetween } from './places.js';
import { MAX_COUNTED } from './totals.js';
import type { Total } from './totals.js';
import { keysOf, listsByKey, numberedLists, partsOf } from './transactions.js';
import type { Keys, Mention, TransactionFilter } from './transactions.js';

/** Reads the number of transactions of a filter; undefined if each of them would have to be looked at. */
export function transactionTotal(db: Queryable, filter: TransactionFilter): (() => Promise<Answer<Total>>) | undefined {
  const { mentions, texts, entrypoint, types } = filter;
  const [mention, ...others] = mentions;
  if (texts.length > 0 || entrypoint !== undefined || others.length > 0) return undefined;
  return mention === undefined ? () => countBetween(db, filter, types) : () => mentionTotal(db, mention, filter);
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
