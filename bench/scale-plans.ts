/** How PostgreSQL plans every statement of the product on a copy, for any parameters. */
import type { Queryable } from '../src/store/connection/database.js';
import type { PlanNode } from '../test/support/plans.js';
import { ALLOWED, genericPlans, wholeReads } from '../test/support/whole-reads.js';

const MANY = 10_000;

interface Plans {
  /** All of them, without estimates. */
  text: string;
  /** `statement: table` of tables that are read whole for no reason that is known. */
  unexpected: string[];
  /** Statements that sort more than 10,000 rows, as PostgreSQL expects. */
  sorts: string[];
}

export async function plansOf(db: Queryable): Promise<Plans> {
  const plans = await genericPlans(db);
  return {
    text: [...plans].map(([name, plan]) => `-- ${name}\n${linesOf(plan).join('\n')}\n`).join('\n'),
    unexpected: (await wholeReads(db, plans)).filter((each) => !ALLOWED.has(each)),
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
  (node['Node Type'] === 'Sort' && (node['Plan Rows'] ?? 0) > MANY) || (node.Plans ?? []).some(sortsMany);
