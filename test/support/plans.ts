/** Execution plans of statements, with the real sizes of the tables. */
import type { Queryable, Statement } from '../../src/store/connection/database.js';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows'?: number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

export interface ExplainedStatement {
  name: string;
  /** Growing tables that are read completely. */
  scanned: string[];
  /** Total number of rows that were read from tables. */
  touched: number;
}

/** Tables with few rows, whatever the chain's length, or whose rows are counted by an index as soon as there are many. */
const SMALL = new Set([
  'backfills',
  'call_replay_progress',
  'chain',
  // Looked up by their ids; those of other contracts are few.
  'child_contracts',
  'writer',
  'held_reorg',
  'ledger',
  'currency',
  'differing_opinions',
  'forks',
  'miners',
  'holders',
  'node_records',
  'types',
  'migrations',
]);

/** Runs `work` on a database that explains each statement before it runs it, with the generic plan. */
export async function explained(
  db: Queryable,
  work: (db: Queryable) => Promise<unknown>,
): Promise<ExplainedStatement[]> {
  const found: ExplainedStatement[] = [];
  await work({
    async query<Row extends object>(statement: Statement) {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
        name: '',
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
        ...(statement.values === undefined ? {} : { values: statement.values }),
      });
      const nodes = flatten(rows[0]!['QUERY PLAN'][0].Plan);
      found.push({
        name: statement.name,
        scanned: nodes
          .filter((node) => node['Node Type'] === 'Seq Scan' && !SMALL.has(node['Relation Name'] ?? ''))
          .filter((node) => (node['Actual Loops'] ?? 0) > 0)
          .map((node) => node['Relation Name'] ?? ''),
        touched: nodes
          .filter((node) => node['Relation Name'] !== undefined)
          .reduce(
            (sum, node) =>
              sum + (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)),
            0,
          ),
      });
      return db.query<Row>(statement);
    },
  });
  return found;
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Plan nodes that read all their input before they return a row. */
const READS_ALL = new Set(['Sort', 'Aggregate', 'Hash', 'WindowAgg']);

/** Tables and indexes that a plan reads completely. Reads below a LIMIT are not counted, because they end when it has its rows. */
export function readWhole(node: PlanNode, ends = false): string[] {
  const type = node['Node Type'];
  const isWhole = type === 'Seq Scan' || (/Index.* Scan/.test(type) && node['Index Cond'] === undefined);
  const mayEnd = type === 'Limit' || (ends && !READS_ALL.has(type));
  return [
    ...(isWhole && !ends ? [node['Relation Name'] ?? node['Index Name']!] : []),
    ...(node.Plans ?? []).flatMap((each) => readWhole(each, mayEnd)),
  ];
}
