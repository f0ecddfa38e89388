import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead, readIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { logicalDump } from '../support/dump.js';
import { mdw, startMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy } from '../support/roles.js';

const LASTING = 78;

describe('nodes of several networks', () => {
  let server: TestDatabase;
  let [main, other] = [] as unknown as [Devnode, Devnode];
  let number = 0;
  let database: Database;
  let env: Record<string, string>;

  before(async () => {
    server = await testDatabase();
    const chain = (networkId: string): Promise<Devnode> =>
      open({ networkId, source: { generate: { seed: networkId, generations: 4, txsPerGeneration: 3 } } });
    [main, other] = await Promise.all([chain('ae_one'), chain('ae_two')]);
  });
  beforeEach(async () => {
    const schema = `several_${number++}`;
    database = await emptyCopy(server.url, schema);
    env = {
      NODE_URL: `${main.externalUrl},${other.externalUrl}`,
      DATABASE_URL: asRole(server.url, 'populate'),
      DATABASE_SCHEMA: schema,
      METRICS_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '50',
    };
  });
  afterEach(() => database.close());
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  it('are refused with an empty database, named, and nothing is written', async () => {
    const before = await logicalDump(database);
    const { status, stdout, stderr } = await mdw(['-p'], env);
    expect(status).to.equal(LASTING);
    expect(stdout + stderr)
      .to.contain('the first is of ae_one')
      .and.to.contain(`${other.externalUrl} is on network ae_two, not ae_one`)
      .and.to.contain('Remove the wrong nodes from NODE_URL, or set NETWORK_ID');
    expect(await readIdentity(database)).to.equal(null);
    expect(await logicalDump(database)).to.deep.equal(before);
  });

  it('are told apart by NETWORK_ID, whichever is named first', async () => {
    const running = startMdw(['-p'], { ...env, NETWORK_ID: 'ae_two' });
    await running.saw(/Caught up with the node/);
    running.process.kill('SIGTERM');
    expect((await running.ended).status).to.equal(0);
    expect(await readIdentity(database)).to.include({ networkId: 'ae_two' });
    expect((await readHead(database))?.height).to.equal(other.height());
  });

  it('are refused if NETWORK_ID is of neither, or not of the database', async () => {
    const nobody = await mdw(['-p'], { ...env, NETWORK_ID: 'ae_three' });
    expect([nobody.status, nobody.stdout + nobody.stderr]).to.satisfy(
      ([status, text]: [number, string]) => status === LASTING && text.includes('not ae_three'),
    );
    expect(await readIdentity(database)).to.equal(null);
    const running = startMdw(['-p'], { ...env, NODE_URL: main.externalUrl });
    await running.saw(/Caught up with the node/);
    running.process.kill('SIGTERM');
    await running.ended;
    for (const args of [['-p'], ['-H', '1'], ['-v']]) {
      const { status, stdout, stderr } = await mdw(args, { ...env, NETWORK_ID: 'ae_two' });
      expect(status, args.join(' ')).to.equal(LASTING);
      expect(stdout + stderr).to.contain('The database holds network ae_one, and NETWORK_ID is ae_two');
    }
    const examined = await mdw(['doctor'], { ...env, NETWORK_ID: 'ae_two' });
    expect(examined.stdout).to.contain('The node is on ae_one, NETWORK_ID is ae_two');
    expect((await readHead(database))?.height).to.equal(main.height());
  });
});
