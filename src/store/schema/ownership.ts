import type { Queryable } from '../connection/database.js';

/** An object of a schema that is not a part of another one: a table, view, sequence, function or type. */
interface SchemaObject {
  kind: string;
  name: string;
  /** Kind and name for messages; with the arguments of a function. */
  label: string;
}

/**
 * The objects in the schema of the connection. They are read from `pg_depend`, which has objects of all kinds. Parts of a table (indexes,
 * triggers, sequences of its columns, partitions) are left out.
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

/** Max objects in a message. */
const MAX_LISTED = 20;

/** The labels for a message, shortened to the first ones. */
export function listed(labels: readonly string[]): string {
  const more = labels.length - MAX_LISTED;
  return labels.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
