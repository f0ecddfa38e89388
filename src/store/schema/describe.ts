/** What the schema of a copy is made of, as texts that are the same in every schema and on every supported version of PostgreSQL. */
import type { Queryable } from '../connection/database.js';

/** An object of the schema, or a part of a table. */
export interface Described {
  /** Kind and name, for example `index entries_position_idx`. */
  label: string;
  definition: string;
  /** The table or view that it belongs to; null for functions. */
  of: string | null;
}

/** Describes tables, columns, constraints, indexes, triggers, rules, functions and the columns of views. Partitions are parts of their tables. */
export async function describeSchema(db: Queryable): Promise<Described[]> {
  const { rows } = await db.query<Described>({
    name: 'schema.describe',
    text: `
      WITH here AS (SELECT oid, quote_ident(nspname) || '.' AS prefix FROM pg_namespace WHERE nspname = current_schema()),
      whole AS (
        SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, here.prefix
        FROM here JOIN pg_class AS c ON c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND NOT c.relispartition
      )
      SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'c' THEN 'type' ELSE 'table' END || ' ' || c.relname AS label,
        concat_ws(', ',
          CASE c.relkind WHEN 'r' THEN 'plain' WHEN 'p' THEN 'partitioned by ' || pg_get_partkeydef(c.oid) WHEN 'v' THEN 'view'
            WHEN 'c' THEN 'composite' ELSE 'of kind ' || c.relkind::text END,
          CASE WHEN c.relpersistence <> 'p' THEN 'not logged' END,
          CASE WHEN c.relrowsecurity OR c.relforcerowsecurity THEN 'with row level security' END,
          CASE WHEN c.relkind = 'v' AND c.reloptions IS NOT NULL THEN array_to_string(c.reloptions, ' ') END,
          -- A table that inherits adds its rows to every answer.
          (SELECT 'inherited by ' || string_agg(i.inhrelid::regclass::text, ' ' ORDER BY i.inhrelid)
            FROM pg_inherits AS i WHERE i.inhparent = c.oid AND c.relkind <> 'p')
        ) AS definition, c.relname AS "of"
      FROM whole AS c
      UNION ALL
      SELECT concat('column ', c.relname, '.', a.attname),
        concat_ws(' ', format_type(a.atttypid, a.atttypmod),
          (SELECT 'COLLATE ' || o.collname FROM pg_collation AS o WHERE o.oid = a.attcollation AND a.attcollation <> t.typcollation),
          CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'IDENTITY ' || NULLIF(a.attidentity::text, ''),
          'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)), c.relname
      FROM whole AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type AS t ON t.oid = a.atttypid
      LEFT JOIN pg_attrdef AS d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
      UNION ALL
      SELECT concat('constraint ', c.relname, '.', k.conname),
        replace(pg_get_constraintdef(k.oid), c.prefix, '') || CASE WHEN k.convalidated THEN '' ELSE ' NOT VALID' END, c.relname
      FROM whole AS c JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype <> 'n' AND k.contype <> 't'
      UNION ALL
      SELECT 'index ' || i.indexrelid::regclass::text,
        replace(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), c.prefix, '')
          || CASE WHEN i.indisvalid AND i.indisready AND i.indislive THEN '' ELSE ' INVALID' END, c.relname
      FROM whole AS c JOIN pg_index AS i ON i.indrelid = c.oid
      UNION ALL
      SELECT concat('trigger ', c.relname, '.', g.tgname),
        replace(replace(pg_get_triggerdef(g.oid), c.prefix, ''), ' EXECUTE PROCEDURE ', ' EXECUTE FUNCTION ')
          || CASE g.tgenabled WHEN 'O' THEN '' ELSE ' enabled ' || g.tgenabled::text END, c.relname
      FROM whole AS c JOIN pg_trigger AS g ON g.tgrelid = c.oid AND NOT g.tgisinternal
      UNION ALL
      SELECT concat('rule ', c.relname, '.', r.rulename), replace(pg_get_ruledef(r.oid), c.prefix, ''), c.relname
      FROM whole AS c JOIN pg_rewrite AS r ON r.ev_class = c.oid AND r.rulename <> '_RETURN'
      UNION ALL
      SELECT concat('function ', p.proname, '(', replace(pg_get_function_identity_arguments(p.oid), here.prefix, ''), ')'),
        concat_ws(' ', 'RETURNS', replace(pg_get_function_result(p.oid), here.prefix, ''), 'LANGUAGE', l.lanname, p.provolatile::text,
          CASE WHEN p.proisstrict THEN 'STRICT' END, CASE WHEN p.prosecdef THEN 'SECURITY DEFINER' END,
          'SET ' || array_to_string(p.proconfig, ' SET '), 'AS', p.prosrc), NULL
      FROM here JOIN pg_proc AS p ON p.pronamespace = here.oid JOIN pg_language AS l ON l.oid = p.prolang
      ORDER BY 1`,
  });
  return rows;
}
