import type { DbTransaction } from '../connection/database.js';
import { listLabel, listKeys, reviseLists } from '../lists.js';
import type { Entry } from '../lists.js';
import { changedListsOf, fromMovedUses, moveColumns, useListOf } from './moved-uses.js';
import type { Exceptions, MovedUses } from './moved-uses.js';

/**
 * Removes entries from their lists, adds others, and moves uses except for the exceptions, anywhere in the chain. Entries that are
 * removed already, or there already, are accepted. Each list is renumbered from the first ordinal that changed.
 */
export async function replaceEntries(
  tx: DbTransaction,
  removed: readonly Entry[],
  added: readonly Entry[],
  moves: readonly MovedUses[],
  exceptions: Exceptions,
): Promise<void> {
  if (removed.length === 0 && added.length === 0 && moves.length === 0) return;
  await reviseLists(tx);
  const wanted = new Map<string, { kind: number; id: string }>();
  const lists = [...removed, ...added, ...moves.flatMap((move) => [useListOf(move), ...changedListsOf(move)])];
  for (const { kind, id } of lists) wanted.set(listLabel(kind, id), { kind, id });
  const keys = await listKeys(tx, wanted);
  const keyOf = ({ kind, id }: { kind: number; id: string }): string => keys.get(listLabel(kind, id))!;
  const keyOrNull = (kind: number, id: string | null): string | null => (id === null ? null : keyOf({ kind, id }));
  // One statement, because a temporary table would need a privilege of its own. All parts of it see the entries as they were before.
  // - A list, or a type in it, is renumbered from the beginning of its tail, or from its end if it has none.
  // - `action` of an entry: it was there (0), is removed (1) or is added (2). The greatest of an entry wins. That is found by a sort,
  //   because the rows come sorted already, and PostgreSQL hashes positions badly.
  // - OFFSET 0 computes each start once, whatever the plan; PostgreSQL 11 has no AS MATERIALIZED.
  await tx.query({
    name: 'entries.replace',
    text: `
      WITH moved AS (
        SELECT k.old_list, k.new_list, e.type, e.position
        FROM ${fromMovedUses(7)} JOIN unnest($14::bigint[], $15::bigint[]) WITH ORDINALITY AS k (old_list, new_list, number) USING (number)
        WHERE (m.number, e.position) NOT IN (SELECT * FROM unnest($16::bigint[], $17::bigint[]))
      ), changed AS (
        SELECT list, type, position, 1 AS action FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS g (list, type, position)
        UNION ALL
        SELECT list, type, position, 2 FROM unnest($4::bigint[], $5::smallint[], $6::bigint[]) AS c (list, type, position)
        UNION ALL SELECT old_list, type, position, 1 FROM moved WHERE old_list IS NOT NULL
        UNION ALL SELECT new_list, type, position, 2 FROM moved WHERE new_list IS NOT NULL
      ), starts AS (
        SELECT list, ordinal_from(list, min(position)) AS ordinal FROM changed GROUP BY list OFFSET 0
      ), tail AS (
        DELETE FROM entries AS e USING starts AS s WHERE e.list = s.list AND e.ordinal >= s.ordinal
        RETURNING e.list, e.type, e.position, e.ordinal, e.type_ordinal
      ), placed AS (
        SELECT list, type, position, ordinal, type_ordinal, action <> 1
          AND lead(position) OVER (PARTITION BY list, type ORDER BY position, action) IS DISTINCT FROM position AS stays
        FROM (
          SELECT list, type, position, ordinal, type_ordinal, 0 AS action FROM tail
          UNION ALL SELECT list, type, position, NULL, NULL, action FROM changed
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
      removed.map(keyOf),
      removed.map(({ type }) => type),
      removed.map(({ position }) => position),
      added.map(keyOf),
      added.map(({ type }) => type),
      added.map(({ position }) => position),
      ...moveColumns(moves),
      moves.map(({ kind, oldId }) => keyOrNull(kind, oldId)),
      moves.map(({ kind, newId }) => keyOrNull(kind, newId)),
      exceptions.numbers,
      exceptions.positions,
    ],
  });
}
