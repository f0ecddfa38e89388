/** How PostgreSQL plans every statement of the product on a copy, for any parameters. */
import type { Queryable } from '../src/store/connection/database.js';
import type { PlanNode } from '../test/support/plans.js';
import { ALLOWED, genericPlans, wholeReads } from '../test/support/whole-reads.js';

const MANY_ROWS = 10_000;
/** Reading a smaller table whole costs less than an index, and PostgreSQL does so. */
const MANY_PAGES = 100;

interface Plans {
  /** All of them, without estimates. */
  text: string;
  /** `statement: table` of tables of at least 100 pages that are read whole, without a reason in `whole-reads.ts`. */
  unexpected: string[];
  /** Statements that sort more than 10,000 rows, as PostgreSQL expects. */
  sorts: string[];
}

/** The tables must be analysed: which ones are large is read from their statistics. */
export async function plansOf(db: Queryable): Promise<Plans> {
  const plans = await genericPlans(db);
  const { rows } = await db.query<{ table: string }>({
    name: 'bench.large_tables',
    text: `
      SELECT relname AS table FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relpages >= ${MANY_PAGES}`,
  });
  const large = new Set(rows.map(({ table }) => table));
  return {
    text: [...plans].map(([name, plan]) => `-- ${name}\n${linesOf(plan).join('\n')}\n`).join('\n'),
    unexpected: (await wholeReads(db, plans)).filter(
      (each) => !ALLOWED.has(each) && large.has(each.slice(each.indexOf(': ') + 2)),
    ),
    sorts: [...plans].flatMap(([name, plan]) => (sortsMany(plan) ? [name] : [])),
  };
}

function linesOf(node: PlanNode, depth = 0): string[] {
  const index = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`;
  const table = node['Relation Name'] === undefined ? '' : ` of ${node['Relation Name']}`;
  const line = `${'  '.repeat(depth)}${node['Node Type']}${table}${index}`;
  return [line, ...(node.Plans ?? []).flatMap((each) => linesOf(each, depth + 1))];
}

const sortsMany = (node: PlanNode): boolean =>
  (node['Node Type'] === 'Sort' && (node['Plan Rows'] ?? 0) > MANY_ROWS) || (node.Plans ?? []).some(sortsMany);
