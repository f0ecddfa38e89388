import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { eventually } from '../cluster/support/eventually.js';
import { newerProgram, startMdw } from '../support/mdw.js';
import type { Outcome, RunningMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy } from '../support/roles.js';
import { ask, askSteadily } from '../support/steady-client.js';

/** What an expansion may do: add a column and an index to every table, one migration for each table, and a new table. */
function expansions(tables: readonly string[]): Record<string, string> {
  const one = (table: string): string => `
    ALTER TABLE ${table} ADD COLUMN trial_flag boolean NOT NULL DEFAULT false, ADD COLUMN trial_note text;
    CREATE INDEX ON ${table} (trial_flag);`;
  const made = tables.map((table, index): [string, string] => [
    `09${String(index).padStart(2, '0')}_expand_${table}`,
    one(table),
  ]);
  return {
    ...(Object.fromEntries(made) as Record<string, string>),
    '0990_expand_trials': 'CREATE TABLE trials (id bigint PRIMARY KEY)',
  };
}
const CONTRACTION = 'DROP TABLE removed_transactions;';

/** All tables of the copy except that of its migrations. */
async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'mdw'::regnamespace AND relkind = 'r' AND relname <> 'migrations' ORDER BY relname`);
  await client.end();
  return rows.map(({ name }) => name);
}

const QUESTIONS = [
  ...['/v2/key-blocks/current/height', '/middleware/size/current', '/middleware/names', '/middleware/contracts/all'],
  ...['/middleware/generations/0/4', '/middleware/transactions/interval/0/8', '/middleware/auctions/active'],
];

describe('Programs of two versions at one database', () => {
  let database: TestDatabase;
  let devnode: Devnode;
  let folder: string;
  let older: { server: RunningMdw; populator: RunningMdw; url: string; probes: string[] };
  let expanding: string;
  let contracting: string;
  const started: RunningMdw[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-versions-'));
    database = await testDatabase();
    await migrateCopy(database.url);
    const more = expansions(await tablesOf(database.url));
    expanding = newerProgram(join(folder, 'expanding'), more);
    contracting = newerProgram(join(folder, 'contracting'), { ...more, '0991_contract_trial': CONTRACTION });
    const generate = {
      seed: 'versions',
      generations: 12,
      txsPerGeneration: 12,
      accounts: 8,
    } as const;
    devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
    older = await startBoth();
  });
  after(async () => {
    for (const { process, ended } of started) {
      process.kill('SIGKILL');
      await ended;
    }
    await devnode.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const start = (role: 'serve' | 'populate' | 'migrate', args: string[], bin?: string): RunningMdw => {
    const env = {
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: asRole(database.url, role),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '100',
    };
    const running = startMdw(args, env, folder, bin);
    started.push(running);
    return running;
  };
  const run = (args: string[], bin?: string): Promise<Outcome> => start('migrate', args, bin).ended;

  async function startBoth(bin?: string) {
    const [populator, server] = [start('populate', ['-p'], bin), start('serve', ['-s'], bin)];
    const [, http, served] = await server.saw(/"http":\{[^}]*"port":(\d+)[^\n]*"metrics":\{[^}]*"port":(\d+)/);
    const [, populated] = await populator.saw(/"metrics":\{[^}]*"port":(\d+)/);
    const probes = [served, populated].map((port) => `http://127.0.0.1:${port}/readyz`);
    return { server, populator, url: `http://127.0.0.1:${http}`, probes };
  }
  const stop = async ({ server, populator }: typeof older): Promise<void> => {
    for (const one of [server, populator]) {
      one.process.kill('SIGTERM');
      await one.ended;
    }
  };

  const readiness = async ({ probes }: typeof older) =>
    Promise.all(
      probes.map(
        async (url) => JSON.parse((await ask(url)).text) as { ready: boolean; code?: string; height?: number },
      ),
    );
  const isReady = (programs: typeof older): Promise<void> =>
    eventually(async () => {
      for (const { ready, height } of await readiness(programs)) {
        expect([ready, height]).to.deep.equal([true, devnode.height()]);
      }
    });
  const answers = async ({ url }: typeof older): Promise<string[]> =>
    Promise.all(
      QUESTIONS.map(async (path) => {
        const { status, text } = await ask(url + path);
        // Of transactions that run code it is known some time later.
        return JSON.stringify([status, text.replaceAll(/"outcome":"\w+"/g, '')]);
      }),
    );

  it('continue during an expansion: the older ones answer, store and follow reorgs, without a failed request', async () => {
    await isReady(older);
    const before = await answers(older);
    const steady = [
      askSteadily(`${older.url}/middleware/size/current`),
      ...older.probes.map((url) => askSteadily(url)),
    ];
    const { status, stderr } = await run(['migrate'], expanding);
    expect(status, stderr).to.equal(0);

    expect(await answers(older)).to.deep.equal(before);
    await devnode.grow(3);
    await isReady(older);
    await devnode.fork({ depth: 2, grow: 3 });
    await isReady(older);
    const faults = steady.flatMap((one) => one.take().faults);
    await Promise.all(steady.map((one) => one.stop()));
    expect(faults).to.deep.equal([]);
  });

  it('answer the same', async () => {
    const newer = await startBoth(expanding);
    await isReady(newer);
    expect(await answers(newer)).to.deep.equal(await answers(older));
    await stop(newer);
  });

  it('can be downgraded: the older ones start, migrate nothing, reload heights, and verify', async () => {
    await stop(older);
    expect((await run(['migrate', '--json'])).status).to.equal(0);
    older = await startBoth();
    await devnode.grow(2);
    await isReady(older);
    for (const work of [
      ['-H', '3-6'],
      ['-v', `0-${devnode.height()}`],
    ]) {
      const { status, stdout, stderr } = await start('populate', work).ended;
      expect(status, stdout + stderr).to.equal(0);
    }
    await isReady(older);
  });

  it('must be the newer ones after a contraction: the older ones report it and do not start', async () => {
    const { status, stderr } = await run(['migrate'], contracting);
    expect(status, stderr).to.equal(0);

    for (const { ready, code } of await readiness(older)) expect([ready, code]).to.deep.equal([false, 'schema_newer']);
    const refused = await start('serve', ['-s']).ended;
    expect(refused.status).to.equal(78);
    expect(refused.stderr + refused.stdout)
      .to.contain('0991_contract_trial')
      .and.to.not.contain('_expand_');
  });
});
