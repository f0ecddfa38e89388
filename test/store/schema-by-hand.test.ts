/** Each object of the schema altered by hand is found by the comparison with what the migrations make. */
import { expect } from 'chai';
import { MiddlewareError } from '../../src/observe/errors.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database, DbTransaction } from '../../src/store/connection/database.js';
import { describeSchema } from '../../src/store/schema/describe.js';
import type { Described } from '../../src/store/schema/describe.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { partition } from '../../src/store/schema/partition.js';
import { verifySchema } from '../../src/store/verify/schema.js';
import { silent } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const UNDONE = new Error('undone');

for (const layout of ['plain', 'partitioned'] as const) {
  describe(`the schema of the ${layout} layout, altered by hand`, function () {
    this.timeout(300_000);
    let server: TestDatabase;
    let copy: Database;

    before(async () => {
      server = await testDatabase();
      copy = createDatabase({
        url: server.url,
        schema: `by_hand_${layout}`,
        poolSize: 2,
        statementTimeoutMs: 0,
        logger: silent,
      });
      await migrate(copy);
      if (layout === 'partitioned') await partition(copy, { generations: 10, ranges: 4, lists: 2 });
    });
    after(async () => {
      await copy.close();
      await server.drop();
    });

    /** Labels of what differs after a statement, which is undone. */
    async function differing(change: string | ((tx: DbTransaction) => Promise<string>)): Promise<string[]> {
      let labels: string[] = [];
      const work = copy.transaction(async (tx) => {
        await tx.run(typeof change === 'string' ? change : await change(tx));
        labels = (await verifySchema(tx)).map(({ key }) => key);
        throw UNDONE;
      });
      await work.catch((error: unknown) => {
        if (!(error instanceof MiddlewareError) || error.cause !== UNDONE) throw error;
      });
      return labels;
    }

    it('differs in nothing when it was migrated (else: npm run schema)', async () => {
      expect(await verifySchema(copy)).to.deep.equal([]);
    });

    it('differs in each object that is altered', async () => {
      const unseen: string[] = [];
      const described = await describeSchema(copy);
      for (const one of described) {
        const found = await differing((tx) => alteration(tx, one, described));
        if (!found.includes(one.label)) unseen.push(`${one.label}: ${found.join(', ')}`);
      }
      expect(unseen).to.deep.equal([]);
    });

    it('differs where an object that no migration made acts on a table', async () => {
      const acting: Record<string, string> = {
        'trigger names.spoil': `CREATE TRIGGER spoil BEFORE INSERT ON names FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        'rule infos.lose': 'CREATE RULE lose AS ON DELETE TO infos DO INSTEAD NOTHING',
        'index few': 'CREATE UNIQUE INDEX few ON oracles (position)',
        'constraint days.positive': 'ALTER TABLE days ADD CONSTRAINT positive CHECK (count > 5)',
        'column chain.note': 'ALTER TABLE chain ADD COLUMN note text',
        'table channels': 'CREATE TABLE more () INHERITS (channels)',
        'table oracles': 'ALTER TABLE oracles ENABLE ROW LEVEL SECURITY',
        'table days': 'ALTER TABLE days SET UNLOGGED',
      };
      for (const [label, statement] of Object.entries(acting)) {
        expect(await differing(statement), statement).to.include(label);
      }
    });

    it('does not differ by what others made beside it, or to read it faster', async () => {
      const harmless = [
        'CREATE INDEX more_idx ON names (expires_at, owner)',
        'CREATE TABLE foreign_notes (note text PRIMARY KEY CHECK (note <> $$x$$))',
        'CREATE VIEW foreign_view AS SELECT height FROM key_blocks',
        'CREATE FUNCTION foreign_function() RETURNS int LANGUAGE sql AS $$SELECT 1$$',
        'ALTER TABLE names SET (fillfactor = 70)',
        'ANALYZE',
      ];
      for (const statement of harmless) expect(await differing(statement), statement).to.deep.equal([]);
    });

    it('is not compared when another version has migrated it', async () => {
      expect(
        await differing(`INSERT INTO migrations (name) VALUES ('9999_expand_later'); DROP INDEX names_owner_idx`),
      ).to.deep.equal([]);
    });
  });
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
