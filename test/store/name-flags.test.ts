import { expect } from 'chai';
import type { NameRecord } from '../../src/chain/protocol/names.js';
import { setFlags } from '../../src/chain/recompute/names.js';
import type { NameRow } from '../../src/chain/recompute/names.js';
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
    ['claimed without an auction in the head', { createdAtHeight: HEAD, auctionEndHeight: HEAD }, 'active', 'active'],
    ['after the last height of its auction', { auctionEndHeight: HEAD - 1 }, 'active', 'active'],
    ['in the last height of its auction', { auctionEndHeight: HEAD }, 'running', 'active'],
    ['in an auction that ends next', { auctionEndHeight: HEAD + 1 }, 'running', 'running'],
    ['in an auction that continues', { auctionEndHeight: HEAD + 2 }, 'running', 'running'],
    ['without a fee offered', { auctionEndHeight: HEAD + 2, winningBid: null }, '', ''],
  ];

  it('are recomputed by the verification as they are stored', () => {
    const recomputed = (height: number): string[] =>
      CASES.map(([, changes]) => {
        const { createdAtHeight, auctionEndHeight, expiresAt, revokedAt, winningBid } = record(changes);
        const row = {
          created_at_height: BigInt(createdAtHeight),
          auction_end_height: BigInt(auctionEndHeight),
          expires_at: BigInt(expiresAt),
          revoked_at: revokedAt === null ? null : BigInt(revokedAt),
          winning_bid: winningBid,
        } as NameRow;
        setFlags(row, BigInt(height));
        return [row.active ? 'active' : '', row.running ? 'running' : ''].join(' ').trim();
      });
    expect(recomputed(HEAD)).to.deep.equal(CASES.map(([, , now]) => now));
    expect(recomputed(HEAD + 1)).to.deep.equal(CASES.map(([, , , later]) => later));
  });

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
