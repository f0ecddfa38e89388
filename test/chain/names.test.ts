import { expect } from 'chai';
import fc from 'fast-check';
import { nameHash } from '../../src/chain/protocol/ids.js';
import { auctionLength } from '../../src/chain/protocol/name-rules.js';
import { accountPointer, applyName, oraclePointer } from '../../src/chain/protocol/names.js';
import { CERES, IRIS, LIMA } from '../../src/chain/protocol/versions.js';
import type { NameRecord, ChainContext } from '../../src/chain/protocol/names.js';
import type { NameOperation } from '../../src/chain/operations.js';
import { keyPosition } from '../../src/chain/position.js';

const ROMA = 1;

const place = (height: number, version: number): ChainContext => ({
  position: keyPosition(height) + 1n,
  height,
  version,
  txHash: `th_${height}`,
});

const unknown = (): undefined => undefined;

/** Applies operations, each at a height, to an unclaimed name. */
function life(
  version: number,
  steps: [height: number, op: NameOperation][],
  resolve: typeof unknown | (() => string) = unknown,
) {
  return steps.reduce<NameRecord[]>(
    (records, [height, op]) => applyName(records, op, place(height, version), resolve),
    [],
  );
}

const on = (name: string) => {
  const name_hash = nameHash(name);
  return {
    claim: (owner: string, salt: bigint, fee: bigint | null = 10n): NameOperation => ({
      on: 'name',
      op: 'claim',
      name_hash,
      name,
      owner,
      salt,
      fee,
    }),
    update: (ttl: number, ...ids: string[]): NameOperation => ({
      on: 'name',
      op: 'update',
      name_hash,
      ttl,
      pointers: JSON.stringify(ids.map((id) => ({ key: 'account_pubkey', id }))),
      pointerIds: ids,
    }),
    transfer: (recipient: string): NameOperation => ({ on: 'name', op: 'transfer', name_hash, recipient }),
    revoke: (): NameOperation => ({ on: 'name', op: 'revoke', name_hash }),
  };
};

const long = on('Thirteenchars.chain');
const short = on('tenletters.chain');
const old = on('short.test');

describe('a name without auction', () => {
  it('belongs to its claimer immediately, for 180000 generations from Iris on', () => {
    expect(life(CERES, [[100, long.claim('ak_A', 5n)]])).to.deep.equal([
      {
        position: keyPosition(100) + 1n,
        name: 'thirteenchars.chain',
        nameHash: nameHash('thirteenchars.chain'),
        txHash: 'th_100',
        createdAtHeight: 100,
        auctionEndHeight: 100,
        owner: 'ak_A',
        expiresAt: 180100,
        revokedAt: null,
        pointers: null,
        pointerIds: [],
        winningBid: 10n,
        winningBidder: 'ak_A',
        bidPosition: keyPosition(100) + 1n,
      },
    ]);
  });

  it('lasts 50000 generations before Iris and has no bid before Lima', () => {
    const [record] = life(ROMA, [[100, old.claim('ak_A', 5n, null)]]);
    expect(record).to.include({ auctionEndHeight: 100, expiresAt: 50100, winningBid: null, winningBidder: null });
    expect(life(LIMA, [[100, long.claim('ak_A', 5n)]])[0]).to.include({ expiresAt: 50100 });
    expect(life(IRIS, [[100, long.claim('ak_A', 5n)]])[0]).to.include({ expiresAt: 180100 });
  });

  it('gets pointers and a new expiry by an update', () => {
    const [record] = life(CERES, [
      [100, long.claim('ak_A', 5n)],
      [110, long.update(50, 'ak_B', 'ak_C')],
    ]);

    expect(record).to.deep.include({
      expiresAt: 160,
      pointerIds: ['ak_B', 'ak_C'],
      owner: 'ak_A',
      createdAtHeight: 100,
    });
    expect(record!.pointers).to.equal('[{"key":"account_pubkey","id":"ak_B"},{"key":"account_pubkey","id":"ak_C"}]');
    expect(accountPointer(record!), 'the first entry wins').to.equal('ak_B');
    expect(oraclePointer(record!)).to.equal(undefined);
  });

  it('keeps pointers and expiry when it is transferred', () => {
    const [record] = life(CERES, [
      [100, long.claim('ak_A', 5n)],
      [110, long.update(50, 'ak_B')],
      [120, long.transfer('ak_C')],
    ]);

    expect(record).to.deep.include({ owner: 'ak_C', expiresAt: 160, pointerIds: ['ak_B'] });
  });

  it('is transferred to the account that a name points to, or to that name if it is not known', () => {
    const steps: [number, NameOperation][] = [
      [100, long.claim('ak_A', 5n)],
      [120, long.transfer('nm_friend')],
    ];

    expect(life(CERES, steps, () => 'ak_friend')[0]).to.include({ owner: 'ak_friend' });
    expect(life(CERES, steps)[0]).to.include({ owner: 'nm_friend' });
  });

  it('is not valid from the block that revokes it', () => {
    const [record] = life(CERES, [
      [100, long.claim('ak_A', 5n)],
      [130, long.revoke()],
    ]);

    expect(record).to.include({ revokedAt: 130, expiresAt: 130 });
  });

  it('gets a new record when it is claimed again, and the old one does not change', () => {
    const before = life(CERES, [
      [100, long.claim('ak_A', 5n)],
      [130, long.revoke()],
    ]);

    const after = applyName(
      applyName(before, long.claim('ak_B', 0n), place(3000, CERES), unknown),
      long.update(9, 'ak_C'),
      place(3001, CERES),
      unknown,
    );

    expect(after).to.have.length(2);
    expect(after[0]).to.deep.equal(before[0]);
    expect(after[1]).to.deep.include({ owner: 'ak_B', createdAtHeight: 3000, expiresAt: 3010, pointerIds: ['ak_C'] });
  });

  it('does not get a record if its claim is not known', () => {
    expect(life(CERES, [[110, long.update(50)]])).to.deep.equal([]);
    expect(life(CERES, [[110, long.revoke()]])).to.deep.equal([]);
  });
});

describe('a name in auction', () => {
  it('runs as long as its label and the protocol version require', () => {
    const cases = [
      ['abcd.chain', LIMA, 29760],
      ['abcd.chain', CERES, 2400],
      ['abcde.chain', IRIS, 14880],
      ['abcdefgh.chain', CERES, 960],
      ['abcdefghi.chain', IRIS, 480],
      ['abcdefghijkl.chain', CERES, 480],
      ['abcdefghijklm.chain', CERES, 0],
      ['abcd.chain', 3, 0],
      ['abcd.test', CERES, 0],
      // xn--bcd-9na: 11 characters.
      ['äbcd.chain', CERES, 480],
    ] as const;
    for (const [name, version, length] of cases)
      expect(auctionLength(name, version), `${name} ${version}`).to.equal(length);
  });

  it('belongs to the highest bidder after the end of the auction', () => {
    const [record] = life(CERES, [
      [100, short.claim('ak_A', 5n, 10n)],
      [200, short.claim('ak_B', 0n, 11n)],
    ]);

    expect(record).to.include({ owner: 'ak_B', winningBidder: 'ak_B', winningBid: 11n, txHash: 'th_100' });
    expect(record).to.include({ auctionEndHeight: 580, expiresAt: 180580, bidPosition: keyPosition(200) + 1n });
  });

  it('is extended by the whole length with each bid before Ceres', () => {
    expect(
      life(LIMA, [
        [100, short.claim('ak_A', 5n)],
        [200, short.claim('ak_B', 0n)],
      ])[0],
    ).to.include({ auctionEndHeight: 680, expiresAt: 50680 });
  });

  it('is extended to 240 generations after the bid from Ceres on', () => {
    expect(
      life(CERES, [
        [100, short.claim('ak_A', 5n)],
        [500, short.claim('ak_B', 0n)],
      ])[0],
    ).to.include({ auctionEndHeight: 740 });
  });

  it('accepts a bid in its last generation, and a later claim is a new first claim', () => {
    const claimed: [number, NameOperation] = [100, short.claim('ak_A', 5n)];

    expect(life(CERES, [claimed, [580, short.claim('ak_B', 0n)]])).to.have.length(1);
    expect(life(CERES, [claimed, [581, short.claim('ak_B', 0n)]])).to.have.length(2);
  });

  it('starts with a claim of salt 0 when none is running (Ceres)', () => {
    const [record] = life(CERES, [[100, short.claim('ak_A', 0n)]]);
    expect(record).to.include({ createdAtHeight: 100, auctionEndHeight: 580, owner: 'ak_A' });
  });
});

describe('folding the operations of a name', () => {
  const operation = fc.oneof(
    fc
      .tuple(fc.constantFrom('ak_A', 'ak_B'), fc.constantFrom(0n, 7n), fc.bigInt(1n, 99n))
      .map(([owner, salt, fee]) => short.claim(owner, salt, fee)),
    fc.nat(500).map((ttl) => short.update(ttl, 'ak_C')),
    fc.constantFrom('ak_C', 'nm_x').map((recipient) => short.transfer(recipient)),
    fc.constant(short.revoke()),
  );
  const steps = fc.array(fc.tuple(fc.nat(400), operation), { maxLength: 12 }).map((list) => {
    let height = 0;
    return list.map(([distance, op]): [number, NameOperation] => [(height += distance), op]);
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(LIMA, CERES), (list, version) => {
        let records: NameRecord[] = [];
        for (const [height, op] of list) {
          const before = structuredClone(records);
          const next = applyName(records, op, place(height, version), () => 'ak_D');
          expect(records).to.deep.equal(before);
          records = next;
        }
      }),
    );
  });

  it('returns the same from stored records as from the start', () => {
    fc.assert(
      fc.property(steps, fc.nat(12), (list, at) => {
        const stored = structuredClone(life(CERES, list.slice(0, at)));
        const resumed = list
          .slice(at)
          .reduce<NameRecord[]>(
            (records, [height, op]) => applyName(records, op, place(height, CERES), unknown),
            stored,
          );
        expect(resumed).to.deep.equal(life(CERES, list));
      }),
    );
  });
});
