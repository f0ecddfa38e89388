import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { verify } from '../../src/populate/verify.js';
import { goLive } from '../../src/store/chain-state.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { alteredObjects } from '../support/altered-schema.js';
import { nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { writeMovements } from '../support/ledger-rows.js';
import { countAccounts } from '../support/filled.js';
import { emptyCopy } from '../support/roles.js';
import { shareOf } from '../support/share.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { replayAll } from '../support/replays.js';
import {
  APART,
  CHANGES,
  FILLED,
  WITHOUT_IDENTITY,
  columnsOf,
  spoiling,
  unknownNames,
  verifiedBy,
} from '../support/spoiling.js';
import type { Column, Verified } from '../support/spoiling.js';

/** Height up to which the copy is loaded before it announces events. */
const FIRST_LOAD = 180;

const CALLED = '(SELECT contract_id FROM contract_calls ORDER BY position LIMIT 1)';
const LATER = `interval '100 years'`;

/** Changes by hand where the last row would not do, because it does not wait for a node, or there is none. */
const ALTERATIONS: Record<string, string> = {
  'contract_calls.due_at': `UPDATE contract_calls SET state = 'pending', due_at = now() + ${LATER} WHERE position = (SELECT min(position) FROM contract_calls)`,
  'contracts.due_at': `UPDATE contracts SET outcome_known = false, due_at = now() + ${LATER} WHERE position = (SELECT min(position) FROM contracts)`,
  'contracts.failed': `UPDATE contracts SET outcome_known = true, failed = true WHERE id = ${CALLED}`,
  'contract_codes.due_at': `INSERT INTO contract_codes (contract_id, due_at) VALUES ('ct_x', now() + ${LATER})`,
  'contract_codes.code': `INSERT INTO contract_codes (contract_id, code) SELECT ${CALLED}, 'cb_other'`,
  'due_infos.position': 'INSERT INTO due_infos (position, due_at) VALUES (1, now())',
  'due_infos.due_at': `INSERT INTO due_infos (position, due_at) SELECT min(position), now() + ${LATER} FROM contract_calls`,
  'events.later_kind': `UPDATE events SET later_kind = 'x' WHERE seq = (SELECT max(seq) FROM events)`,
  // Of what a token said, the checksum differs, which is in another table.
  'token_balances.account': `UPDATE token_balances SET account = account + 1 WHERE ctid = (SELECT ctid FROM token_balances WHERE events > 0 AND base IS NULL AND told IS NULL ORDER BY ctid LIMIT 1)`,
  'token_balances.base': `UPDATE token_balances SET base = base + 1 WHERE ctid = (SELECT ctid FROM token_balances WHERE base > 0 AND contract_id IN (SELECT contract_id FROM tokens WHERE invalid IS NULL) ORDER BY ctid LIMIT 1)`,
  'tokens.kind': `UPDATE tokens SET kind = 150 - kind WHERE contract_id = (SELECT min(contract_id) FROM tokens WHERE kind > 0 AND NOT created)`,
  'unknown_infos.due_at': `INSERT INTO unknown_infos (position, due_at) VALUES (1, now() + ${LATER})`,
};

/** Tables in which an additional row is harmless, because nothing refers to it. */
const MAY_GAIN = ['types', 'lists', 'rankings', 'chain', 'ledger', 'ledger_ids'];

/** Tables in which a missing row is found by the comparison with the node, or not at all. */
const MAY_LOSE: Record<string, string> = {
  active_accounts:
    'the next part begins earlier then: found if the missing one counted somebody, see active-accounts.test',
  key_blocks: 'by the node: a height that is not stored',
  infos: 'by the node',
  chain: 'nothing works without it',
  unproven: 'depends on how much was to be proven at the load',
  lists: 'deleted with its entries',
};

for (const { recording, networkId, rewardDelay, fills } of FILLED)
  describe(`-v recomputes from the facts everything that is served, in ${recording}`, () => {
    const node = recordedNode(undefined, recording);
    const isFirst = recording === 'realnode';
    let server: TestDatabase;
    let database: Database;
    /** Changes rows without the triggers that would hide the change. */
    let hand: pg.Client;
    let columns: Column[];
    /** A copy of its own, whose schema is altered. */
    let plain: Database;

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      await syncFully(syncContext(database, recordedNode(FIRST_LOAD, recording)));
      await goLive(database);
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      await replayAll(database, node);
      await countAccounts(database, 40);
      await writeMovements(database, networkId, { delay: rewardDelay, treasury: null });
      hand = new pg.Client({ connectionString: server.url, options: '-c search_path=mdw' });
      await hand.connect();
      await hand.query('SET session_replication_role = replica');
      await hand.query(`
      INSERT INTO unproven SELECT position, hash, 'SpendTx', 'a test' FROM transactions
      WHERE type = (SELECT code FROM types WHERE name = 'SpendTx') LIMIT 1`);
      await hand.query(
        'UPDATE chain SET network_id = $1, genesis_hash = (SELECT hash FROM key_blocks WHERE height = 0)',
        [networkId],
      );
      await hand.query(`
      ALTER TABLE types ALTER code DROP IDENTITY; ALTER TABLE rankings ALTER key DROP IDENTITY;
      ALTER TABLE ledger_ids ALTER key DROP IDENTITY`);
      await hand.query(
        'INSERT INTO forks (version, height) SELECT version, min(height) FROM key_blocks GROUP BY version',
      );
      plain = createDatabase({
        ...{ url: server.url, schema: 'plain', poolSize: 2, statementTimeoutMs: 0, logger: silent },
      });
      await migrate(plain);
      columns = await columnsOf(hand);
      await hand.query('CREATE SCHEMA saved');
      for (const table of new Set(columns.map((one) => one.table)))
        await hand.query(`CREATE TABLE saved.${table} AS SELECT * FROM mdw.${table}`);
    });

    after(async () => {
      await plain.close();
      await hand.end();
      await database.close();
      await server.drop();
    });

    const tables = (): string[] =>
      [...new Set(columns.map(({ table }) => table))].filter((table) => fills(table) && !APART.includes(table));

    async function differences(heights?: { from: number; to: number }[], prove = false): Promise<ReportedDifference[]> {
      const found: ReportedDifference[] = [];
      await verifyProjections({ database, heights, prove, jobs: 2, onDifference: (one) => found.push(one) });
      return found.filter(({ table, key }) => table !== 'schema' || !WITHOUT_IDENTITY.includes(key));
    }

    /** Restores a table. */
    async function restore(table: string): Promise<void> {
      await hand.query(`DELETE FROM ${table}`);
      await hand.query(`INSERT INTO ${table} SELECT * FROM saved.${table}`);
    }

    /** Runs a statement that must change one row, and returns the differences found. */
    async function found(table: string, statement: string): Promise<ReportedDifference[]> {
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

    if (isFirst)
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
            const wrong: ReportedDifference[] = [];
            await verifyProjections({ database: copy, jobs: 3, onDifference: (one) => wrong.push(one) });
            expect(wrong, seed).to.deep.equal([]);
          } finally {
            await copy.close();
            generated.close();
            await devnode.close();
          }
        }
      });

    /** Who finds one change by hand, which is undone. */
    async function finderOf(column: Column): Promise<Verified['foundBy']> {
      const statement = ALTERATIONS[`${column.table}.${column.column}`] ?? spoiling(column);
      try {
        const { rowCount } = await hand.query(statement);
        expect(rowCount, `${statement} changes a row`).to.equal(1);
        if ((await differences(undefined, true)).some((one) => isOf(one, column.table))) return '-v --offline';
        return (await nodeFinds()) ? '-v' : 'nobody';
      } finally {
        await restore(column.table);
      }
    }

    it('finds one value changed, in every column of every table, and each altered object of the schema', async () => {
      expect(unknownNames(columns)).to.deep.equal([]);
      const wrong: string[] = [];
      const lines = new Map<string, string[]>();
      for (const column of shareOf(columns.filter(({ table }) => fills(table)))) {
        const verified = verifiedBy(column);
        const finder = verified.foundBy === 'nobody' ? 'nobody' : await finderOf(column);
        if (finder !== verified.foundBy) wrong.push(`${column.table}.${column.column}: ${finder}`);
        const how = `${finder} | ${verified.inBackground}${verified.why === undefined ? '' : `: ${verified.why}`}`;
        const line = `${column.table} | ${how}`;
        lines.set(line, [...(lines.get(line) ?? []), column.column]);
      }
      // The schema is the same for each recording.
      const { kinds, unseen } = isFirst
        ? await alteredObjects(plain)
        : { kinds: new Map<string, number>(), unseen: [] };
      const objects = [...kinds].map(([kind, count]) => `schema | ${count} of kind ${kind} | -v --offline | named`);
      const rows = [...lines].map(([line, names]) => line.replace(' | ', ` | ${names.join(', ')} | `));
      process.stdout.write(
        `      ${['table | columns | found by | in the background', ...rows, ...objects].join('\n      ')}\n`,
      );
      expect(wrong).to.deep.equal([]);
      expect(unseen).to.deep.equal([]);
    });

    it('finds a missing row, in every table', async () => {
      const unseen: string[] = [];
      for (const table of shareOf(tables().filter((one) => !(one in MAY_LOSE)))) {
        const row = `(SELECT tableoid, ctid FROM ${table} ORDER BY tableoid, ctid LIMIT 1 OFFSET (SELECT count(*) / 2 FROM ${table}))`;
        const statement = `DELETE FROM ${table} WHERE (tableoid, ctid) = ${row}`;
        // The blocks and sums around a missing fact show that it is missing.
        const around: Record<string, string[]> = {
          micro_blocks: ['transactions'],
          transactions: ['micro_blocks'],
          // What only the token said is in no event: its checksums show that it is missing.
          token_balances: ['token_balances', 'tokens'],
        };
        const shown = around[table] ?? [table];
        if (!(await found(table, statement)).some((one) => shown.some((by) => isOf(one, by)))) unseen.push(table);
      }
      expect(unseen).to.deep.equal([]);
    });

    it('finds an additional row, in every table', async () => {
      const unseen: string[] = [];
      for (const table of shareOf(tables().filter((one) => !MAY_GAIN.includes(one)))) {
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

    it('finds by the node call information that is missing', async () => {
      expect(await nodeFinds()).to.equal(false);
      const { rowCount } = await hand.query(
        `DELETE FROM infos WHERE position = (SELECT position FROM contract_calls WHERE state = 'done' ORDER BY position LIMIT 1)`,
      );
      const isFound = await nodeFinds();
      await restore('infos');
      expect({ rowCount, isFound }).to.deep.equal({ rowCount: 1, isFound: true });
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
    function isOf({ table }: ReportedDifference, changed: string): boolean {
      const shown: Record<string, string[]> = {
        lists: ['entries'],
        types: ['transactions'],
        rankings: ['ranks'],
        ledger_ids: ['movement_rows'],
      };
      return (shown[changed] ?? [changed]).includes(table);
    }
  });
