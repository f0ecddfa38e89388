import { expect } from 'chai';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { testApi } from '../support/api.js';
import { describeWith } from '../support/kube-tools.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { mountSmallDisk, noSmallDisk } from '../support/small-disk.js';
import type { SmallDisk } from '../support/small-disk.js';

const SIZE = '64m';

describeWith(noSmallDisk(), 'a populator whose database has no room left', () => {
  const space = `small_${process.pid}`;
  let disk: SmallDisk;
  let server: TestDatabase;
  let operator: pg.Client;
  let devnode: Devnode;

  before(async () => {
    disk = mountSmallDisk(SIZE);
    server = await testDatabase();
    const { pathname } = new URL(server.url);
    const elsewhere = new URL(server.url);
    elsewhere.pathname = '/postgres';
    operator = new pg.Client({ connectionString: elsewhere.href });
    await operator.connect();
    const { rows } = await operator.query<{ data_directory: string }>('SHOW data_directory');
    const { uid, gid } = statSync(rows[0]!.data_directory);
    chownSync(disk.folder, uid, gid);
    // Only the data are on the small disk, not the log of PostgreSQL.
    await operator.query(`CREATE TABLESPACE ${space} LOCATION '${disk.folder}'`);
    await operator.query(`ALTER DATABASE ${pathname.slice(1)} SET TABLESPACE ${space}`);
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: { seed: 'disk', generations: 8, txsPerGeneration: 20, accounts: 10 },
      },
    });
  });
  after(async () => {
    await devnode.close();
    await server.drop();
    await operator.query(`DROP TABLESPACE ${space}`);
    await operator.end();
    disk.unmount();
  });

  it('reports it, serves the stored data, and continues to load when there is room again', async () => {
    const populating = await startPopulating(server, 'full', [devnode.externalUrl]);
    const api = await testApi(populating.database, {}, { logger: populating.logger });
    await populating.at(devnode.top().hash);
    const height = devnode.height();
    // The first session may write a file of the catalogue. Later there would be no room for it.
    expect((await api.get('/v2/key-blocks/current/height')).status).to.equal(200);

    const ballast = join(disk.folder, 'ballast');
    expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 27))).to.throw(/ENOSPC/);
    await devnode.grow(30);
    await eventually(
      () => Promise.resolve(populating.log),
      (log) =>
        log.some(({ msg, reason }) => msg === 'Stopped populating, will try again' && /No space/.test(String(reason))),
    );
    const { status, body } = await api.get('/v2/key-blocks/current/height');
    expect(status, JSON.stringify(populating.log.slice(-5))).to.equal(200);
    const served = JSON.parse(body) as { height: number };

    rmSync(ballast);
    await populating.at(devnode.top().hash);
    const stored = await chainDump(populating.database);
    await api.close();
    await populating.stop();

    expect(served.height).to.be.at.least(height).and.below(devnode.height());
    const clean = await testDatabase();
    expect(stored).to.deep.equal(await cleanDump(clean, 'full', devnode.externalUrl));
    await clean.drop();
  });
});
