import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { testApi } from '../support/api.js';
import { mdw } from '../support/mdw.js';
import { populateInto } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { openAs } from '../support/roles.js';

const ROLES = ['migrate', 'populate', 'serve', 'reader'] as const;

describe('the roles of mdw grants', () => {
  let server: TestDatabase;
  let administrator: pg.Client;
  let devnode: Devnode;
  const nameOf = (role: (typeof ROLES)[number]): string => `${role}_${process.pid}`;
  const urlOf = (role: (typeof ROLES)[number]): string =>
    Object.assign(new URL(server.url), { username: nameOf(role), password: 'secret' }).href;

  async function grant(): Promise<void> {
    const { stdout, status } = await mdw(['grants', ...ROLES.flatMap((role) => [`--${role}`, nameOf(role)])], {});
    expect(status).to.equal(0);
    await administrator.query(stdout);
  }

  /** SQLSTATE of the refusal; undefined if the statement is allowed. */
  async function refusal(role: (typeof ROLES)[number], sql: string): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: urlOf(role) });
    await client.connect();
    try {
      await client.query(`SET search_path = mdw; ${sql}`);
      return undefined;
    } catch (error) {
      return (error as pg.DatabaseError).code;
    } finally {
      await client.end();
    }
  }

  before(async () => {
    server = await testDatabase();
    administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    await administrator.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${administrator.database} FROM PUBLIC`);
    await grant();
    for (const role of ROLES) await administrator.query(`ALTER ROLE ${nameOf(role)} LOGIN PASSWORD 'secret'`);
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'grants', generations: 8, txsPerGeneration: 6 } },
    });
  });
  after(async () => {
    await devnode.close();
    for (const role of ROLES) await administrator.query(`DROP OWNED BY ${nameOf(role)}; DROP ROLE ${nameOf(role)}`);
    await administrator.end();
    await server.drop();
  });

  it('can migrate, populate through reorgs, replace heights, verify and serve', async () => {
    const env = (role: (typeof ROLES)[number]) => ({
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: urlOf(role),
      LOG_LEVEL: 'silent',
    });
    expect(await mdw(['migrate'], env('migrate'))).to.include({ status: 0, stderr: '' });
    await grant();
    const populating = populateInto(openAs(urlOf('populate')), [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    const live = () => administrator.query<{ live: boolean }>('SELECT live FROM mdw.chain');
    await eventually(live, ({ rows }) => rows[0]?.live === true);
    await devnode.fork({ depth: 3, grow: 5 });
    await populating.at(devnode.top().hash);
    await populating.stop();
    expect(await mdw(['-H', '2-5'], env('populate'))).to.include({ status: 0 });
    expect(await mdw(['-v'], env('serve'))).to.include({ status: 0 });

    const database = openAs(urlOf('serve'));
    const api = await testApi(database);
    const answers = await Promise.all(
      [
        '/middleware/status',
        '/readyz',
        '/v2/generations/current',
        '/middleware/names',
        '/middleware/contracts/all',
      ].map(async (path) => [path, (await api.get(path)).status] as const),
    );
    await api.close();
    await database.close();
    expect(answers.filter(([path, status]) => status !== 200 && path !== '/middleware/status')).to.deep.equal([]);
  });

  it('cannot do the tasks of other roles', async () => {
    const DENIED = '42501';
    expect(await refusal('populate', 'CREATE TABLE more (a int)')).to.equal(DENIED);
    expect(await refusal('populate', 'DROP TABLE events')).to.equal(DENIED);
    expect(await refusal('populate', "INSERT INTO migrations (name) VALUES ('x')")).to.equal(DENIED);
    expect(await refusal('populate', 'DELETE FROM marker')).to.equal(DENIED);
    for (const role of ['serve', 'reader'] as const) {
      expect(await refusal(role, 'SELECT count(*) FROM transactions'), role).to.equal(undefined);
      expect(await refusal(role, 'DELETE FROM events'), role).to.equal(DENIED);
      expect(await refusal(role, 'UPDATE chain SET event_seq = 0'), role).to.equal(DENIED);
    }
  });

  it('are named by flags, and a schema that cannot contain a copy is refused', async () => {
    const { status, stderr } = await mdw(['grants'], { DATABASE_SCHEMA: 'public' });
    expect(status).to.equal(78);
    expect(stderr).to.contain('public');
  });
});
