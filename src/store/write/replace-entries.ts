import type { DbTransaction } from '../connection/database.js';
import { listLabel, listKeys, reviseLists } from './lists.js';
import type { Entry } from './lists.js';
import { columnsOf, endsOf, movedUses, usersOf } from './moves.js';
import type { Exceptions, Move } from './moves.js';

/**
 * Takes entries out of their lists, puts others in, and carries out moves but for their exceptions, wherever in the chain that is;
 * what is gone or there already is left so. Each list is numbered again from the first place at which it changed.
 */
export async function replaceEntries(
  tx: DbTransaction,
  gone: readonly Entry[],
  come: readonly Entry[],
  moves: readonly Move[],
  exceptions: Exceptions,
): Promise<void> {
  if (gone.length === 0 && come.length === 0 && moves.length === 0) return;
  await reviseLists(tx);
  const wanted = new Map<string, { kind: number; id: string }>();
  const lists = [...gone, ...come, ...moves.flatMap((move) => [usersOf(move), ...endsOf(move)])];
  for (const { kind, id } of lists) wanted.set(listLabel(kind, id), { kind, id });
  const keys = await listKeys(tx, wanted);
  const keyOf = ({ kind, id }: { kind: number; id: string }): string => keys.get(listLabel(kind, id))!;
  const endKey = (kind: number, id: string | null): string | null => (id === null ? null : keyOf({ kind, id }));
  // One statement: a temporary table for what is moved would need a right of its own. All of it sees the entries as they
  // were before; a list, or a type in it, goes on from where its tail began, or from its end if it had none. Of what is said
  // about an entry that it was there (0), goes (1) and comes (2), the greatest holds: by a sort, because what is joined here comes
  // sorted already, and PostgreSQL hashes positions badly. OFFSET 0: each start is found once, whatever the plan; PostgreSQL 11
  // has no AS MATERIALIZED.
  await tx.query({
    name: 'entries.replace',
    text: `
      WITH moved AS (
        SELECT k.was, k.becomes, e.type, e.position
        FROM ${movedUses(7)} JOIN unnest($14::bigint[], $15::bigint[]) WITH ORDINALITY AS k (was, becomes, number) USING (number)
        WHERE (m.number, e.position) NOT IN (SELECT * FROM unnest($16::bigint[], $17::bigint[]))
      ), changed AS (
        SELECT list, type, position, 1 AS said FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS g (list, type, position)
        UNION ALL
        SELECT list, type, position, 2 FROM unnest($4::bigint[], $5::smallint[], $6::bigint[]) AS c (list, type, position)
        UNION ALL SELECT was, type, position, 1 FROM moved WHERE was IS NOT NULL
        UNION ALL SELECT becomes, type, position, 2 FROM moved WHERE becomes IS NOT NULL
      ), starts AS (
        SELECT list, ordinal_from(list, min(position)) AS ordinal FROM changed GROUP BY list OFFSET 0
      ), tail AS (
        DELETE FROM entries AS e USING starts AS s WHERE e.list = s.list AND e.ordinal >= s.ordinal
        RETURNING e.list, e.type, e.position, e.ordinal, e.type_ordinal
      ), placed AS (
        SELECT list, type, position, ordinal, type_ordinal, said <> 1
          AND lead(position) OVER (PARTITION BY list, type ORDER BY position, said) IS DISTINCT FROM position AS stays
        FROM (
          SELECT list, type, position, ordinal, type_ordinal, 0 AS said FROM tail
          UNION ALL SELECT list, type, position, NULL, NULL, said FROM changed
        ) AS p
      ), groups AS (
        SELECT p.list, p.type, array_agg(p.position ORDER BY p.position) FILTER (WHERE p.stays) AS positions,
          COALESCE(
            min(min(p.ordinal)) OVER (PARTITION BY p.list) - 1,
            (SELECT e.ordinal FROM entries e WHERE e.list = p.list ORDER BY e.ordinal DESC LIMIT 1),
            0
          ) AS ordinal,
          COALESCE(
            min(p.type_ordinal) - 1,
            (
              SELECT e.type_ordinal FROM entries e WHERE e.list = p.list AND e.type = p.type
              ORDER BY e.type_ordinal DESC LIMIT 1
            ),
            0
          ) AS type_ordinal
        FROM placed AS p
        GROUP BY p.list, p.type
      )
      INSERT INTO entries (list, position, ordinal, type_ordinal, type)
      SELECT g.list, p.position, g.ordinal + row_number() OVER (PARTITION BY g.list ORDER BY p.position),
        g.type_ordinal + p.number, g.type
      FROM groups AS g CROSS JOIN LATERAL unnest(g.positions) WITH ORDINALITY AS p (position, number)`,
    values: [
      gone.map(keyOf),
      gone.map(({ type }) => type),
      gone.map(({ position }) => position),
      come.map(keyOf),
      come.map(({ type }) => type),
      come.map(({ position }) => position),
      ...columnsOf(moves),
      moves.map(({ kind, was }) => endKey(kind, was)),
      moves.map(({ kind, becomes }) => endKey(kind, becomes)),
      exceptions.numbers,
      exceptions.positions,
    ],
  });
}
