/** The cost of a commit must not depend on statistics of the tables: a new copy grows faster than PostgreSQL analyses it. */
import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { NodePool } from '../../src/node/pool.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database, DbTransaction } from '../../src/store/connection/database.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy, tamper } from '../support/roles.js';

/** Tables with few rows, whatever the length of the chain. */
const SMALL = [
  'chain',
  'writer',
  'types',
  'rewrites',
  'migrations',
  'held_reorg',
  'currency',
  'differing_opinions',
  'staged_blocks',
];

describe('on a copy that PostgreSQL has not analysed, no table is read from end to end', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let node: NodePool;
  let database: Database;
  /** Rows read by sequential scans, by table, in the database transaction that read the most. */
  let scanned: Record<string, number> = {};
  let counting: Database;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ seed: 'statistics', generations: 120, txsPerGeneration: 40, accounts: 60 });
    node = nodeAt(devnode.externalUrl);
    database = await emptyCopy(server.url);
    const { rows } = await database.query<{ table: string }>({
      name: 'test.tables',
      text: `SELECT relname AS table FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
    });
    await tamper(database, rows.map(({ table }) => `ALTER TABLE ${table} SET (autovacuum_enabled = off)`).join(';'));
    counting = { ...database, transaction: (work) => database.transaction((tx) => counted(tx, work)) };
    const heads = { blocks: 4, transactions: 500, characters: 10_000_000 };
    await syncFully(syncContext(counting, node, { batch: heads }));
  });
  after(async () => {
    await database.close();
    node.close();
    await closeDevnodes();
    await server.drop();
  });
  beforeEach(() => (scanned = {}));

  async function counted<T>(tx: DbTransaction, work: (tx: DbTransaction) => Promise<T>): Promise<T> {
    const reads = async (): Promise<Map<string, number>> => {
      const { rows } = await tx.query<{ table: string; rows: string }>({
        name: 'test.scanned',
        text: `
          SELECT relname AS table, seq_tup_read AS rows FROM pg_stat_xact_user_tables
          WHERE schemaname = current_schema() AND relname <> ALL ($1::text[])`,
        values: [SMALL],
      });
      return new Map(rows.map((row) => [row.table, Number(row.rows)]));
    };
    // Statistics of earlier statements of the session may be counted with it.
    const before = await reads();
    const result = await work(tx);
    for (const [table, rows] of await reads()) {
      const read = rows - (before.get(table) ?? 0);
      if (read > 0) scanned[table] = Math.max(scanned[table] ?? 0, read);
    }
    return result;
  }

  it('when blocks are added at the head', async () => {
    await devnode.grow(6);
    await syncFully(syncContext(counting, node));
    expect(scanned).to.deep.equal({});
  });

  it('when unchanged heights are reloaded', async () => {
    await replaceHeights({ database: counting, node, heights: [{ from: 40, to: 49 }] });
    expect(scanned).to.deep.equal({});
  });

  it('when changed heights are reloaded', async () => {
    await tamper(
      database,
      `UPDATE transactions SET body = body || ' ' WHERE position >= 40::bigint << 33 AND position < 50::bigint << 33`,
    );
    await replaceHeights({ database: counting, node, heights: [{ from: 40, to: 49 }] });
    expect(scanned).to.deep.equal({});
  });

  it('when a branch replaces another', async () => {
    await devnode.fork({ depth: 5, grow: 8 });
    await syncFully(syncContext(counting, node));
    expect(scanned).to.deep.equal({});
  });
});
