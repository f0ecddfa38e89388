import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { readForks, readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const FORKS = [
  { version: 1, height: 0 },
  { version: 5, height: 4 },
  { version: 6, height: 9 },
];
/** The forks as a status reports them, in another order. */
const protocols = (forks = FORKS): { version: number; effective_at_height: number }[] =>
  forks.map(({ version, height }) => ({ version, effective_at_height: height })).reverse();

/** Versions of blocks on a network that is not built in. */
describe('the forks of a network', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  /** A proxy before the node, whose status reports these forks. */
  let proxy: TestServer;
  let reported: object[];
  /** Max height of the node that the proxy shows. */
  let top: number;
  let populating: Populating | undefined;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ generations: 14, protocols: protocols() });
    proxy = await startServer(async (request, response) => {
      const path = request.url!;
      const shown = /\/(status|current|top)$/.test(path) && top < devnode.height();
      const block = shown ? await keyBlock(top) : undefined;
      const answer = await fetch(devnode.externalUrl + path);
      const text = await answer.text();
      if (path.endsWith('/status')) {
        const status = JSON.parse(text) as object;
        const head = block && { top_block_height: top, top_key_block_hash: block.hash };
        return reply(response, 200, JSON.stringify({ ...status, ...head, protocols: reported }));
      }
      if (block === undefined) return reply(response, answer.status, text);
      if (path.endsWith('/generations/current')) return reply(response, 200, await generation(top));
      reply(response, 200, JSON.stringify(path.endsWith('/blocks/top') ? { key_block: block } : block));
    });
  });
  beforeEach(() => {
    reported = protocols();
    top = Infinity;
  });
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
  });
  after(async () => {
    await proxy.close();
    await closeDevnodes();
    await server.drop();
  });

  const generation = async (height: number): Promise<string> =>
    (await fetch(`${devnode.externalUrl}/v3/generations/height/${height}`)).text();
  const keyBlock = async (height: number): Promise<{ hash: string; version: number }> =>
    (JSON.parse(await generation(height)) as { key_block: { hash: string; version: number } }).key_block;
  const follow = async (schema: string): Promise<Populating> =>
    (populating = await startPopulating(server, schema, [proxy.url], { distrustMs: 100, demoteMs: 100 }));
  const atHeight = ({ database }: Populating, height: number): Promise<unknown> =>
    eventually(
      () => readHead(database),
      (head) => head?.height === height,
    );
  const caughtUp = ({ log }: Populating): Promise<unknown> =>
    eventually(
      () => Promise.resolve(log),
      (lines) => lines.some(({ msg }) => msg === 'Caught up with the node'),
    );
  const breaches = ({ log }: Populating): unknown[] => log.filter(({ state }) => state === 'node_breaks_rules');

  async function differences(database: Database): Promise<ReportedDifference[]> {
    const found: ReportedDifference[] = [];
    await verifyProjections({ database, prove: true, onDifference: (one) => found.push(one) });
    return found;
  }

  it('are recorded with the copy, and every block has the version of its height', async () => {
    const running = await follow('recorded');
    await running.at(devnode.top().hash);
    expect(await readForks(running.database)).to.deep.equal(FORKS);
    expect(breaches(running)).to.deep.equal([]);
    expect(await differences(running.database)).to.deep.equal([]);
    expect([(await keyBlock(8)).version, (await keyBlock(9)).version]).to.deep.equal([5, 6]);
  });

  it('are recorded in a copy that an older release made, which goes on', async () => {
    top = 6;
    const before = await follow('older');
    await atHeight(before, 6);
    await before.database.query({ name: 'test.forget', text: 'DELETE FROM forks' });
    await before.stop();

    top = Infinity;
    const running = await follow('older');
    await running.at(devnode.top().hash);
    expect(await readForks(running.database)).to.deep.equal(FORKS);
    expect(breaches(running)).to.deep.equal([]);
  });

  it('hold blocks of another version until a node tells them right', async () => {
    reported = protocols([FORKS[0]!, { version: 6, height: 7 }]);
    const running = await follow('wrong');
    await running.inState('node_breaks_rules');
    expect((await readHead(running.database))?.height).to.be.below(4);
    expect(JSON.stringify(breaches(running))).to.contain('its version is 5 instead of 1');

    reported = protocols();
    await running.at(devnode.top().hash);
    expect(await readForks(running.database)).to.deep.equal(FORKS);
  });

  it('may be planned later', async () => {
    top = 6;
    reported = protocols(FORKS.slice(0, 2));
    const running = await follow('planned');
    await atHeight(running, 6);
    expect(await readForks(running.database)).to.deep.equal(FORKS.slice(0, 2));

    reported = protocols();
    top = Infinity;
    await running.at(devnode.top().hash);
    expect(await readForks(running.database)).to.deep.equal(FORKS);
  });

  it('cannot be changed for stored heights by a node', async () => {
    const running = await follow('frozen');
    await running.at(devnode.top().hash);
    await running.stop();
    reported = protocols([FORKS[0]!, { version: 6, height: 2 }]);
    const again = await follow('frozen');
    await caughtUp(again);
    expect(await readForks(again.database)).to.deep.equal(FORKS);
  });

  it('are verified, and corrected if the stored head contradicts them', async () => {
    const running = await follow('altered');
    await running.at(devnode.top().hash);
    for (const [by, row] of [
      ['UPDATE forks SET height = height + 1 WHERE version = 6', '6 height'],
      ['UPDATE forks SET height = 1000 WHERE version = 6', '6 null'],
      ['DELETE FROM forks WHERE version = 6', '6 null'],
      ['UPDATE forks SET version = 4 WHERE version = 6', '4 height,6 null'],
    ] as const) {
      await running.database.query({ name: '', text: by });
      const found = await differences(running.database);
      expect(found.map(({ key, column }) => `${key} ${column}`).join()).to.equal(row);
      await running.database.query({ name: '', text: 'DELETE FROM forks' });
      for (const { version, height } of FORKS)
        await running.database.query({
          name: '',
          text: `INSERT INTO forks (version, height) VALUES (${version}, ${height})`,
        });
    }
    await running.database.query({ name: '', text: 'DELETE FROM forks WHERE version = 6' });
    await running.stop();
    const again = await follow('altered');
    await caughtUp(again);
    expect(await readForks(again.database)).to.deep.equal(FORKS);
  });
});
