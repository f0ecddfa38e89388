import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { commitmentId, nameHash } from '../../src/chain/protocol/ids.js';
import { LOCKED_ACCOUNT } from '../../devtools/devnode/ledger/execution.js';
import { ALICE, BOB, CAROL, COIN, START, ledger, protocol } from '../support/ledger.js';
import type { Ledger } from '../support/ledger.js';

const FEE = 20_000_000_000_000n;
const SALT = 123;
/** 13 characters before the dot: not auctioned. */
const LONG = 'thirteenchars.chain';
const PRICE = 1_771_100_000_000_000_000n;

const preclaim = (name: string, account_id = ALICE, salt = SALT) => ({
  type: 'NamePreclaimTx',
  account_id,
  commitment_id: commitmentId(name, BigInt(salt)),
});
const claim = (name: string, name_fee: bigint | null = PRICE, account_id = ALICE, name_salt = SALT) => ({
  type: 'NameClaimTx',
  account_id,
  name,
  name_salt,
  ...(name_fee === null ? {} : { name_fee }),
});
const pointer = (id: string, key = 'account_pubkey') => ({ key, id, encoded_key: encodeId('ba', Buffer.from(key)) });
const update = (name: string, pointers: object[], name_ttl = 1000, account_id = ALICE) => ({
  type: 'NameUpdateTx',
  account_id,
  name_id: nameHash(name),
  name_ttl,
  client_ttl: 50,
  pointers: pointers as never,
});
const transfer = (name: string, recipient_id: string, account_id = ALICE) => ({
  type: 'NameTransferTx',
  account_id,
  name_id: nameHash(name),
  recipient_id,
});
const revoke = (name: string, account_id = ALICE) => ({ type: 'NameRevokeTx', account_id, name_id: nameHash(name) });

/** A ledger in generation 3, in which alice owns the name since generation 2. */
function withName(name = LONG, version = 6): Ledger {
  const made = ledger(protocol(version));
  made.apply(preclaim(name));
  made.goTo(2);
  made.apply(claim(name, version >= 4 ? PRICE : null));
  made.goTo(3);
  return made;
}

describe('names in the state machine', () => {
  it('are claimed after a key block has passed since the preclaim, with the same salt by the same account', () => {
    const made = ledger(protocol(6));
    made.apply(preclaim(LONG));
    expect(made.refusal(preclaim(LONG, BOB))).to.equal('commitment_already_present');
    expect(made.refusal(claim(LONG))).to.equal('commitment_delta_too_small');
    made.goTo(2);
    expect(made.refusal(claim(LONG, PRICE, ALICE, SALT + 1))).to.equal('name_not_preclaimed');
    expect(made.refusal(claim(LONG, PRICE, BOB))).to.equal('commitment_not_owned');
    expect(made.refusal(claim(LONG, PRICE - 1n))).to.equal('invalid_name_fee');
    made.apply(claim(LONG));
    expect(made.state.name(nameHash(LONG))).to.deep.include({
      owner: ALICE,
      status: 'claimed',
      expires: 180_002,
      pointers: [],
    });
    expect(made.balance(LOCKED_ACCOUNT)).to.equal(PRICE);
    expect(made.balance(ALICE)).to.equal(START - 2n * FEE - PRICE);
    expect(made.refusal(claim(LONG, PRICE, ALICE, 0))).to.equal('name_already_taken');
  });

  it('can be preclaimed for 300 generations', () => {
    const [last, late] = [ledger(protocol(6)), ledger(protocol(6))];
    for (const made of [last, late]) made.apply(preclaim(LONG));
    last.goTo(301);
    last.apply(claim(LONG));
    late.goTo(302);
    expect(late.refusal(claim(LONG))).to.equal('name_not_preclaimed');
  });

  it('do not need a preclaim from Ceres on', () => {
    const made = ledger(protocol(6));
    made.apply(claim(LONG, PRICE, ALICE, 0));
    expect(made.state.name(nameHash(LONG))?.owner).to.equal(ALICE);
    expect(ledger(protocol(5)).refusal(claim(LONG, PRICE, ALICE, 0))).to.equal('name_not_in_auction');
  });

  it('end in .test, last 50000 generations and are never auctioned under the early rules', () => {
    const made = ledger({ profile: 'early' });
    made.apply(preclaim('ab.test'));
    made.goTo(2);
    expect(made.refusal(claim(LONG, null))).to.equal('invalid_registrar');
    made.apply(claim('ab.test', null));
    expect(made.state.name(nameHash('ab.test'))).to.deep.include({ owner: ALICE, expires: 50_002 });
    expect(made.refusal(update('ab.test', [], 50_001))).to.equal('ttl_too_high');
    expect(ledger(protocol(6)).refusal(claim('ab.test'))).to.equal('invalid_registrar');
  });

  it('point to accounts while they are claimed: spends and transfers to them resolve when they are executed', () => {
    const made = withName();
    const spend = { type: 'SpendTx', sender_id: ALICE, recipient_id: nameHash(LONG), amount: 5 };
    expect(made.refusal(spend)).to.equal('pointer_id_not_found');
    made.apply(update(LONG, [pointer(BOB), pointer(CAROL, 'other')]));
    expect(made.state.name(nameHash(LONG))).to.deep.include({ expires: 1003 });
    made.apply(spend);
    expect(made.balance(BOB)).to.equal(START + 5n);
    made.apply(transfer(LONG, nameHash(LONG)));
    expect(made.state.name(nameHash(LONG))?.owner).to.equal(BOB);
    expect(made.refusal(revoke(LONG))).to.equal('name_not_owned');
    made.apply(revoke(LONG, BOB));
    expect(made.refusal(spend)).to.equal('pointer_id_not_found');
  });

  it('may have 32 different pointers, with keys of 256 bytes, and data of 1024 bytes from Ceres on', () => {
    const made = withName();
    const many = Array.from({ length: 32 }, (_, i) => pointer(BOB, `key ${i}`));
    made.apply(update(LONG, many));
    expect(made.refusal(update(LONG, [...many, pointer(BOB, 'more')]))).to.equal('invalid_pointers');
    expect(made.refusal(update(LONG, [pointer(BOB), pointer(ALICE)]))).to.equal('invalid_pointers');
    expect(made.refusal(update(LONG, [pointer(BOB, 'k'.repeat(257))]))).to.equal('invalid_pointers');
    made.apply({ ...update(LONG, [pointer(encodeId('ba', Buffer.alloc(1024)))]), version: 2 });
    expect(made.refusal({ ...update(LONG, [pointer(encodeId('ba', Buffer.alloc(1025)))]), version: 2 })).to.equal(
      'invalid_pointers',
    );
    const older = withName(LONG, 5);
    expect(older.refusal({ ...update(LONG, [pointer(encodeId('ba', Buffer.alloc(1)))]), version: 2 })).to.equal(
      'invalid_at_protocol',
    );
  });

  it('are protected for 2016 generations after a revoke, then free', () => {
    const made = withName();
    made.apply(revoke(LONG));
    expect(made.state.name(nameHash(LONG))).to.deep.include({ status: 'revoked', expires: 3 + 2016 });
    expect(made.refusal(revoke(LONG))).to.equal('name_revoked');
    made.goTo(2019);
    expect(made.refusal(claim(LONG, PRICE, BOB, 0))).to.equal('name_already_taken');
    made.goTo(2020);
    expect(made.state.name(nameHash(LONG))).to.equal(undefined);
    made.apply(claim(LONG, PRICE, BOB, 0));
  });

  it('expire after their last generation, and are protected then', () => {
    const made = withName();
    made.apply(update(LONG, [pointer(BOB)], 10));
    made.goTo(13);
    expect(made.state.name(nameHash(LONG))?.status).to.equal('claimed');
    made.goTo(14);
    expect(made.state.name(nameHash(LONG))).to.deep.include({ status: 'revoked', expires: 13 + 2016 });
    made.goTo(13 + 2017);
    expect(made.state.name(nameHash(LONG))).to.equal(undefined);
  });
});

describe('auctions in the state machine', () => {
  const SHORT = 'twelvechars1.chain';
  const FIRST = 2_865_700_000_000_000_000n;

  it('give a short name to the highest bidder, whose bid is locked; others get their coins back immediately', () => {
    const made = ledger(protocol(6));
    made.apply(claim(SHORT, FIRST, ALICE, 0));
    expect(made.state.name(nameHash(SHORT))).to.equal(undefined);
    expect(made.state.auction(nameHash(SHORT))).to.deep.include({
      bidder: ALICE,
      bid: FIRST,
      startedAt: 1,
      endsAt: 481,
    });
    expect(made.refusal(claim(SHORT, (FIRST * 105n) / 100n - 1n, BOB, 0))).to.equal('name_fee_increment_too_low');
    expect(made.refusal(claim(SHORT, 2n * FIRST, BOB, 7))).to.equal('name_already_in_auction');
    made.goTo(5);
    made.apply(claim(SHORT, (FIRST * 105n) / 100n, BOB, 0));
    expect(made.balance(ALICE)).to.equal(START - FEE);
    expect(made.state.auction(nameHash(SHORT))).to.deep.include({ bidder: BOB, startedAt: 5, endsAt: 481 });
    made.goTo(481);
    made.apply(claim(SHORT, 2n * FIRST, CAROL, 0));
    expect(made.state.auction(nameHash(SHORT))?.endsAt).to.equal(481 + 240);
    expect(made.balance(LOCKED_ACCOUNT)).to.equal(0n);
    made.goTo(722);
    expect(made.state.auction(nameHash(SHORT))).to.equal(undefined);
    expect(made.state.name(nameHash(SHORT))).to.deep.include({ owner: CAROL, expires: 721 + 180_000 });
    expect(made.balance(LOCKED_ACCOUNT)).to.equal(2n * FIRST);
  });

  it('last as long as label and protocol require, and start again with every bid before Ceres', () => {
    const ends = (name: string, version: number, fee: bigint): number => {
      const made = ledger(protocol(version));
      made.apply(preclaim(name));
      made.goTo(2);
      made.apply(claim(name, fee));
      made.goTo(10);
      const first = made.state.auction(nameHash(name))!.endsAt;
      made.apply(claim(name, 2n * fee, BOB, 0));
      expect(made.state.auction(nameHash(name))!.endsAt).to.equal(version < 6 ? first + 8 : first);
      return first - 2;
    };
    expect(ends('abcd.chain', 6, 135n * COIN)).to.equal(2_400);
    expect(ends('abcdefgh.chain', 6, 20n * COIN)).to.equal(960);
    expect(ends('abcdefghi.chain', 6, 13n * COIN)).to.equal(480);
    expect(ends('abcd.chain', 4, 135n * COIN)).to.equal(29_760);
    expect(ends('abcdefgh.chain', 5, 20n * COIN)).to.equal(14_880);
    expect(ends('abcdefghi.chain', 5, 13n * COIN)).to.equal(480);
  });
});
