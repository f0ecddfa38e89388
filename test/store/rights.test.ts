import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { mdw } from '../support/mdw.js';
import { chainDump, cleanDump, populateInto } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { openAs } from '../support/roles.js';

describe('a user with rights in one schema and none in the database', () => {
  const role = `rights_${process.pid}`;
  let server: TestDatabase;
  let administrator: pg.Client;
  let devnode: Devnode;
  let url: string;
  let env: Record<string, string>;

  before(async () => {
    server = await testDatabase();
    administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    await administrator.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'secret';
      REVOKE CREATE, TEMPORARY ON DATABASE ${administrator.database} FROM PUBLIC;
      CREATE SCHEMA mdw;
      GRANT CREATE, USAGE ON SCHEMA mdw TO ${role}`);
    url = Object.assign(new URL(server.url), { username: role, password: 'secret' }).href;
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'rights', generations: 8, txsPerGeneration: 6 } },
    });
    env = { NODE_URL: devnode.externalUrl, DATABASE_URL: url, LOG_LEVEL: 'silent' };
  });
  after(async () => {
    await devnode.close();
    await administrator.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await administrator.end();
    await server.drop();
  });

  it('passes mdw doctor, and migrates', async () => {
    const examined = await mdw(['doctor'], env);
    expect(examined.stdout).to.match(new RegExp(`^ok +rights +${role} may change schema mdw of `, 'm'));
    expect(examined.status).to.equal(0);
    const { status, stderr } = await mdw(['migrate'], env);
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  it('loads heights, and replaces them', async () => {
    const { status, stderr } = await mdw(['-H', '2-5,3'], env);
    expect([status, stderr]).to.deep.equal([0, 'Replaced 4 of 4 heights (2-5)\n']);
  });

  it('follows the chain through a reorg, and publishes the removed blocks', async () => {
    const populating = populateInto(openAs(url), [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    // From here on removed blocks are published.
    const live = () => administrator.query<{ live: boolean }>('SELECT live FROM mdw.chain');
    await eventually(live, ({ rows }) => rows[0]?.live === true);
    for (const depth of [2, 4]) {
      await devnode.fork({ depth, grow: depth + 1, retainTxs: depth > 2 });
      await populating.at(devnode.top().hash);
    }
    const stored = await chainDump(populating.database);
    await populating.stop();

    expect(stored).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    const { rows } = await administrator.query<{ kind: string }>('SELECT kind FROM mdw.events ORDER BY seq');
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'rollback')).to.have.length(2);
    expect(kinds.filter((kind) => kind === 'left')).to.not.have.length(0);
  });

  it('drops the copy but not the schema, which it could not create again, and migrates again', async () => {
    const { status, stdout } = await mdw(['drop', 'mdw'], env);
    expect([status, stdout]).to.deep.equal([
      0,
      'Dropped everything in schema mdw; the schema itself stays, because this user could not create it again\n',
    ]);
    expect(await mdw(['migrate'], env)).to.include({ status: 0 });
  });

  it('cannot create a missing schema, which mdw doctor reports', async () => {
    const { status, stdout } = await mdw(['doctor'], { ...env, DATABASE_SCHEMA: 'another' });
    expect(status).to.equal(1);
    expect(stdout).to.match(/^fail +rights +\w+ may not create schema another of .*GRANT CREATE ON DATABASE/m);
    expect(await mdw(['migrate'], { ...env, DATABASE_SCHEMA: 'another' })).to.include({ status: 78 });
  });
});
