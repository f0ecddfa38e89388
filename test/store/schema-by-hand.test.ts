/** Each object of the schema altered by hand is found by the comparison with what the migrations make. */
import { expect } from 'chai';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { partition } from '../../src/store/schema/partition.js';
import { verifySchema } from '../../src/store/verify/schema.js';
import { alteredObjects, differingAfter } from '../support/altered-schema.js';
import { silent } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

for (const layout of ['plain', 'partitioned'] as const) {
  describe(`the schema of the ${layout} layout, altered by hand`, () => {
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

    const differing = (statement: string): Promise<string[]> => differingAfter(copy, statement);

    it('differs in nothing when it was migrated (else: npm run schema)', async () => {
      expect(await verifySchema(copy)).to.deep.equal([]);
    });

    // Those of the plain layout are altered in populate/verify-projections.
    if (layout === 'partitioned')
      it('differs in each object that is altered', async () => {
        expect((await alteredObjects(copy)).unseen).to.deep.equal([]);
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
