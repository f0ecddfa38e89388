/**
 * A filled copy gets a new derived table: the programs of the version before load and serve it, those of the next one migrate it, fill the table beside
 * following, and reload all heights. The migration is also taken back. The table is that of `support/logs-by-topic.ts`.
 *
 *   make trial-upgrade                  1,000,000 transactions; TRANSACTIONS and SEED
 */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { Database } from '../../src/store/connection/database.js';
import { readHead } from '../../src/store/chain-state.js';
import { readBackfill } from '../../src/store/backfills.js';
import { nodeAt } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { chainChecksums, readSlowly, storedChecksums } from '../support/checksums.js';
import { addLogsByTopic } from '../support/logs-by-topic.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy, openCopy } from '../support/roles.js';
import { ask, askSteadily } from '../support/steady-client.js';
import type { Steady } from '../support/steady-client.js';
import { migrateDown, trialProgram } from '../support/trial-program.js';

const { SEED = '37', TRANSACTIONS = '2000', FIGURES } = process.env;
const TABLE = 'logs_by_topic';

describe(`a copy of ${TRANSACTIONS} transactions that gets a new derived table (SEED=${SEED})`, () => {
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;
  let folder: string;
  /** The program of the next version. The other one is that of the version before. */
  let trial: string;
  let populator: RunningMdw;
  let steady: Steady | undefined;
  const started: RunningMdw[] = [];
  const seconds: Record<string, number> = {};

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-trial-'));
    server = await testDatabase();
    await migrateCopy(server.url);
    database = openCopy(server.url);
    trial = await trialProgram(join(folder, 'next'), server.url);
    devnode = await timed('generate', () =>
      startDevnode({
        external: '127.0.0.1:0',
        source: { generate: { seed: `trial ${SEED}`, transactions: Number(TRANSACTIONS) } },
      }),
    );
  });
  after(async () => {
    await steady?.stop();
    for (const { process, ended } of started) {
      process.kill('SIGKILL');
      await ended;
    }
    await devnode.close();
    await database.close();
    await server.drop();
    rmSync(folder, { recursive: true });
  });

  async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    seconds[what] = Math.round((performance.now() - begun) / 100) / 10;
    if (FIGURES === '1') process.stdout.write(`      ${new Date().toISOString()} ${what}: ${seconds[what]} s\n`);
    return result;
  }

  const start = (role: 'serve' | 'populate' | 'migrate', args: string[], bin?: string): RunningMdw => {
    const env = {
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: asRole(server.url, role),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '100',
      MAX_UNPROVEN_REORG: '1000',
      // The blocks of a generated chain are old.
      STATUS_MAX_BLOCK_AGE: '1000000000',
    };
    const running = startMdw(args, env, folder, bin);
    started.push(running);
    return running;
  };
  async function run(role: 'populate' | 'migrate', args: string[], bin?: string): Promise<void> {
    const { status, stdout, stderr } = await start(role, args, bin).ended;
    expect(status, (stdout + stderr).slice(-4_000)).to.equal(0);
  }
  async function serve(bin?: string): Promise<string> {
    const [, port] = await start('serve', ['-s'], bin).saw(/"http":\{[^}]*"port":(\d+)/);
    return `http://127.0.0.1:${port}`;
  }
  async function stop({ process: child, ended }: RunningMdw): Promise<void> {
    child.kill('SIGTERM');
    await ended;
  }

  /** Progress of what is waited for, in tenths. */
  const report = (what: string): ((done: number, total: number) => void) => {
    let told = 0;
    return (done, total) => {
      const tenths = Math.floor((10 * done) / Math.max(1, total));
      if (FIGURES !== '1' || tenths <= told) return;
      told = tenths;
      process.stdout.write(`      ${new Date().toISOString()} ${what}: ${tenths}0 %\n`);
    };
  };

  /** Until the head is stored, and all call information that the node has of it. */
  async function loaded(): Promise<void> {
    const reported = report('loading');
    await eventually(
      async () => {
        const head = await readHead(database);
        reported(head?.height ?? 0, devnode.height());
        return head?.microHashes.at(-1) ?? head?.hash;
      },
      (hash) => hash === devnode.top().hash,
    );
    const left = report('reading call information');
    let most = 0;
    await eventually(
      async () => {
        const { rows } = await database.query<{ due: string }>({
          name: 'test.due',
          text: `SELECT (SELECT count(*) FROM due_infos) + (SELECT count(*) FROM contract_calls WHERE state = 'pending') AS due`,
        });
        const due = Number(rows[0]!.due);
        most = Math.max(most, due);
        left(most - due, most);
        return due;
      },
      (due) => due === 0,
    );
  }

  /** Reads the call information of the reloaded heights, as the next version does: its rows are above the part that is filled. */
  async function answered(): Promise<void> {
    const takeOut = addLogsByTopic(() => undefined);
    const node = nodeAt(devnode.externalUrl);
    await decodeAll(database, node).finally(() => node.close());
    takeOut();
  }

  /** Until the new table has all rows. */
  async function filled(): Promise<void> {
    const reported = report('filling');
    await eventually(
      async () => {
        const position = await readBackfill(database, 'logs-by-topic');
        if (position !== undefined && position > 0n) reported(Number(position >> 33n), devnode.height());
        return position;
      },
      (position) => position === undefined,
    );
  }

  /** Rows that are not what follows from the call information, and the number of those that are. */
  async function compared(): Promise<{ wrong: unknown[]; right: number }> {
    const [row] = await readSlowly<{ wrong: unknown[] | null; right: string }>(
      server.url,
      `
        WITH expected AS (
          SELECT l.log #>> '{topics,0}' AS topic, i.position, l.number::int - 1 AS log, l.log ->> 'address' AS contract
          FROM infos AS i CROSS JOIN LATERAL jsonb_array_elements(i.body::jsonb #> '{call_info,log}') WITH ORDINALITY AS l (log, number)
        ),
        missing AS (SELECT * FROM expected EXCEPT ALL SELECT * FROM ${TABLE}),
        surplus AS (SELECT * FROM ${TABLE} EXCEPT ALL SELECT * FROM expected)
        SELECT (SELECT json_agg(w) FROM (SELECT 'missing' AS is, * FROM missing UNION ALL SELECT 'surplus', * FROM surplus LIMIT 10) AS w) AS wrong,
          (SELECT count(*) FROM expected) AS right`,
    );
    return { wrong: row!.wrong ?? [], right: Number(row!.right) };
  }
  async function expectAsExpected(): Promise<void> {
    const { wrong, right } = await compared();
    expect(wrong).to.deep.equal([]);
    expect(right).to.be.above(Number(TRANSACTIONS) / 1_000);
  }

  it('is loaded and served by the program of before', async () => {
    populator = start('populate', ['-p']);
    await timed('load', loaded);
    const served = await serve();
    steady = askSteadily(`${served}/middleware/size/current`);
    expect((await ask(`${served}/middleware/status`)).status).to.equal(200);
  });

  it('is migrated meanwhile, and what is loaded again then has its rows', async () => {
    await stop(populator);
    const before = await storedChecksums(server.url, ['migrations', 'backfills']);
    await timed('migrate', () => run('migrate', ['migrate'], trial));
    expect(await storedChecksums(server.url, ['migrations', 'backfills', TABLE])).to.deep.equal(before);
    const next = await serve(trial);
    const { text } = await ask(`${next}/middleware/status`);
    expect((JSON.parse(text) as { backfills?: object }).backfills).to.deep.equal({ 'logs-by-topic': -1 });
    await run('populate', ['-H', `2-${Math.min(devnode.height(), 20)}`], trial);
    await answered();
    const [rows] = await readSlowly<{ count: string }>(server.url, `SELECT count(*) AS count FROM ${TABLE}`);
    expect(Number(rows!.count), 'rows above the part that is filled').to.be.above(0);
    await timed('-v before it is filled', () => run('populate', ['-v', '--offline', '-q'], trial));
  });

  it('gets the rows while it follows the chain, through a reorg', async () => {
    populator = start('populate', ['-p'], trial);
    await devnode.grow(4);
    await devnode.fork({ depth: 3, grow: 4 });
    await timed('fill', filled);
    await devnode.grow(1);
    await loaded();
    await expectAsExpected();
    await timed('-v', () => run('populate', ['-v', '--offline', '-q'], trial));
  });

  it('is as before when the migration is taken back, for the program of before, too', async () => {
    await stop(populator);
    const before = await storedChecksums(server.url, ['migrations', TABLE]);
    await timed('migrate down', () => migrateDown(server.url));
    expect(await storedChecksums(server.url, ['migrations'])).to.deep.equal(before);
    await timed('-v of the program of before', () => run('populate', ['-v', '--offline', '-q']));
    populator = start('populate', ['-p']);
    await devnode.grow(1);
    await loaded();
    await stop(populator);
  });

  it('gets the rows again when it is migrated again, and all heights reloaded', async () => {
    await run('migrate', ['migrate'], trial);
    populator = start('populate', ['-p'], trial);
    await timed('fill again', filled);
    await loaded();
    await expectAsExpected();
    const whole = await chainChecksums(server.url);
    await timed('-H', () => run('populate', ['-H', `0-${devnode.height()}`, '--no-progress'], trial));
    await timed('call information after -H', loaded);
    await expectAsExpected();
    expect(await chainChecksums(server.url)).to.deep.equal(whole);
    await timed('-v after -H', () => run('populate', ['-v', '--offline', '-q'], trial));
    await stop(populator);
    const { answers, faults } = steady!.take();
    expect(faults).to.deep.equal([]);
    expect(answers).to.be.above(0);
    if (FIGURES !== '1') return;
    const { right } = await compared();
    process.stdout.write(
      `      trial-upgrade: ${TRANSACTIONS} transactions, SEED=${SEED}: ${right} rows as expected, ${answers} answers of the server of before meanwhile, none failed; ${JSON.stringify(seconds)}\n`,
    );
  });
});
