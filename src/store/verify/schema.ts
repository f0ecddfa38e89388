/** Verifies the schema itself: a trigger, an index or a view that was changed by hand makes later answers wrong, though every row is right. */
import type { Queryable } from '../connection/database.js';
import { describeSchema } from '../schema/describe.js';
import type { Described } from '../schema/describe.js';
import { expectedSchema } from '../schema/expected.js';
import { schemaState } from '../schema/migrate.js';
import { compareRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';

/** Kinds of objects that views read. */
const READ = /^(table|column|view|type|function) /;

/** Compares the schema with what the migrations make. Objects of others are no difference, unless they act on a table of the copy. */
export async function verifySchema(db: Queryable): Promise<Difference[]> {
  const { pending, unknown } = await schemaState(db);
  // Another version has migrated this copy: what it made is not known here.
  if (pending.length > 0 || unknown.length > 0) return [];
  const described = await describeSchema(db);
  const isPartitioned = described.some(({ label }) => label === 'table transaction_hashes');
  const expected = await expectedSchema(isPartitioned ? 'partitioned' : 'plain');
  const stored = new Map(described.map((one) => [one.label, one]));
  const differences = Object.entries(expected.objects).flatMap(([label, definition]) =>
    differenceOf(label, definition, stored.get(label)?.definition),
  );
  const acting = described.filter(
    (one) => !Object.hasOwn(expected.objects, one.label) && isActing(one, expected.objects),
  );
  for (const { label, definition } of acting) differences.push(...differenceOf(label, undefined, definition));
  // Without the columns that it reads a SELECT cannot be planned.
  if (differences.some(({ key: [label] }) => READ.test(String(label)))) return differences;
  for (const [view, text] of Object.entries(expected.views)) differences.push(...(await verifyView(db, view, text)));
  return differences;
}

/** Whether an object that no migration made changes what is written to a table of the copy or read from it. An index that is not unique does not. */
function isActing({ label, definition, of }: Described, expected: Readonly<Record<string, string>>): boolean {
  const isOfCopy = Object.hasOwn(expected, `table ${of}`) || Object.hasOwn(expected, `view ${of}`);
  return isOfCopy && !(label.startsWith('index ') && definition.startsWith('CREATE INDEX '));
}

function differenceOf(label: string, expected: string | undefined, stored: string | undefined): Difference[] {
  const row = (definition: string | undefined): object | undefined =>
    definition === undefined ? undefined : { definition };
  return compareRows({ table: 'schema', key: [label], height: null }, row(expected), row(stored));
}

/**
 * Versions of PostgreSQL write the same view in different ways, so the plans are compared: of the view, and of the SELECT that it is
 * made of.
 */
async function verifyView(db: Queryable, view: string, text: string): Promise<Difference[]> {
  const planOf = async (relation: string): Promise<string> => {
    const { rows } = await db.query<{ 'QUERY PLAN': string }>({
      // Without a name: the text depends on the layout, and is asked for once in a verification.
      name: '',
      text: `EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM ${relation} AS v`,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const expected = await planOf(`(${text.replace(/;\s*$/, '')})`);
  const stored = await planOf(view);
  return expected === stored ? [] : differenceOf(`view ${view}`, text, 'a view with another plan');
}
