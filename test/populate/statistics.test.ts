import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { verifyInBackground } from '../../src/populate/background.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { NO_WORK, silent, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { liveThrough } from '../support/histories.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { shareOf } from '../support/share.js';

/** Rates and miners of the recorded chain, as the dump has them, from the recording alone. */
function recordedStatistics(): { rates: [height: number, rate: number][]; miners: Map<string, number> } {
  const rates: [number, number][] = [];
  const miners = new Map<string, number>();
  const generations = recordedGenerations();
  for (const [height, { keyBlock, microBlocks }] of generations.entries()) {
    const { beneficiary, time } = JSON.parse(keyBlock) as { beneficiary: string; time: number };
    if (height > 0) miners.set(beneficiary, (miners.get(beneficiary) ?? 0) + 1);
    const last = microBlocks.at(-1);
    if (last === undefined || height === generations.length - 1) continue;
    const count = microBlocks.reduce(
      (sum, { transactions }) => sum + (JSON.parse(transactions) as { transactions: unknown[] }).transactions.length,
      0,
    );
    const seconds = ((JSON.parse(last.header) as { time: number }).time - time) / 1000;
    if (count > 0 && seconds > 0) rates.push([height, count / seconds]);
  }
  return { rates, miners };
}

describe('statistics of the chain', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;
  const node = recordedNode();

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    whole = await logicalDump(database);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  it('are those of the recording, and -v finds them right', async () => {
    const { rates, miners } = recordedStatistics();
    const { rows } = await database.query<{ height: string; rate: string }>({
      name: '',
      text: 'SELECT height, rate FROM generation_rates ORDER BY height',
    });
    expect(rows.map(({ height }) => Number(height))).to.deep.equal(rates.map(([height]) => height));
    for (const [i, { rate }] of rows.entries()) expect(Number(rate)).to.be.closeTo(rates[i]![1], 0.0051);
    const mined = await database.query<{ id: string; blocks: string }>({ name: '', text: 'SELECT * FROM miners' });
    expect(new Map(mined.rows.map(({ id, blocks }) => [id, Number(blocks)]))).to.deep.equal(miners);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('go with their blocks and come again with them, from the middle of a generation, too', async () => {
    for (const from of [keyPosition(100), keyPosition(58) + 65_536n, keyPosition(59)]) {
      await database.transaction((tx) => truncate(tx, from));
      expect(await differencesIn(database)).to.deep.equal([]);
      await syncFully(syncContext(database, node));
      expect(await logicalDump(database)).to.deep.equal(whole);
    }
  });

  it('are the same after heights were loaded again, and wrong ones are mended', async () => {
    await tamper(database, [
      'UPDATE generation_rates SET rate = 7 WHERE height = (SELECT min(height) FROM generation_rates)',
      'DELETE FROM generation_rates WHERE height = (SELECT max(height) FROM generation_rates)',
      'UPDATE miners SET blocks = blocks + 1',
      `INSERT INTO miners (id, blocks) VALUES ('ak_nobody', 3)`,
    ]);
    expect(new Set((await differencesIn(database)).map(({ table }) => table))).to.deep.equal(
      new Set(['generation_rates', 'miners']),
    );
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 10, to: 200 }] });
    expect(failed).to.deep.equal([]);
    const stopping = new AbortController();
    const metrics = createMetrics();
    const common = {
      database,
      node,
      logger: silent,
      metrics,
      signal: stopping.signal,
      fence: () => Promise.resolve(),
      mayWork: () => true,
    };
    const working = verifyInBackground({ ...common, share: 95, work: NO_WORK, acceptUnknownProtocol: true });
    await eventually(
      () => differencesIn(database),
      (left) => left.length === 0,
    ).finally(() => stopping.abort());
    await working;
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('come into a copy of an earlier version from what is stored, beside new blocks', async () => {
    await database.transaction((tx) => truncate(tx, keyPosition(150)));
    await tamper(database, [
      'DELETE FROM generation_rates',
      'DELETE FROM miners',
      `INSERT INTO backfills (projection, position) VALUES ('statistics', -1)`,
    ]);
    await syncFully(syncContext(database, node));
    expect(await differencesIn(database)).to.deep.equal([]);
    await fillAll(database);
    expect(await differencesIn(database)).to.deep.equal([]);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are those of a clean load after any history', async () => {
    for (const seed of shareOf([3, 11])) {
      const { lived, clean } = await liveThrough(server.url, seed, {});
      expect(lived['miners']).to.not.deep.equal([]);
      expect(lived['miners']).to.deep.equal(clean['miners']);
      expect(lived['generation_rates']).to.deep.equal(clean['generation_rates']);
    }
  });
});
