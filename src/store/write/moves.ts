/** Uses of a name that stand in another list because the name points to something else than before. */
import { ListKind } from '../../chain/derive.js';
import { TRANSACTION_TYPES } from '../../chain/transactions/catalogue.js';
import type { NameRole } from '../../chain/transactions/type.js';
import type { Queryable } from '../connection/database.js';
import { transactionsAt } from './stored.js';

/** The uses of a name in a stretch of the chain. */
export interface Move {
  /** nm_ */
  name: string;
  /** Of the lists in which they stand, by what they use the name for. */
  kind: typeof ListKind.account | typeof ListKind.oracle;
  /** Ids of the lists; null: the name pointed, or points, to nothing of the kind. */
  was: string | null;
  becomes: string | null;
  /** Positions from (inclusive) and to (exclusive). */
  from: bigint;
  to: bigint;
}

type List = Pick<Move, 'kind'> & { id: string };

export const endsOf = ({ kind, was, becomes }: Move): List[] =>
  [was, becomes].flatMap((id) => (id === null ? [] : [{ kind, id }]));

export const usersOf = ({ name }: Move): { kind: number; id: string } => ({ kind: ListKind.nameUse, id: name });

const namesOfTypes = (roles: readonly NameRole[], orWraps: boolean): string[] =>
  TRANSACTION_TYPES.filter(
    ({ resolves, wraps }) =>
      (resolves !== undefined && roles.includes(resolves.role)) || (orWraps && wraps !== undefined),
  ).flatMap(({ name, formerly }) => (formerly === undefined ? [name] : [name, formerly]));

const USERS = {
  [ListKind.account]: namesOfTypes(['payment', 'recipient'], true),
  [ListKind.oracle]: namesOfTypes(['oracle'], true),
};
/** Types of transactions that may hand a name over to what another one points to. */
const TRANSFERS = namesOfTypes(['recipient'], true);
const WRAPPING = namesOfTypes([], true);

/**
 * FROM clause of the uses that moves are about: `m` is the move, numbered from 1, `e` an entry of the name's users. Takes the
 * parameters of `columnsOf`, numbered from `first` on.
 *
 * OFFSET 0 twice: a stretch is looked up once, before its entries, and these by the list and its ordinals. Without statistics of the
 * tables PostgreSQL looked it up again for each of a million entries.
 */
export const movedUses = (first: number): string => `
  (
    SELECT m.number, m.was_id, m.becomes_id, u.key, ordinal_from(u.key, m.from) AS first, ordinal_from(u.key, m.to) AS past,
      ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.types, ','))) AS types,
      ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.wrapping, ','))) AS wrapping
    FROM unnest($${first}::text[], $${first + 1}::bigint[], $${first + 2}::bigint[], $${first + 3}::text[], $${first + 4}::text[],
      $${first + 5}::text[], $${first + 6}::text[]) WITH ORDINALITY
      AS m (name, "from", "to", was_id, becomes_id, types, wrapping, number)
    CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = ${ListKind.nameUse} AND id = m.name LIMIT 1) AS u
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT e.type, e.position FROM entries AS e
    WHERE e.list = m.key AND e.ordinal >= m.first AND e.ordinal < m.past AND e.type = ANY (m.types)
    OFFSET 0
  ) AS e`;

/**
 * Whether the transaction of `e` may stand in one of the two lists by a member of its own, or use the name for something else: to be
 * found out by `derive`. An id that is no part of its text is in none of its members, unless it is written with escapes.
 *
 * No join: PostgreSQL would keep each text for the next use of the same position, of which there is none, in a hash table. It hashes
 * a bigint by one half xor the other, which for positions takes few values.
 */
const MENTIONS_END = `(
  e.type = ANY (m.wrapping) OR (
    SELECT strpos(t.body, chr(92)) > 0 OR COALESCE(strpos(t.body, m.was_id), 0) > 0 OR COALESCE(strpos(t.body, m.becomes_id), 0) > 0
    FROM transactions AS t WHERE t.position = e.position
  )
)`;

export const columnsOf = (moves: readonly Move[], types?: readonly string[]): unknown[] => [
  moves.map(({ name }) => name),
  moves.map(({ from }) => from),
  moves.map(({ to }) => to),
  moves.map(({ was }) => was),
  moves.map(({ becomes }) => becomes),
  moves.map(({ kind }) => (types ?? USERS[kind]).join()),
  moves.map(() => WRAPPING.join()),
];

/** Uses that do not simply go from one list to the other: of each the number of its move, from 1, and its position. */
export interface Exceptions {
  numbers: string[];
  positions: string[];
}

/** Entries by which lists change for the transactions of moves that have to be looked at one by one, and which these are. */
export async function derivedMoves(
  db: Queryable,
  moves: readonly Move[],
): Promise<{ gone: ListedEntry[]; come: ListedEntry[]; exceptions: Exceptions }> {
  const gone: ListedEntry[] = [];
  const come: ListedEntry[] = [];
  if (moves.length === 0) return { gone, come, exceptions: { numbers: [], positions: [] } };
  const { rows } = await db.query<{ number: string; position: string; type: number }>({
    name: 'moves.derived',
    text: `
      SELECT m.number, e.position, e.type
      FROM ${movedUses(1)}
      WHERE ${MENTIONS_END}
      ORDER BY e.position`,
    values: columnsOf(moves),
  });
  let next = 0;
  for await (const { position, derived } of transactionsAt(
    db,
    BigInt64Array.from(rows, (row) => BigInt(row.position)),
  )) {
    for (; rows[next]?.position === String(position); next++) {
      const { number, type } = rows[next]!;
      const { kind, name, was, becomes } = moves[Number(number) - 1]!;
      const role = derived.nameUses.find((use) => use.name === name)?.role;
      if (role === undefined || (role === 'oracle') !== (kind === ListKind.oracle)) continue;
      const isOwn = (id: string): boolean => derived.lists.some((list) => list.kind === kind && list.id === id);
      if (was !== null && !isOwn(was)) gone.push({ kind, id: was, position, type });
      if (becomes !== null && !isOwn(becomes)) come.push({ kind, id: becomes, position, type });
    }
  }
  const exceptions = { numbers: rows.map(({ number }) => number), positions: rows.map(({ position }) => position) };
  return { gone, come, exceptions };
}

interface ListedEntry extends List {
  position: bigint;
  type: number;
}

/** The names that were transferred to the names of the moves: their owners are others now. */
export async function transferredWith(db: Queryable, moves: readonly Move[]): Promise<string[]> {
  const paid = moves.filter(({ kind }) => kind === ListKind.account);
  if (paid.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'moves.transferred',
    text: `
      SELECT DISTINCT l.id
      FROM ${movedUses(1)}
      CROSS JOIN LATERAL (SELECT list FROM entries WHERE position = e.position OFFSET 0) AS o
      CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = o.list LIMIT 1) AS l
      WHERE l.kind = ${ListKind.name}`,
    values: columnsOf(paid, TRANSFERS),
  });
  return rows.map(({ id }) => id);
}
