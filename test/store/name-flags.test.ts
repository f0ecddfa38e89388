import { expect } from 'chai';
import type { NameRecord } from '../../src/chain/protocol/names.js';
import type { Database } from '../../src/store/connection/database.js';
import { saveRecords } from '../../src/store/write/name-state.js';
import { refreshFlags } from '../../src/store/write/refresh-flags.js';
import { emptyCopy } from '../support/roles.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const HEAD = 1000;

describe('flags of a name', () => {
  let server: TestDatabase;
  let copy: Database;
  let position = 0n;

  before(async () => {
    server = await testDatabase();
    copy = await emptyCopy(server.url);
    await addHead(HEAD);
  });
  after(async () => {
    await copy.close();
    await server.drop();
  });

  async function addHead(height: number): Promise<void> {
    await copy.query({
      name: 'test.head',
      text: `INSERT INTO key_blocks VALUES ($1::bigint, 'kh ' || $1::bigint, '', '', '', 0, 6, 0, '{}')`,
      values: [height],
    });
  }

  const record = (changes: Partial<NameRecord>): NameRecord => ({
    position: (position += 1n),
    name: `name${position}.chain`,
    nameHash: `nm_${position}`,
    txHash: 'th_',
    createdAtHeight: 500,
    auctionEndHeight: 500,
    owner: 'ak_',
    expiresAt: 5000,
    revokedAt: null,
    pointers: null,
    pointerIds: [],
    winningBid: 1n,
    winningBidder: 'ak_',
    bidPosition: position,
    ...changes,
  });

  async function flags(): Promise<string[]> {
    const { rows } = await copy.query<{ text: string }>({
      name: 'test.flags',
      text: `SELECT concat_ws(' ', CASE WHEN active THEN 'active' END, CASE WHEN running THEN 'running' END) AS text
        FROM names ORDER BY position`,
    });
    return rows.map(({ text }) => text);
  }

  const CASES: [string, Partial<NameRecord>, string, string][] = [
    ['claimed without an auction', {}, 'active', 'active'],
    ['in its last height', { expiresAt: HEAD }, 'active', ''],
    ['after its last height', { expiresAt: HEAD - 1 }, '', ''],
    ['revoked', { expiresAt: HEAD, revokedAt: HEAD }, '', ''],
    ['in the last height of its auction', { auctionEndHeight: HEAD }, 'active', 'active'],
    ['in an auction that ends next', { auctionEndHeight: HEAD + 1 }, 'running', 'active'],
    ['in an auction that continues', { auctionEndHeight: HEAD + 2 }, 'running', 'running'],
    ['without a fee offered', { auctionEndHeight: HEAD + 2, winningBid: null }, '', ''],
  ];

  it('are the same when its record is stored and when only the height changes', async () => {
    const saved = CASES.map(([, changes]) => record(changes));
    await copy.transaction((tx) => saveRecords(tx, saved));
    expect(await flags()).to.deep.equal(CASES.map(([, , now]) => now));
    await copy.transaction(refreshFlags);
    expect(await flags(), 'refreshed').to.deep.equal(CASES.map(([, , now]) => now));

    await addHead(HEAD + 1);
    await copy.transaction(refreshFlags);
    const next = CASES.map(([, , , later]) => later);
    expect(await flags(), 'a height later').to.deep.equal(next);
    await copy.transaction((tx) => saveRecords(tx, saved));
    expect(await flags(), 'stored there').to.deep.equal(next);
  });
});
