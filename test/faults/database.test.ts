import { expect } from 'chai';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { holdCommits } from '../support/held-commits.js';
import { rejection } from '../support/http-server.js';
import { movingDatabase } from '../support/moving-database.js';
import { chainDump, cleanDump, populateInto, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import { emptyCopy } from '../support/roles.js';

describe('a populator whose database fails', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let operator: pg.Client;

  before(async () => {
    server = await testDatabase();
    operator = new pg.Client({ connectionString: server.url });
    await operator.connect();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'database', generations: 5, txsPerGeneration: 5 } },
    });
  });
  after(async () => {
    await operator.end();
    await devnode.close();
    await server.drop();
  });

  it('continues after all its connections were terminated', async () => {
    const populating = await startPopulating(server, 'ended', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);

    for (let round = 0; round < 3; round++) {
      await operator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mdw ended' AND datname = current_database()`,
      );
      await devnode.grow(1);
      await populating.at(devnode.top().hash);
    }
    const stored = await chainDump(populating.database);
    await populating.stop();

    expect(stored).to.deep.equal(await cleanDump(server, 'ended_clean', devnode.externalUrl));
  });

  it('starts when the database is back that went away during its start', async () => {
    const { hostname, port } = new URL(server.url);
    const relay = await startRelay(`http://${hostname}:${port}`);
    const url = new URL(server.url);
    url.port = new URL(relay.url).port;
    const database = await emptyCopy(url.href, 'beginning');
    await relay.shut();
    const populating = populateInto(database, [devnode.externalUrl]);
    await eventually(
      () => Promise.resolve(populating.log),
      (log) => log.some(({ msg }) => msg === 'Stopped populating, will try again'),
    );

    await relay.open();
    await populating.at(devnode.top().hash);
    await populating.stop();
    await relay.shut();
  });

  it('continues after its commits were interrupted in the middle', async () => {
    const populating = await startPopulating(server, 'cut', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);

    // Blocks the commit at its first table until its connection is terminated. The renewal of the lease may wait too, for a row.
    const held = await holdCommits(server.url, 'cut');
    await devnode.grow(1);
    await eventually(held.terminate, (ended) => ended > 0);
    await held.release();
    await populating.at(devnode.top().hash);

    expect(populating.log.map(({ msg }) => msg)).to.include('Stopped populating, will try again');
    await populating.stop();
  });

  it('ends, and releases the lease, when a statement fails permanently', async () => {
    const populating = await startPopulating(server, 'broken', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);

    await operator.query('ALTER TABLE broken.days RENAME TO lost');
    await devnode.grow(1);
    const fault = await rejection(populating.ended);
    const { rows } = await operator.query<{ free: boolean }>('SELECT ends_at < now() AS free FROM broken.writer');
    await rejection(populating.stop());

    expect(fault).to.include({ code: 'database_error' }).and.have.property('message').that.contains('days');
    expect(rows).to.deep.equal([{ free: true }]);
  });

  it('reloads blocks that a promoted replica lacks', async () => {
    const moving = await movingDatabase();
    const place: TestDatabase = { url: moving.url('postgres'), drop: () => moving.close() };
    const populating = await startPopulating(place, 'moved', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    await moving.fork();
    const copied = devnode.height();
    await devnode.fork({ depth: 2, grow: 6 });
    await populating.at(devnode.top().hash);
    const log = populating.log.length;

    await moving.failOver();
    await populating.at(devnode.top().hash);
    const stored = await chainDump(populating.database);
    await populating.stop();

    const lacking = populating.log.slice(log).find(({ msg }) => msg === 'Replaced generations in a reorg');
    expect(lacking, 'what the replica had, of another branch').to.include({ depth: 2 });
    expect(devnode.height()).to.be.above(copied);
    expect(stored).to.deep.equal(await cleanDump(server, 'moved_clean', devnode.externalUrl));
    await place.drop();
  });
});
