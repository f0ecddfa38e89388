import type { Queryable } from '../connection/database.js';

/** Something that stands in a schema by itself: a table, view, sequence, function, type and the like. */
interface SchemaObject {
  kind: string;
  name: string;
  /** Kind and name as they are shown; those of a function include its arguments. */
  label: string;
}

/**
 * What is in the schema of the connection, by the catalog's own record of it, so that no kind is overlooked. What is a part
 * of a table (indexes, triggers, sequences of its columns, partitions) goes by the table.
 */
export async function objectsIn(db: Queryable): Promise<SchemaObject[]> {
  const { rows } = await db.query<{ kind: string; identity: string }>({
    name: 'ownership.objects',
    text: `
      SELECT o.type AS kind,
        CASE WHEN o.schema IS NULL THEN o.identity ELSE substr(o.identity, length(o.schema) + 2) END AS identity
      FROM pg_namespace AS n
      JOIN pg_depend AS d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid AND d.deptype = 'n'
      CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS o
      WHERE n.nspname = current_schema() AND NOT (o.type = 'sequence' AND EXISTS (
        SELECT FROM pg_depend AS part
        WHERE part.classid = d.classid AND part.objid = d.objid AND part.refclassid = d.classid
          AND part.deptype IN ('a', 'i')
      )) AND CASE WHEN d.classid = 'pg_class'::regclass THEN (
        SELECT whole.relnamespace FROM pg_inherits AS i
        JOIN pg_class AS part ON part.oid = i.inhrelid AND part.relispartition
        JOIN pg_class AS whole ON whole.oid = i.inhparent
        WHERE i.inhrelid = d.objid LIMIT 1
      ) END IS DISTINCT FROM n.oid
      ORDER BY kind, identity`,
  });
  return rows.map(({ kind, identity }) => ({
    kind,
    name: identity.replace(/\(.*/, ''),
    label: `${kind} ${identity}`,
  }));
}

/** Objects that a message names. */
const NAMED = 20;

/** Names what is given, as far as a reader will read. */
export function listed(labels: readonly string[]): string {
  const more = labels.length - NAMED;
  return labels.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
