import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Database } from '../../src/store/connection/database.js';
import { codeOf } from '../support/documents.js';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { asRole, openAs } from '../support/roles.js';

const text = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8');
const ACCOUNT = 'ak_xooZKvq95MdA89m3Snv2JYm686fcBViU3kjBwUCtEmP2UZ9zD';
/** Tables and their columns, as in the document. */
const TABLES = [...text.matchAll(/^\| `(\w+)` \| .* \| (`.*`) \|$/gm)].map(([, table, columns]) => ({
  table: table!,
  columns: columns!.match(/\w+/g)!,
}));

describe('docs/sql.md', () => {
  let world: World;
  let reader: Database;
  let busiest: string;

  before(async () => {
    world = await createWorld({ generations: 40, txsPerGeneration: 20 });
    reader = openAs(asRole(world.databaseUrl, 'reader'));
    const { rows } = await ask('SELECT id FROM lists WHERE kind = 1 ORDER BY key LIMIT 1');
    busiest = rows[0]!['id'] as string;
  });
  after(async () => {
    await reader.close();
    await world.close();
  });

  let asked = 0;
  const ask = (statement: string) =>
    reader.query<Record<string, unknown>>({ name: `test.sql.${++asked}`, text: statement });

  it('lists tables', () => expect(TABLES).to.have.length.above(10));

  for (const { table, columns } of TABLES) {
    it(`lists existing columns of ${table}`, async () => {
      await ask(`SELECT ${columns.join(', ')} FROM ${table} LIMIT 1`);
    });
  }

  it('lists every view with exactly its columns', async () => {
    const { rows } = await ask(`
      SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS columns
      FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name LIKE 'v\\_%'
      GROUP BY table_name`);
    const byName = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
      String(a['table']) < String(b['table']) ? -1 : 1;
    expect(TABLES.filter(({ table }) => table.startsWith('v_')).sort(byName)).to.deep.equal(rows.sort(byName));
  });

  for (const { text: statement } of codeOf('docs/sql.md', ['sql'])) {
    it(`has an example that returns rows: ${statement.split('\n')[0]}`, async () => {
      const { rows } = await ask(statement.replace(ACCOUNT, busiest).replace(/;\s*$/, ''));
      expect(rows).to.have.length.above(0);
    });
  }

  it('describes a role that cannot write', async () => {
    let refused: unknown;
    await ask('DELETE FROM days').catch((error: unknown) => (refused = error));
    expect(String(refused)).to.contain('permission denied');
  });
});
