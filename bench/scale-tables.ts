/** What the tables of a copy take. */
import type pg from 'pg';

export interface Size {
  rows: number;
  /** Bytes. */
  heap: number;
  indexes: number;
}

/** The table of the row of pg_class with the alias `c`: the partitioned one if it is a partition. */
const TABLE = `COALESCE((SELECT p.relname FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent WHERE i.inhrelid = c.oid), c.relname)`;

/** By table, the largest first. */
export async function sizesOf(client: pg.Client): Promise<Map<string, Size>> {
  const { rows: tables } = await client.query<{ name: string; heap: string; indexes: string }>(`
    SELECT ${TABLE} AS name, SUM(pg_table_size(c.oid)) AS heap, SUM(pg_indexes_size(c.oid)) AS indexes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'mdw' AND c.relkind = 'r'
    GROUP BY 1 HAVING SUM(pg_total_relation_size(c.oid)) > 65536
    ORDER BY SUM(pg_total_relation_size(c.oid)) DESC`);
  const sizes = new Map<string, Size>();
  for (const { name, heap, indexes } of tables) {
    const { rows } = await client.query<{ n: string }>(`SELECT COUNT(*) AS n FROM ${name}`);
    sizes.set(name, { rows: Number(rows[0]!.n), heap: Number(heap), indexes: Number(indexes) });
  }
  return sizes;
}

const sum = (sizes: Iterable<Size>, of: (size: Size) => number): number =>
  [...sizes].reduce((total, size) => total + of(size), 0);

export function sizeTable(sizes: ReadonlyMap<string, Size>, transactions: number): string[] {
  const a = (bytes: number): string => (bytes / transactions).toFixed(1);
  const all = [...sizes.values()];
  return [
    '| Table | rows | bytes a transaction: rows | indexes |',
    '|---|---|---|---|',
    ...[...sizes].map(([name, { rows, heap, indexes }]) => `| ${name} | ${rows} | ${a(heap)} | ${a(indexes)} |`),
    `| **all** | | ${a(sum(all, ({ heap }) => heap))} | ${a(sum(all, ({ indexes }) => indexes))} |`,
  ];
}

/** Dead rows and free space in the rows of each table, percent. */
export async function tuplesOf(client: pg.Client): Promise<Map<string, { dead: number; free: number }>> {
  const { rows } = await client.query<{ name: string; dead: number; free: number }>(`
    SELECT ${TABLE} AS name, (100 * SUM(t.dead_tuple_len) / GREATEST(SUM(t.table_len), 1))::float AS dead,
      (100 * SUM(t.approx_free_space) / GREATEST(SUM(t.table_len), 1))::float AS free
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pgstattuple_approx(c.oid) t
    WHERE n.nspname = 'mdw' AND c.relkind = 'r' GROUP BY 1`);
  return new Map(rows.map(({ name, dead, free }) => [name, { dead, free }]));
}

export function weekTable(
  before: ReadonlyMap<string, Size>,
  after: ReadonlyMap<string, Size>,
  transactions: number,
  added: number,
  tuples: ReadonlyMap<string, { dead: number; free: number }>,
): string[] {
  const bytes = (size: Size | undefined): number => (size === undefined ? 0 : size.heap + size.indexes);
  const row = (name: string, was: number, is: number, rest: string): string =>
    `| ${name} | ${(was / transactions).toFixed(1)} | ${((is - was) / added).toFixed(1)} | ${rest} |`;
  const all = (sizes: ReadonlyMap<string, Size>): number => sum(sizes.values(), bytes);
  return [
    '| Table | load | week | dead rows, free space |',
    '|---|---|---|---|',
    ...[...after].map(([name, size]) => {
      const { dead, free } = tuples.get(name)!;
      return row(name, bytes(before.get(name)), bytes(size), `${dead.toFixed(1)} %, ${free.toFixed(1)} %`);
    }),
    row('**all**', all(before), all(after), ''),
  ];
}
