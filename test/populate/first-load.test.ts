import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { NodePool } from '../../src/node/pool.js';
import { inBatches, readGenerations } from '../../src/populate/source.js';
import { goLive } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Block } from '../../src/store/facts/blocks.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { administer, emptyCopy, tamper } from '../support/roles.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const GENERATIONS = 150;

describe('the first load', () => {
  let devnode: Devnode;
  let node: NodePool;
  let server: TestDatabase;
  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'durable', generations: GENERATIONS, txsPerGeneration: 4 } },
    });
    node = nodeAt(devnode.externalUrl);
  });
  after(async () => {
    node.close();
    await devnode.close();
    await server.drop();
  });

  it('waits for the disk only near the head and while the head is followed', async () => {
    await waitForDisk(server);
    const database = await emptyCopy(server.url, 'durable');
    await noteCommits(database);
    const context = syncContext(database, node, { batch: { blocks: 40, transactions: 50, characters: Infinity } });
    await syncFully(context);
    const loaded = await notedCommits(database);
    await goLive(database);
    await devnode.grow(GENERATIONS);
    await syncFully(context);
    const followed = (await notedCommits(database)).slice(loaded.length);

    const top = loaded.at(-1)!.height;
    const isDeep = ({ height }: Noted): boolean => height <= top - 100;
    expect(loaded.filter(isDeep)).to.have.length.above(2);
    expect(new Set(loaded.filter(isDeep).map(({ waits }) => waits))).to.deep.equal(new Set(['off']));
    expect(new Set(loaded.filter((one) => !isDeep(one)).map(({ waits }) => waits))).to.deep.equal(new Set(['on']));
    expect(followed[0]!.height, 'deep below the head').to.be.below(2 * GENERATIONS - 100);
    expect(new Set(followed.map(({ waits }) => waits))).to.deep.equal(new Set(['on']));
    await database.close();
  });

  it('keeps no more text in memory than its limits allow, however long the transactions are', async () => {
    const generations = await collect(
      readGenerations(node, 0, 40, { generations: 64, transactions: 1_000, characters: Infinity }),
    );
    const total = generations.reduce((sum, blocks) => sum + charactersOf(blocks), 0);
    const largest = Math.max(...generations.map(charactersOf));
    const characters = Math.ceil(total / 5);
    const batches = await collect(inBatches(stream(generations), { blocks: 1_000, transactions: 1_000, characters }));
    const mostAhead = async (bound: number): Promise<number> => {
      let [asked, given, ahead] = [0, 0, 0];
      const counting: NodePool = {
        ...node,
        generation: (height) => {
          ahead = Math.max(ahead, ++asked - given);
          return node.generation(height);
        },
      };
      const window = { generations: 41, transactions: 1_000, characters: bound };
      const reading = readGenerations(counting, 0, 40, window);
      while ((await reading.next()).done !== true) given++;
      return ahead;
    };

    expect(batches.length).to.be.above(4);
    for (const batch of batches) expect(charactersOf(batch)).to.be.below(characters + largest);
    expect(await mostAhead(1e9)).to.be.above(20);
    expect(await mostAhead(characters / 2)).to.be.below(10);
  });
});

interface Noted {
  height: number;
  /** Whether the commit waits for the disk. */
  waits: string;
}

/** The database server of the tests does not wait for the disk in any commit. */
const waitForDisk = ({ url }: TestDatabase): Promise<void> =>
  administer(
    url,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
  );

const noteCommits = (database: Database): Promise<void> =>
  tamper(
    database,
    `CREATE TABLE noted (height bigint, waits text);
    GRANT SELECT, INSERT ON noted TO PUBLIC;
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO noted SELECT max(height), current_setting('synchronous_commit') FROM come;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note AFTER INSERT ON key_blocks REFERENCING NEW TABLE AS come
      FOR EACH STATEMENT EXECUTE FUNCTION note()`,
  );

async function notedCommits(database: Database): Promise<Noted[]> {
  const { rows } = await database.query<{ height: string; waits: string }>({
    name: 'test.noted',
    text: 'SELECT height, waits FROM noted ORDER BY height',
  });
  return rows.map(({ height, waits }) => ({ height: Number(height), waits }));
}

const charactersOf = (blocks: readonly Block[]): number =>
  blocks
    .flatMap((block) => (block.kind === 'micro' ? block.transactions : []))
    .reduce((sum, { transaction }) => sum + transaction.body.length, 0);

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
