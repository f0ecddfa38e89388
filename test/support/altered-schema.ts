/** Alters the objects of the schema of a copy by hand, one after the other, and looks which of them the comparison of schemas finds. */
import { MiddlewareError } from '../../src/observe/errors.js';
import type { Database, DbTransaction } from '../../src/store/connection/database.js';
import { describeSchema } from '../../src/store/schema/describe.js';
import type { Described } from '../../src/store/schema/describe.js';
import { verifySchema } from '../../src/store/verify/schema.js';

const UNDONE = new Error('undone');

/** Labels of what differs after a statement, which is undone. */
export async function differingAfter(
  copy: Database,
  change: string | ((tx: DbTransaction) => Promise<string>),
): Promise<string[]> {
  let labels: string[] = [];
  const work = copy.transaction(async (tx) => {
    await tx.run(typeof change === 'string' ? change : await change(tx));
    labels = (await verifySchema(tx)).map(({ key }) => key.join());
    throw UNDONE;
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof MiddlewareError) || error.cause !== UNDONE) throw error;
  });
  return labels;
}

/** Number of altered objects by kind, and those that are not found. */
export async function alteredObjects(copy: Database): Promise<{ kinds: Map<string, number>; unseen: string[] }> {
  const kinds = new Map<string, number>();
  const unseen: string[] = [];
  const described = await describeSchema(copy);
  for (const one of described) {
    const [kind = ''] = one.label.split(' ');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const found = await differingAfter(copy, (tx) => alteration(tx, one, described));
    if (!found.includes(one.label)) unseen.push(`${one.label}: ${found.join(', ')}`);
  }
  return { kinds, unseen };
}

/** A statement that alters an object of the schema. */
async function alteration(
  tx: DbTransaction,
  { label, definition, of }: Described,
  all: readonly Described[],
): Promise<string> {
  const [, kind = '', name = ''] = /^(\w+) (.*)$/s.exec(label) ?? [];
  const [table = '', part = ''] = name.split('.');
  const definedBy = async (source: string): Promise<string> => {
    const { rows } = await tx.query<{ text: string }>({ name: '', text: `SELECT ${source} AS text` });
    return rows[0]!.text;
  };
  switch (kind) {
    case 'table':
      return `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`;
    case 'view':
      return `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM (${(await definedBy(`pg_get_viewdef('${name}'::regclass)`)).replace(/;\s*$/, '')}) AS v LIMIT 1`;
    case 'type':
      return `DROP TYPE ${name} CASCADE`;
    case 'column':
      if (all.some((one) => one.label === `type ${of}`))
        return `ALTER TYPE ${table} RENAME ATTRIBUTE ${part} TO other CASCADE`;
      if (all.some((one) => one.label === `view ${of}`)) return `ALTER TABLE ${table} RENAME COLUMN ${part} TO other`;
      if (definition.includes('IDENTITY')) return `ALTER TABLE ${table} ALTER COLUMN ${part} DROP IDENTITY`;
      return `ALTER TABLE ${table} ALTER COLUMN ${part} ${definition.includes('DEFAULT') ? 'DROP DEFAULT' : `SET DEFAULT '${valueFor(definition)}'`}`;
    case 'constraint':
      return `ALTER TABLE ${table} DROP CONSTRAINT ${part} CASCADE`;
    case 'index': {
      const constraint = all.find((one) => one.label === `constraint ${of}.${name}`);
      return constraint === undefined ? `DROP INDEX ${name}` : `ALTER TABLE ${of} DROP CONSTRAINT ${name} CASCADE`;
    }
    case 'trigger':
      return `ALTER TABLE ${table} DISABLE TRIGGER ${part}`;
    case 'function':
      return (
        await definedBy(
          `pg_get_functiondef((SELECT oid FROM pg_proc WHERE concat(proname, '(', pg_get_function_identity_arguments(oid), ')') = '${name}' AND pronamespace = current_schema()::regnamespace))`,
        )
      ).replace(/(\$function\$\s*)$/, '\n-- altered\n$1');
    default:
      throw new Error(`no alteration of ${label}`);
  }
}

/** A value for a column of a type, as text. */
function valueFor(type: string): string {
  if (type.includes('[]')) return '{}';
  if (type.startsWith('uuid')) return '00000000-0000-0000-0000-000000000001';
  return /^(date|timestamp)/.test(type) ? '2000-01-01' : '1';
}
