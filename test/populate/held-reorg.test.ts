import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Depth } from '../../src/config/checks.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { gaps } from '../../src/store/chain-state.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { nodeAt } from '../support/copy.js';
import { mdw } from '../support/mdw.js';
import { chainDump, cleanDump, populateInto, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import { asRole, emptyCopy } from '../support/roles.js';

const BOUND = 3;
const FORK = { depth: BOUND + 1, grow: BOUND + 2, txsPerGeneration: 2 };

describe('a deep reorg without proof of work', () => {
  let server: TestDatabase;
  let populating: Populating;
  let api: TestApi;
  let count = 0;
  let schema = '';
  let closing: (() => Promise<void>) | undefined;
  const nodes: Devnode[] = [];

  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    await api.close();
    await populating.stop();
    await closing?.();
    closing = undefined;
    for (const node of nodes.splice(0)) await node.close();
  });
  after(() => server.drop());

  /** All nodes make the same chain for the same requests. */
  const start = async (): Promise<Devnode> => {
    const node = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'held', generations: 12, txsPerGeneration: 3 } },
    });
    nodes.push(node);
    return node;
  };

  /** How much a reorg may remove. */
  let limit: Depth = { blocks: BOUND };
  const follow = async (node: Devnode, ...urls: string[]): Promise<Record<string, string[]>> => {
    schema = `held_${++count}`;
    populating = await startPopulating(
      server,
      schema,
      urls,
      { checkMs: 100, demoteMs: 500 },
      { maxUnprovenReorg: limit },
    );
    api = await testApi(populating.database, {}, { metrics: populating.metrics });
    await populating.at(node.top().hash);
    return chainDump(populating.database);
  };

  const status = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await api.get('/middleware/status')).body) as Record<string, unknown>;
  const isHeld = () => eventually(status, (body) => body['held_reorg'] !== undefined);
  const isOver = () => eventually(status, (body) => body['held_reorg'] === undefined);
  const metric = async (): Promise<string | undefined> =>
    /^mdw_held_reorg_blocks (.*)$/m.exec((await ask(api.metricsPort, '/metrics')).body)?.[1];
  const followsSecond = () =>
    eventually(
      () => Promise.resolve(populating.node.report()),
      ([, second]) => second!.followed,
    );
  const accept = (hash: string) =>
    mdw(['accept-reorg', hash], { DATABASE_URL: asRole(server.url, 'populate'), DATABASE_SCHEMA: schema });

  it('is held and shown, and applied when the administrator accepts it', async () => {
    const node = await start();
    const stored = await follow(node, node.externalUrl);
    const refused = await accept(node.top().hash);
    expect(refused).to.include({ status: 1 });
    expect(refused.stderr).to.contain('No reorg with the key block');

    await node.fork(FORK);
    const { held_reorg: held, node_state: state } = await isHeld();
    const { hash } = held as { hash: string };
    expect(held).to.deep.equal({ hash, height: node.height(), depth: FORK.depth });
    const ready = JSON.parse((await ask(api.metricsPort, '/readyz')).body) as Record<string, unknown>;
    expect(ready['held_reorg']).to.deep.equal(held);
    await eventually(status, (body) => body['node_state'] === 'reorg_held');
    expect(['reorg_held', undefined, 'behind']).to.include(state);
    expect(await metric()).to.equal(String(FORK.depth));
    expect(await chainDump(populating.database)).to.deep.equal(stored);
    const line = populating.log.find(({ state }) => state === 'reorg_held');
    expect(line?.['reason']).to.contain(hash).and.to.contain('mdw accept-reorg');

    // The branch has grown since the administrator looked.
    await node.grow(2);
    expect(await accept(hash)).to.include({ status: 0, stderr: '' });
    await populating.at(node.top().hash);
    await isOver();
    await eventually(metric, (value) => value === '0');
  });

  describe('by the time that its blocks span', () => {
    afterEach(() => (limit = { blocks: BOUND }));

    it('is held if that is longer', async () => {
      // A generated key block takes 3 minutes, more or less.
      limit = { ms: (FORK.depth - 1) * 90_000 };
      const node = await start();
      const stored = await follow(node, node.externalUrl);
      await node.fork(FORK);
      expect((await isHeld())['held_reorg']).to.include({ depth: FORK.depth });
      expect(await chainDump(populating.database)).to.deep.equal(stored);
    });

    it('is applied if that is not longer, however many they are', async () => {
      limit = { ms: (FORK.depth + 3) * 180_000 };
      const node = await start();
      await follow(node, node.externalUrl);
      await node.fork(FORK);
      await populating.at(node.top().hash);
    });
  });

  it('is held and shown if heights above it were loaded that do not join the stored blocks', async () => {
    const node = await start();
    const source = nodeAt(node.externalUrl);
    await follow(node, node.externalUrl);
    const loaded = node.height();
    await node.fork({ ...FORK, grow: BOUND + 6 });
    await isHeld();
    expect(await metric()).to.equal(String(FORK.depth));

    const top = node.height();
    await replaceHeights({ database: populating.database, node: source, heights: [{ from: top - 1, to: top }] });
    // From the head, which is the node's by now, down to the common ancestor.
    const depth = top - (loaded - FORK.depth);
    await eventually(metric, (value) => value === String(depth));
    const { held_reorg: held, node_state: state } = await status();
    const { hash } = held as { hash: string };
    expect([held, state]).to.deep.equal([{ hash, height: top, depth }, 'reorg_held']);

    expect(await accept(hash)).to.include({ status: 0, stderr: '' });
    await isOver();
    await eventually(
      () => gaps(populating.database),
      (open) => open.length === 0,
    );
    expect(await chainDump(populating.database)).to.deep.equal(
      await cleanDump(server, `${schema}_clean`, node.externalUrl),
    );
    source.close();
  });

  it('stays accepted with such heights when another populator starts', async () => {
    const node = await start();
    const source = nodeAt(node.externalUrl);
    await follow(node, node.externalUrl);
    await node.fork({ ...FORK, grow: BOUND + 6 });
    await isHeld();
    const top = node.height();
    await populating.stop();
    const database = await emptyCopy(server.url, schema);
    await replaceHeights({ database, node: source, heights: [{ from: top - 1, to: top }] });
    const { held_reorg: held } = await status();
    expect(await accept((held as { hash: string }).hash)).to.include({ status: 0, stderr: '' });

    populating = populateInto(database, [node.externalUrl], {}, { maxUnprovenReorg: { blocks: BOUND } });
    await eventually(
      () => gaps(database),
      (open) => open.length === 0,
    );
    expect(await chainDump(database)).to.deep.equal(await cleanDump(server, `${schema}_clean`, node.externalUrl));
    source.close();
  });

  it('is held until a second node confirms it', async () => {
    const [node, second] = [await start(), await start()];
    const stored = await follow(node, node.externalUrl, second.externalUrl);

    await node.fork(FORK);
    await isHeld();
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await second.fork(FORK);
    expect(second.top()).to.deep.equal(node.top());
    await populating.at(node.top().hash);
    await isOver();
  });

  it('makes the populator follow a node on the stored branch, and is applied once it is accepted', async () => {
    const [other, node] = [await start(), await start()];
    await follow(node, other.externalUrl, node.externalUrl);
    await other.fork(FORK);
    await isHeld();

    await followsSecond();
    await node.mineKeyBlock();
    await populating.at(node.top().hash);

    // Heavier than the stored branch, which has grown, and held again.
    await other.grow(3);
    const isAll = ({ held_reorg: held }: Record<string, unknown>): boolean =>
      (held as { height: number } | undefined)?.height === other.height();
    const { held_reorg: held } = await eventually(status, isAll);
    expect(await accept((held as { hash: string }).hash)).to.include({ status: 0 });
    await populating.at(other.top().hash);
  });

  it('is no longer held when its node is away for good', async () => {
    const [other, node] = [await start(), await start()];
    await follow(node, other.externalUrl, node.externalUrl);
    await other.fork(FORK);
    await isHeld();
    await followsSecond();

    await nodes.shift()!.close();

    await isOver();
    await eventually(metric, (value) => value === '0');
    await node.mineKeyBlock();
    await populating.at(node.top().hash);
  });

  it('is no longer held when more nodes have the stored branch', async () => {
    const [other, node, third] = [await start(), await start(), await start()];
    const relay = await startRelay(third.externalUrl);
    closing = () => relay.shut();
    await relay.shut();
    await follow(node, other.externalUrl, node.externalUrl, relay.url);
    await other.fork(FORK);
    await isHeld();
    await followsSecond();

    await relay.open();

    await isOver();
    await node.grow(1);
    await populating.at(node.top().hash);
  });

  it('is no longer held when the node is back on the stored branch', async () => {
    const [node, other] = [await start(), await start()];
    const relay = await startRelay(node.externalUrl);
    closing = () => relay.shut();
    const stored = await follow(node, relay.url);
    await other.fork(FORK);

    relay.lead(other.externalUrl);
    await isHeld();
    relay.lead(node.externalUrl);

    await isOver();
    expect(await chainDump(populating.database)).to.deep.equal(stored);
    expect((await accept(other.top().hash)).status).to.equal(1);
  });

  it('is no longer held when the node is back on the stored branch, although it does not have the heights of a gap', async () => {
    const [node, other] = [await start(), await start()];
    const source = nodeAt(node.externalUrl);
    const relay = await startRelay(node.externalUrl);
    closing = () => relay.shut();
    schema = `held_${++count}`;
    const database = await emptyCopy(server.url, schema);
    const top = node.height();
    const heights = [
      { from: 0, to: 1 },
      { from: 3, to: top },
    ];
    expect(await replaceHeights({ database, node: source, heights })).to.deep.equal({ failed: [] });
    for (const each of [node, other]) each.misbehave({ status: 500, paths: '/(generations|key-blocks)/height/[12]$' });
    populating = populateInto(
      database,
      [relay.url],
      { checkMs: 100, demoteMs: 500 },
      { maxUnprovenReorg: { blocks: BOUND } },
    );
    api = await testApi(database, {}, { metrics: populating.metrics });
    await eventually(
      () => Promise.resolve(populating.log),
      (log) => log.some(({ msg }) => msg.startsWith('Failed to fill a gap')),
    );
    await other.fork(FORK);

    relay.lead(other.externalUrl);
    await isHeld();
    relay.lead(node.externalUrl);

    await isOver();
    expect(await gaps(database)).to.deep.equal([{ from: 2, to: 2 }]);
    source.close();
  });

  it('is applied at once when it is exactly as deep as the limit', async () => {
    const node = await start();
    await follow(node, node.externalUrl);

    await node.fork({ ...FORK, depth: BOUND });

    await populating.at(node.top().hash);
    expect(await status()).not.to.have.property('held_reorg');
  });
});
