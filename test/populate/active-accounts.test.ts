/** Accounts that transactions name, by parts of the chain: they follow from the chain alone, whatever happened to the copy. */
import { expect } from 'chai';
import { heightOf, keyPosition } from '../../src/chain/position.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { countActiveAccounts } from '../../src/populate/active-accounts.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { activeAccounts } from '../../src/store/projections/active-accounts.js';
import { truncate } from '../../src/store/write/truncate.js';
import { silent, syncContext, syncFully } from '../support/copy.js';
import { countAccounts, differencesIn } from '../support/filled.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import type { Recording } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

type Row = Record<'upto' | 'in_day' | 'in_week' | 'in_month', string | number>;

async function stored(database: Database): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: 'test.active-accounts',
    text: 'SELECT * FROM active_accounts ORDER BY upto',
  });
  return rows;
}

const wrongParts = activeAccounts.wholeChecks![0]!;

const SIZE = 7;

for (const of of ['realnode', 'realnode-tokens', 'realnode-hyperchain'] as Recording[]) {
  describe(`accounts that transactions name by parts, of the recording ${of}`, () => {
    let server: TestDatabase;
    let database: Database;
    let whole: Row[];
    const node = recordedNode(undefined, of);

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      await syncFully(syncContext(database, node));
      await countAccounts(database, SIZE);
      whole = await stored(database);
      expect(whole).to.have.length.above(3);
    });
    after(async () => {
      await database.close();
      await server.drop();
    });

    async function same(): Promise<void> {
      await countAccounts(database, SIZE);
      expect(await stored(database)).to.deep.equal(whole);
      expect(await wrongParts(database)).to.deep.equal([]);
    }

    it('go with removed blocks that they reach, in the same commit, and are counted again', async () => {
      for (const height of [heightOf(BigInt(whole[2]!.upto)), heightOf(BigInt(whole.at(-1)!.upto)), 5]) {
        await database.transaction((tx) => truncate(tx, keyPosition(height)));
        const left = await stored(database);
        // Those stay that a block below says to be over.
        expect(left).to.deep.equal(whole.filter(({ upto }) => BigInt(upto) <= keyPosition(height - 1)));
        expect(await wrongParts(database)).to.deep.equal([]);
        await syncFully(syncContext(database, node));
        await same();
      }
    });

    it('are counted again where heights are loaded again', async () => {
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 5, to: 50 }] });
      expect(failed).to.deep.equal([]);
      expect(await stored(database)).to.deep.equal(whole.filter(({ upto }) => BigInt(upto) <= keyPosition(4)));
      await same();
    });

    it('are counted beside following, also where a fault came between, and not before lists are filled', async () => {
      await tamper(database, [
        'DELETE FROM active_accounts',
        `INSERT INTO backfills (projection, position) VALUES ('entries-of-oracle-answers', -1)`,
      ]);
      const stopping = new AbortController();
      const metrics = createMetrics();
      let fences = 0;
      let looks = 0;
      const counting = countActiveAccounts({
        database,
        logger: silent,
        metrics,
        mayWork: () => ++looks > 1,
        // The lease may be gone for a moment.
        fence: () => (++fences % 3 === 0 ? Promise.reject(new Error('no lease')) : Promise.resolve()),
        signal: stopping.signal,
        size: SIZE,
        pauseMs: 1,
      });
      try {
        await eventually(
          () => Promise.resolve(looks),
          (seen) => seen > 4,
        );
        expect([fences, (await stored(database)).length]).to.deep.equal([0, 0]);
        await tamper(database, `DELETE FROM backfills WHERE projection = 'entries-of-oracle-answers'`);
        await eventually(
          () => stored(database),
          (rows) => rows.length === whole.length,
        );
      } finally {
        stopping.abort();
        await counting;
      }
      await same();
    });
  });
}

/** Generations of half a day, whose micro blocks are before and after midnight. */
const generation = (day: number, hours: number, senders: readonly string[]) => ({
  time: Math.round(Date.UTC(2024, 0, day) + hours * 3_600_000),
  microBlocks: senders.map((sender) => [{ sender: madeHash('ak', sender) }]),
});

const FOUR_DAYS = madeBlocks([
  {},
  ...[30, 31, 32, 33].map((day) => generation(day, 1, ['alice', 'carol'])),
  generation(34, 1, []),
]);

describe('parts that end at midnight', () => {
  let seeded: SeededDatabase;

  beforeEach(async () => {
    seeded = await emptyDatabase();
  });
  afterEach(() => seeded.drop());

  const RUNNING = 23 + 3_596 / 3_600;

  it('are not over before a key block says so, because its time may put the blocks before it into the day before', async () => {
    const { database } = seeded;
    // The second micro block is after midnight by its own time.
    const first = madeBlocks([{}, generation(30, RUNNING, ['alice', 'carol', 'dave'])]);
    await append(database, null, first);
    await countAccounts(database);
    expect(await stored(database)).to.deep.equal([]);
    const last = madeHash('mh', '1/2');
    await append(database, last, madeBlocks([generation(31, 1, ['alice'])], 2, last));
    await countAccounts(database);
    const found = await stored(database);
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.deep.include({ in_day: 2, in_week: 2, in_month: 2 });
    await database.transaction((tx) => truncate(tx, keyPosition(2)));
    expect(await stored(database)).to.deep.equal([]);
    // The key block that comes instead is before midnight: so is all that came before it.
    await append(database, last, madeBlocks([generation(30, RUNNING, []), generation(31, 2, ['alice'])], 2, last));
    await countAccounts(database);
    expect((await stored(database)).map(({ upto, in_day: day }) => [String(upto), day])).to.deep.equal([
      [String(keyPosition(3)), 4],
    ]);
  });

  it('count an account once in a day, a week and a month', async () => {
    const { database } = seeded;
    // 2024-02-01 was a Thursday: a week and a month begin.
    await append(database, null, FOUR_DAYS);
    await countAccounts(database);
    const counts = (await stored(database)).map((row) => [row.in_day, row.in_week, row.in_month]);
    expect(counts).to.deep.equal([
      [3, 3, 3],
      [3, 0, 0],
      [3, 3, 3],
      [3, 0, 0],
    ]);
    await tamper(database, 'DELETE FROM active_accounts');
    await countAccounts(database, 1);
    const parts = (await stored(database)).map((row) => [row.in_day, row.in_week, row.in_month]);
    expect(parts).to.deep.equal(counts);
  });

  for (const spoil of [
    'UPDATE active_accounts SET in_day = in_day + 1 WHERE upto = (SELECT max(upto) FROM active_accounts)',
    'UPDATE active_accounts SET in_week = in_week - 1 WHERE upto = (SELECT min(upto) FROM active_accounts)',
    'UPDATE active_accounts SET in_month = 7 WHERE in_month = 0',
    'UPDATE active_accounts SET upto = upto + 1 WHERE upto = (SELECT max(upto) FROM active_accounts)',
    'DELETE FROM active_accounts WHERE upto = (SELECT min(upto) FROM active_accounts)',
    'INSERT INTO active_accounts VALUES (9223372036854775807, 0, 0, 0)',
  ])
    it(`are found to be wrong by verification, and mended: ${spoil}`, async () => {
      const { database } = seeded;
      await append(database, null, FOUR_DAYS);
      await countAccounts(database);
      const before = await stored(database);
      await tamper(database, spoil);
      const found = await wrongParts(database);
      expect(found).to.have.length.above(0);
      expect((await differencesIn(database)).map(({ table }) => table)).to.include('active_accounts');
      const fence = () => Promise.resolve();
      await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
      expect(await stored(database)).to.deep.equal(before);
      expect(await wrongParts(database)).to.deep.equal([]);
    });
});
