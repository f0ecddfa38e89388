import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ERRORS } from '../../src/observe/errors.js';
import { testApi } from '../support/api.js';
import { buildOnce, mdw } from '../support/mdw.js';
import { startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

/** Providers do this when the disk is nearly full, and undo it when there is room again. */
describe('a database that is made read-only', () => {
  let server: TestDatabase;
  let administrator: pg.Client;
  let devnode: Devnode;

  before(async () => {
    buildOnce();
    server = await testDatabase();
    administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'read-only', generations: 4, txsPerGeneration: 5 } },
    });
  });
  after(async () => {
    await devnode.close();
    await administrator.end();
    await server.drop();
  });

  /** Changes the setting, and ends the sessions that have the former value. */
  const makeReadOnly = async (on: boolean): Promise<void> => {
    const name = new URL(server.url).pathname.slice(1);
    await administrator.query('SET default_transaction_read_only = off');
    await administrator.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${on ? 'on' : 'off'}`);
    await administrator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  };

  it('stops the populator, which names a cause that is true, and serves; the load continues when it is writable', async () => {
    const populating = await startPopulating(server, 'full', [devnode.externalUrl]);
    const api = await testApi(populating.database, {}, { logger: populating.logger });
    await populating.at(devnode.top().hash);

    await makeReadOnly(true);
    await devnode.grow(3);
    await eventually(
      () => Promise.resolve(populating.log),
      (log) => log.some(({ code }) => code === 'database_read_only'),
    );
    expect((await api.get('/v2/key-blocks/current/height')).status).to.equal(200);
    const { status, stdout } = await mdw(['doctor'], { DATABASE_URL: server.url, NODE_URL: devnode.externalUrl });
    expect(status).to.equal(0);
    expect(stdout).to.match(/rights.*read-only \(default_transaction_read_only is on\)/);

    await makeReadOnly(false);
    await populating.at(devnode.top().hash);
    await api.close();
    await populating.stop();
  });

  it('is described so that it is true for a standby and for a full disk', () => {
    const { when, remedy } = ERRORS.database_read_only;
    expect(when)
      .to.match(/standby/)
      .and.match(/default_transaction_read_only/)
      .and.match(/disk/);
    expect(remedy)
      .to.match(/primary/)
      .and.match(/disk/);
  });
});
