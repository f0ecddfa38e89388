import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verify } from '../../src/populate/verify.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { logicalDump } from '../support/dump.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations } from '../support/recording.js';

describe('the recorded chain in the database', () => {
  const top = recordedGenerations().length - 1;
  const node = recordedNode();
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;

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

  const verdicts = async (heights?: { from: number; to: number }[]): Promise<string[]> => {
    const bad: string[] = [];
    for await (const { height, ok, reason } of verify({ database, node, heights }))
      if (!ok) bad.push(`${height}: ${reason}`);
    return bad;
  };

  it('is stored completely, with every transaction decoded', async () => {
    expect(whole['key_blocks']).to.have.length(top + 1);
    expect(whole['transactions']!.length).to.equal(444);
    const { rows } = await database.query({
      name: 'test.invalid',
      text: 'SELECT hash FROM transactions WHERE NOT valid',
    });
    expect(rows).to.deep.equal([]);
    expect(await verdicts()).to.deep.equal([]);
  });

  it('is the same after blocks from any position on are removed and loaded again', async () => {
    for (const height of [top, top - 7, 150, 60, 11, 1]) {
      await database.transaction((tx) => truncate(tx, keyPosition(height)));
      await syncFully(syncContext(database, node));
      expect(await logicalDump(database), `from ${height}`).to.deep.equal(whole);
    }
  });

  it('is, with its head removed, the same as a load of the shorter chain', async () => {
    const shorter = await emptyCopy(server.url, 'shorter');
    await syncFully(syncContext(shorter, recordedNode(100)));
    await database.transaction((tx) => truncate(tx, keyPosition(101)));
    expect(await logicalDump(database)).to.deep.equal(await logicalDump(shorter));
    await shorter.close();
    await syncFully(syncContext(database, node));
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('is the same after every height is reloaded', async () => {
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: top }] });
    expect(failed).to.deep.equal([]);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('is the same when all heights are loaded into an empty copy, also while a populator runs', async () => {
    const copy = await emptyCopy(server.url, 'at_once');
    const beside = await emptyCopy(server.url, 'at_once');
    const told: number[] = [];
    const onHeight = (height: number): void => void told.push(height);
    const first = await replaceHeights({ database: beside, node, heights: [{ from: 0, to: 30 }], onHeight });
    // A populator must not use cached lists after `-H` has added to them.
    const populator = syncContext(copy, recordedNode(60));
    await syncFully(populator);
    const second = await replaceHeights({ database: beside, node, heights: [{ from: 61, to: 120 }], onHeight });
    await syncFully(syncContext(copy, node));
    expect([...first.failed, ...second.failed]).to.deep.equal([]);
    expect(told).to.deep.equal([...Array(31).keys(), ...Array.from({ length: 60 }, (_, i) => 61 + i)]);
    expect(await logicalDump(copy)).to.deep.equal(whole);
    await Promise.all([copy.close(), beside.close()]);
  });

  it('is the same when its heights are loaded in any order', async () => {
    const scattered = await emptyCopy(server.url, 'scattered');
    const heights = Array.from({ length: top + 1 }, (_, i) => (i * 97) % (top + 1));
    for (const height of heights) {
      const { failed } = await replaceHeights({ database: scattered, node, heights: [{ from: height, to: height }] });
      expect(failed).to.deep.equal([]);
    }
    expect(await logicalDump(scattered)).to.deep.equal(whole);
    await scattered.close();
  });

  it('is found to differ at the height of a changed byte, and mended at that height', async () => {
    const { rows } = await database.query<{ height: string }>({
      name: 'test.damage',
      text: `
        UPDATE transactions SET body = replace(body, '"nonce":', '"nonce":1')
        WHERE position = (SELECT position FROM transactions WHERE body LIKE '%"nonce":%' ORDER BY position OFFSET 200 LIMIT 1)
        RETURNING position >> 33 AS height`,
    });
    const height = Number(rows[0]!.height);
    expect(await verdicts())
      .to.have.length(1)
      .and.satisfy(([line]: string[]) => line!.startsWith(`${height}: transaction th_`));
    await replaceHeights({ database, node, heights: [{ from: height, to: height }] });
    expect(await verdicts()).to.deep.equal([]);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });
});
