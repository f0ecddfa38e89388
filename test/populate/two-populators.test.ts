import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { asRole, emptyCopy } from '../support/roles.js';
import { eventually, startPopulator } from '../support/populator.js';
import type { Populator } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('two populators on one database', () => {
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;
  const populators: Populator[] = [];

  const start = (): Populator => {
    const url = asRole(server.url, 'populate');
    const populator = startPopulator({ NODE_URL: devnode.externalUrl, DATABASE_URL: url, LEASE_SECONDS: '2' });
    populators.push(populator);
    return populator;
  };
  const atTop = (): Promise<unknown> =>
    eventually(
      () => readHead(database),
      (tip) => tip?.height === devnode.height(),
    );
  const holder = async (): Promise<{ epoch: string; pid: number }> => {
    const { rows } = await database.query<{ epoch: string; holder: string }>({
      name: 'test.holder',
      text: 'SELECT epoch, holder FROM writer',
    });
    return { epoch: rows[0]!.epoch, pid: Number(rows[0]!.holder.split(':').at(-2)) };
  };

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'two', generations: 5, txsPerGeneration: 5 } },
    });
  });

  afterEach(async () => {
    for (const populator of populators.splice(0)) {
      populator.process.kill('SIGCONT');
      await populator.end('SIGKILL');
    }
  });

  after(async () => {
    await devnode.close();
    await database.close();
    await server.drop();
  });

  it('work one at a time: the second waits and takes over when the first ends', async () => {
    const first = start();
    await atTop();
    const second = start();
    await second.says('Waiting: another process populates this database');
    await devnode.grow(2);
    await atTop();
    expect((await holder()).pid).to.equal(first.process.pid);

    await first.end();
    await second.says('Took the lease to populate');
    await devnode.grow(2);
    await atTop();
    expect((await holder()).pid).to.equal(second.process.pid);
  });

  it('replace a frozen one when its lease ends, and it commits nothing when it wakes', async () => {
    const frozen = start();
    await frozen.says('Caught up with the node');
    frozen.process.kill('SIGSTOP');
    const next = start();
    await next.says('Took the lease to populate');
    await devnode.grow(3);
    await atTop();
    const { epoch } = await holder();

    frozen.process.kill('SIGCONT');
    await frozen.says('Lost the lease to populate');
    await devnode.grow(3);
    await atTop();

    expect(await holder()).to.deep.equal({ epoch, pid: next.process.pid });
    await frozen.says('Waiting: another process populates this database');
  });
});
