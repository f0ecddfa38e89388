/** Faults in the load of a chain while one batch waits for its commit and the next one has been read ahead. */
import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { holdCommits } from '../support/held-commits.js';
import type { HeldCommits } from '../support/held-commits.js';
import { startNotingProxy } from '../support/noted-requests.js';
import type { NotingProxy } from '../support/noted-requests.js';
import { chainDump, cleanDump, populateInto } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually, startPopulator } from '../support/populator.js';
import { GIVE_UP_MS } from '../support/patience.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { asRole, emptyCopy, openCopy } from '../support/roles.js';

/** About 600 blocks, of which the first batches have 125, 250 and the rest. */
const GENERATIONS = 300;
/** The first batch ends at about height 60, the second one at about 185. */
const NOT_IN_FIRST = 100;
/** While the first batch waits for its commit, heights from here on are only asked for if the second one is read. */
const ONLY_AHEAD = 200;
/** Only a node that has stopped needs longer. */
const TIMEOUT_MS = Math.ceil(GIVE_UP_MS / 5);

describe('a fault while one batch is committed and the next one is read ahead', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let relay: Relay;
  let proxy: NotingProxy;
  let commits: HeldCommits;

  beforeEach(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: { seed: 'ahead', generations: GENERATIONS, microBlocksPerGeneration: 1, txsPerGeneration: 1 },
      },
    });
    relay = await startRelay(devnode.externalUrl);
    proxy = await startNotingProxy(relay.url);
  });
  afterEach(async () => {
    proxy.close();
    await relay.shut();
    await devnode.close();
    await server.drop();
  });

  /** Holds the first commit of what is started, and resolves when the second batch is being read behind it. */
  const held = async <T>(start: () => T): Promise<T> => {
    commits = await holdCommits(server.url, 'mdw');
    const started = start();
    await eventually(commits.isReached, (is) => is);
    await eventually(
      () => Promise.resolve(heightsAsked(proxy)),
      (heights) => heights.some((height) => height >= ONLY_AHEAD),
    );
    return started;
  };

  const populateCopy = (database: Database): Populating =>
    populateInto(
      database,
      [proxy.url],
      { timeoutMs: TIMEOUT_MS },
      { maxUnprovenReorg: { blocks: Infinity }, leaseSeconds: 60 },
    );
  /** Loads on to the node's head, and compares the copy with a clean one. */
  const endsAsClean = async (populating: Populating): Promise<void> => {
    await populating.at(devnode.top().hash);
    const lived = await chainDump(populating.database);
    await populating.stop();
    const clean = await cleanDump(server, 'clean', devnode.externalUrl);
    for (const [table, rows] of Object.entries(clean)) expect(lived[table], table).to.deep.equal(rows);
  };
  const heightOf = async (database: Database): Promise<number> => (await readHead(database))?.height ?? -1;

  it('stores what was read when the node goes away, and loads on when it is back', async () => {
    const database = await emptyCopy(server.url);
    const populating = await held(() => populateCopy(database));
    await relay.shut();
    await commits.release();
    await populating.inState('node_unreachable');
    expect(await heightOf(database))
      .to.be.above(NOT_IN_FIRST)
      .and.below(GENERATIONS);
    await relay.open();
    await endsAsClean(populating);
  });

  it('stores nothing more once it is stopped', async () => {
    const database = await emptyCopy(server.url);
    const populating = await held(() => populateCopy(database));
    const stopped = populating.stop();
    await commits.release();
    await stopped;
    const again = openCopy(server.url);
    expect(await heightOf(again)).to.be.below(NOT_IN_FIRST);
    await endsAsClean(populateCopy(again));
  });

  it('ends on the new branch when the node replaces what was read', async () => {
    const database = await emptyCopy(server.url);
    const populating = await held(() => populateCopy(database));
    const depth = GENERATIONS - NOT_IN_FIRST;
    await devnode.fork({ depth, grow: depth + 1, retainTxs: 'all' });
    await commits.release();
    await endsAsClean(populating);
  });

  it('reads again what the database lost when the commit fails', async () => {
    const database = await emptyCopy(server.url);
    const populating = await held(() => populateCopy(database));
    expect(await commits.terminate()).to.equal(1);
    await eventually(
      () => Promise.resolve(populating.log),
      (log) => log.some(({ msg }) => msg === 'Stopped populating, will try again'),
    );
    expect(await heightOf(database), 'the second batch does not come before the first').to.equal(-1);
    await commits.release();
    await endsAsClean(populating);
  });

  it('loses nothing when the populator is killed with -9', async () => {
    const database = await emptyCopy(server.url);
    const env = {
      NODE_URL: proxy.url,
      NODE_TIMEOUT_MS: String(TIMEOUT_MS),
      DATABASE_URL: asRole(server.url, 'populate'),
      LOG_LEVEL: 'warn',
    };
    const killed = await held(() => startPopulator(env));
    await killed.end('SIGKILL');
    await commits.release();
    await endsAsClean(populateCopy(database));
  });
});

const heightsAsked = ({ noted }: NotingProxy): number[] =>
  noted.flatMap(({ path }) => {
    const height = /\/generations\/height\/(\d+)/.exec(path)?.[1];
    return height === undefined ? [] : [Number(height)];
  });
