import { expect } from 'chai';
import pg from 'pg';
import { createCallDecoder } from '../../src/compiler/decoder.js';
import { startDevnode } from '../../src/devnode/start.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { decodeCalls } from '../../src/populate/decode.js';
import { waitOrAbort } from '../../src/populate/head-poll.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { Difference } from '../../src/populate/verify-projections.js';
import { verify } from '../../src/populate/verify.js';
import { pendingCalls } from '../../src/store/calls.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { CHANGES, EXEMPT, WITHOUT_IDENTITY, columnsOf, spoiling } from '../support/spoiling.js';
import type { Column } from '../support/spoiling.js';

/** Facts that are stored once: only the comparison with the node finds an error in them. */
const BY_NODE = ['key_blocks.body', 'micro_blocks.body', 'transactions.body', 'infos.body'];

/** Tables in which an additional row is harmless, because nothing refers to it. */
const MAY_GAIN = ['types', 'lists', 'rankings', 'chain'];

/** Tables in which a missing row is found by the comparison with the node, or not at all. */
const MAY_LOSE: Record<string, string> = {
  key_blocks: 'by the node: a height that is not stored',
  infos: 'by the node',
  chain: 'nothing works without it',
  unproven: 'depends on how much was to be proven at the load',
  lists: 'deleted with its entries',
};

describe('-v recomputes from the facts everything that is served', function () {
  this.timeout(300_000);
  const node = recordedNode();
  let server: TestDatabase;
  let database: Database;
  /** Changes rows without the triggers that would hide the change. */
  let hand: pg.Client;
  let columns: Column[];

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database);
    hand = new pg.Client({ connectionString: server.url, options: '-c search_path=mdw' });
    await hand.connect();
    await hand.query('SET session_replication_role = replica');
    await hand.query(`
      INSERT INTO unproven SELECT position, hash, 'SpendTx', 'a test' FROM transactions
      WHERE type = (SELECT code FROM types WHERE name = 'SpendTx') LIMIT 1`);
    await hand.query(
      'UPDATE chain SET network_id = $1, genesis_hash = (SELECT hash FROM key_blocks WHERE height = 0)',
      ['ae_test'],
    );
    await hand.query('ALTER TABLE types ALTER code DROP IDENTITY; ALTER TABLE rankings ALTER key DROP IDENTITY');
    columns = await columnsOf(hand);
    await hand.query('CREATE SCHEMA saved');
    for (const table of tables()) await hand.query(`CREATE TABLE saved.${table} AS SELECT * FROM mdw.${table}`);
  });

  after(async () => {
    await hand.end();
    await database.close();
    await server.drop();
  });

  const tables = (): string[] => [...new Set(columns.map(({ table }) => table))].filter((table) => !(table in EXEMPT));

  async function decodeAll(copy: Database): Promise<void> {
    const stopping = new AbortController();
    const decoding = decodeCalls({
      database: copy,
      node,
      decoder: createCallDecoder(),
      logger: silent,
      metrics: createMetrics(),
      signal: stopping.signal,
      fence: () => Promise.resolve(),
      mayWork: () => true,
      pause: (ms) => waitOrAbort(ms / 10, stopping.signal),
    });
    await eventually(
      () => pendingCalls(copy),
      (pending) => pending === 0,
    );
    stopping.abort();
    await decoding;
  }

  async function differences(heights?: { from: number; to: number }[], prove = false): Promise<Difference[]> {
    const found: Difference[] = [];
    await verifyProjections({ database, heights, prove, jobs: 2, onDifference: (one) => found.push(one) });
    return found.filter(({ table, key }) => table !== 'schema' || !WITHOUT_IDENTITY.includes(key));
  }

  /** Restores a table. */
  async function restore(table: string): Promise<void> {
    await hand.query(`DELETE FROM ${table}`);
    await hand.query(`INSERT INTO ${table} SELECT * FROM saved.${table}`);
  }

  /** Runs a statement that must change one row, and returns the differences found. */
  async function found(table: string, statement: string): Promise<Difference[]> {
    try {
      const { rowCount } = await hand.query(statement);
      expect(rowCount, `${statement} changes a row`).to.equal(1);
      return await differences();
    } finally {
      await restore(table);
    }
  }

  it('finds nothing in the recorded chain, as a whole or at some heights', async () => {
    expect(await differences()).to.deep.equal([]);
    expect(
      await differences([
        { from: 3, to: 40 },
        { from: 150, to: 151 },
      ]),
    ).to.deep.equal([]);
  });

  it('finds nothing in generated chains of each protocol', async () => {
    const protocols = [1, 2, 3, 4, 5, 6].map((version, i) => ({ version, effective_at_height: i * 10 }));
    for (const seed of ['verify', 'names', 'objects']) {
      const generate = {
        seed,
        generations: 80,
        txsPerGeneration: 16,
        accounts: 12,
        protocols,
      } as const;
      const devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
      const generated = nodeAt(devnode.externalUrl, { retries: [] });
      const copy = await emptyCopy(server.url, `generated_${seed}`);
      try {
        await syncFully(syncContext(copy, generated));
        const wrong: Difference[] = [];
        await verifyProjections({ database: copy, jobs: 3, onDifference: (one) => wrong.push(one) });
        expect(wrong, seed).to.deep.equal([]);
      } finally {
        await copy.close();
        generated.close();
        await devnode.close();
      }
    }
  });

  it('finds one value changed, in every column of every table', async () => {
    const unseen: string[] = [];
    for (const { table, column, type } of columns) {
      const name = `${table}.${column}`;
      if (table in EXEMPT || name in EXEMPT) continue;
      const statement = spoiling({ table, column, type });
      if (BY_NODE.includes(name)) {
        const { rowCount } = await hand.query(statement);
        expect(rowCount, name).to.equal(1);
        if (!(await nodeFinds())) unseen.push(name);
        // Without a node the hashes show it, except for call information.
        if (table !== 'infos' && (await differences(undefined, true)).length === 0) unseen.push(`${name} offline`);
        await restore(table);
      } else if (!(await found(table, statement)).some((one) => isOf(one, table))) unseen.push(name);
    }
    expect(unseen).to.deep.equal([]);
  });

  it('finds a missing row, in every table', async () => {
    const unseen: string[] = [];
    for (const table of tables()) {
      if (table in MAY_LOSE) continue;
      const row = `(SELECT tableoid, ctid FROM ${table} ORDER BY tableoid, ctid LIMIT 1 OFFSET (SELECT count(*) / 2 FROM ${table}))`;
      const statement = `DELETE FROM ${table} WHERE (tableoid, ctid) = ${row}`;
      // The blocks and sums around a missing fact show that it is missing.
      const around: Record<string, string> = { micro_blocks: 'transactions', transactions: 'micro_blocks' };
      const shown = around[table] ?? table;
      if (!(await found(table, statement)).some((one) => isOf(one, shown))) unseen.push(table);
    }
    expect(unseen).to.deep.equal([]);
  });

  it('finds an additional row, in every table', async () => {
    const unseen: string[] = [];
    for (const table of tables()) {
      if (MAY_GAIN.includes(table)) continue;
      const keys = await hand.query<{ column: string }>(
        `SELECT DISTINCT a.attname AS column FROM pg_index AS i JOIN pg_attribute AS a
          ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = $1::regclass AND i.indisunique`,
        [table],
      );
      const unique = keys.rows.map(({ column }) => column);
      const values = columns
        .filter((one) => one.table === table)
        .map(({ column, type }) => (unique.includes(column) ? CHANGES[type]!.replaceAll('$', column) : column));
      const statement = `INSERT INTO ${table} SELECT ${values.join(', ')} FROM ${table} ORDER BY ctid DESC LIMIT 1`;
      if (!(await found(table, statement)).some((one) => isOf(one, table))) unseen.push(table);
    }
    expect(unseen).to.deep.equal([]);
  });

  it('finds by the node what only a node tells: call information, how a creation ended, the code of a contract', async () => {
    expect(await nodeFinds()).to.equal(false);
    const called = '(SELECT contract_id FROM contract_calls ORDER BY position LIMIT 1)';
    const changes: Record<string, string> = {
      infos: `DELETE FROM infos WHERE position = (SELECT position FROM contract_calls WHERE state = 'done' ORDER BY position LIMIT 1)`,
      contracts: `UPDATE contracts SET outcome_known = true, failed = true WHERE id = ${called}`,
      contract_codes: `INSERT INTO contract_codes (contract_id, code) SELECT ${called}, 'cb_other'`,
    };
    for (const [table, statement] of Object.entries(changes)) {
      await hand.query(`CREATE TABLE IF NOT EXISTS saved.${table} AS SELECT * FROM mdw.${table}`);
      const { rowCount } = await hand.query(statement);
      const isFound = await nodeFinds();
      await hand.query(`DELETE FROM ${table}`);
      await hand.query(`INSERT INTO ${table} SELECT * FROM saved.${table}`);
      expect({ rowCount, isFound }, statement).to.deep.equal({ rowCount: 1, isFound: true });
    }
    expect(await nodeFinds()).to.equal(false);
  });

  it('finds what waits for a node and is never asked for', async () => {
    const later = `interval '100 years'`;
    const changes: Record<string, string> = {
      contract_calls: `UPDATE contract_calls SET state = 'pending', due_at = now() + ${later} WHERE position = (SELECT min(position) FROM contract_calls)`,
      contracts: `UPDATE contracts SET outcome_known = false, due_at = now() + ${later} WHERE position = (SELECT min(position) FROM contracts)`,
      contract_codes: `INSERT INTO contract_codes (contract_id, due_at) VALUES ('ct_x', now() + ${later})`,
      unknown_infos: `INSERT INTO unknown_infos (position, due_at) VALUES (1, now() + ${later})`,
    };
    for (const [table, statement] of Object.entries(changes)) {
      await hand.query(`CREATE TABLE IF NOT EXISTS saved.${table} AS SELECT * FROM mdw.${table}`);
      const differing = await found(table, statement);
      expect(
        differing.filter(({ column }) => column === 'due_at').map((one) => one.table),
        statement,
      ).to.deep.equal([table]);
    }
  });

  it('names table, row, column, the computed and the stored value', async () => {
    const [row] = (
      await hand.query<{ position: string; expires_at: string }>(
        'SELECT position, expires_at FROM names ORDER BY ctid DESC LIMIT 1',
      )
    ).rows;
    const { position, expires_at: expires } = row!;
    const differing = await found('names', `UPDATE names SET expires_at = 7 WHERE position = ${position}`);
    expect(differing).to.deep.include({
      table: 'names',
      key: position,
      height: Number(BigInt(position) >> 33n),
      column: 'expires_at',
      expected: expires,
      stored: '7',
    });
  });

  /** Whether the comparison with the node finds what was changed. */
  async function nodeFinds(): Promise<boolean> {
    for await (const { ok } of verify({ database, node })) if (!ok) return true;
    return false;
  }

  /** Errors in lists and types are found in the rows that refer to them. */
  function isOf({ table }: Difference, changed: string): boolean {
    const shown: Record<string, string[]> = { lists: ['entries'], types: ['transactions'], rankings: ['ranks'] };
    return (shown[changed] ?? [changed]).includes(table);
  }
});
