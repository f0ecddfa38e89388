/** Transactions that use a name move to another list when the name points to another account or oracle than before. */
import { ListKind } from '../../chain/derive.js';
import { TRANSACTION_TYPES } from '../../chain/transactions/catalogue.js';
import type { NameRole } from '../../chain/transactions/type.js';
import type { Queryable } from '../connection/database.js';
import { transactionsAt } from '../facts/stored.js';

/** A range of the chain in which the uses of a name move from one list to another. */
export interface MovedUses {
  /** nm_ */
  name: string;
  /** Kind of the two lists. */
  kind: typeof ListKind.account | typeof ListKind.oracle;
  /** Ids of the list before and after; null if the name pointed, or points, to nothing of the kind. */
  oldId: string | null;
  newId: string | null;
  /** Positions from (inclusive) and to (exclusive). */
  from: bigint;
  to: bigint;
}

type List = Pick<MovedUses, 'kind'> & { id: string };

/** The one or two lists that change. */
export const changedListsOf = ({ kind, oldId, newId }: MovedUses): List[] =>
  [oldId, newId].flatMap((id) => (id === null ? [] : [{ kind, id }]));

/** The list of the transactions that use the name. */
export const useListOf = ({ name }: MovedUses): { kind: number; id: string } => ({ kind: ListKind.nameUse, id: name });

const namesOfTypes = (roles: readonly NameRole[], orWraps: boolean): string[] =>
  TRANSACTION_TYPES.filter(
    ({ resolves, wraps }) =>
      (resolves !== undefined && roles.includes(resolves.role)) || (orWraps && wraps !== undefined),
  ).flatMap(({ name, formerly }) => (formerly === undefined ? [name] : [name, formerly]));

const USERS = {
  [ListKind.account]: namesOfTypes(['payment', 'recipient'], true),
  [ListKind.oracle]: namesOfTypes(['oracle'], true),
};
/** Types of transactions that may transfer a name to the account to which another name points. */
const TRANSFERS = namesOfTypes(['recipient'], true);
const WRAPPING = namesOfTypes([], true);

/**
 * FROM clause of moved uses: `m` is the `MovedUses`, numbered from 1, `e` an entry of the list of the name's uses. The parameters are
 * those of `moveColumns`, numbered from `first` on.
 *
 * OFFSET 0 twice: a range is looked up once, before its entries, and these by the list and its ordinals. Without statistics of the
 * tables PostgreSQL looked it up again for each of a million entries.
 */
export const fromMovedUses = (first: number): string => `
  (
    SELECT m.number, m.old_id, m.new_id, u.key, ordinal_from(u.key, m.from) AS first, ordinal_from(u.key, m.to) AS past,
      ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.types, ','))) AS types,
      ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.wrapping, ','))) AS wrapping
    FROM unnest($${first}::text[], $${first + 1}::bigint[], $${first + 2}::bigint[], $${first + 3}::text[], $${first + 4}::text[],
      $${first + 5}::text[], $${first + 6}::text[]) WITH ORDINALITY
      AS m (name, "from", "to", old_id, new_id, types, wrapping, number)
    CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = ${ListKind.nameUse} AND id = m.name LIMIT 1) AS u
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT e.type, e.position FROM entries AS e
    WHERE e.list = m.key AND e.ordinal >= m.first AND e.ordinal < m.past AND e.type = ANY (m.types)
    OFFSET 0
  ) AS e`;

/**
 * Whether the transaction of `e` may be in one of the two lists because of a member of its own, or use the name for something else.
 * `derive` decides that for each. An id that is not in the text of a transaction is in none of its members, unless it has escapes.
 *
 * It is a subquery and not a join: PostgreSQL would put the texts into a hash table, though each position is used once. PostgreSQL
 * hashes a bigint as one half xor the other, which gives few different values for positions.
 */
const MENTIONS_LIST = `(
  e.type = ANY (m.wrapping) OR (
    SELECT strpos(t.body, chr(92)) > 0 OR COALESCE(strpos(t.body, m.old_id), 0) > 0 OR COALESCE(strpos(t.body, m.new_id), 0) > 0
    FROM transactions AS t WHERE t.position = e.position
  )
)`;

/** Parameters of `fromMovedUses`; `types` are the transaction types to find, by default those that use names for the kind of list. */
export const moveColumns = (moves: readonly MovedUses[], types?: readonly string[]): unknown[] => [
  moves.map(({ name }) => name),
  moves.map(({ from }) => from),
  moves.map(({ to }) => to),
  moves.map(({ oldId }) => oldId),
  moves.map(({ newId }) => newId),
  moves.map(({ kind }) => (types ?? USERS[kind]).join()),
  moves.map(() => WRAPPING.join()),
];

/** Uses that do not simply move from the old list to the new one: the number of their `MovedUses`, from 1, and their positions. */
export interface Exceptions {
  numbers: string[];
  positions: string[];
}

/** The uses that must be derived one by one (`exceptions`), and the entries that are removed and added because of them. */
export async function derivedMoves(
  db: Queryable,
  moves: readonly MovedUses[],
): Promise<{ removed: ListedEntry[]; added: ListedEntry[]; exceptions: Exceptions }> {
  const removed: ListedEntry[] = [];
  const added: ListedEntry[] = [];
  if (moves.length === 0) return { removed, added, exceptions: { numbers: [], positions: [] } };
  const { rows } = await db.query<{ number: string; position: string; type: number }>({
    name: 'moved_uses.derived',
    text: `
      SELECT m.number, e.position, e.type
      FROM ${fromMovedUses(1)}
      WHERE ${MENTIONS_LIST}
      ORDER BY e.position`,
    values: moveColumns(moves),
  });
  let next = 0;
  for await (const { position, derived } of transactionsAt(
    db,
    BigInt64Array.from(rows, (row) => BigInt(row.position)),
  )) {
    for (; rows[next]?.position === String(position); next++) {
      const { number, type } = rows[next]!;
      const { kind, name, oldId, newId } = moves[Number(number) - 1]!;
      const role = derived.nameUses.find((use) => use.name === name)?.role;
      if (role === undefined || (role === 'oracle') !== (kind === ListKind.oracle)) continue;
      const isOwn = (id: string): boolean => derived.lists.some((list) => list.kind === kind && list.id === id);
      if (oldId !== null && !isOwn(oldId)) removed.push({ kind, id: oldId, position, type });
      if (newId !== null && !isOwn(newId)) added.push({ kind, id: newId, position, type });
    }
  }
  const exceptions = { numbers: rows.map(({ number }) => number), positions: rows.map(({ position }) => position) };
  return { removed, added, exceptions };
}

interface ListedEntry extends List {
  position: bigint;
  type: number;
}

/** The names that were transferred to one of the moved names, so that they have other owners now. */
export async function transferredTo(db: Queryable, moves: readonly MovedUses[]): Promise<string[]> {
  const paid = moves.filter(({ kind }) => kind === ListKind.account);
  if (paid.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'moved_uses.transferred',
    text: `
      SELECT DISTINCT l.id
      FROM ${fromMovedUses(1)}
      CROSS JOIN LATERAL (SELECT list FROM entries WHERE position = e.position OFFSET 0) AS o
      CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = o.list LIMIT 1) AS l
      WHERE l.kind = ${ListKind.name}`,
    values: moveColumns(paid, TRANSFERS),
  });
  return rows.map(({ id }) => id);
}
