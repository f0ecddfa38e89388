import { expect } from 'chai';
import { withPrefix } from '../../../src/chain/encoding/encoding.js';
import { creationsIn } from '../../../src/chain/money/creations.js';
import { readNodeMoney, writeNodeMoney } from '../../../src/chain/money/node-money.js';
import type { NodeOperation } from '../../../src/chain/money/node-operations.js';
import { contractId } from '../../../src/chain/protocol/ids.js';
import { recordedChildren, recordedNodeBlocks } from '../../support/recorded-money.js';

/** Contracts that calls created, by the transaction. */
const CHILDREN = new Map<string, string[]>();
for (const [id, hash] of Object.entries(recordedChildren)) CHILDREN.set(hash, [...(CHILDREN.get(hash) ?? []), id]);

const ALL = [...recordedNodeBlocks('realnode-tokens').values()].flatMap(({ transactions }) => [...transactions]);

describe('contracts that contracts created, in the operations of a node', () => {
  it('are those of a recorded chain, each in its transaction, and no others', () => {
    const found = ALL.flatMap(([hash, operations]) => {
      const ids = creationsIn(operations).map(({ contract }) => contract);
      return ids.length === 0 ? [] : [[hash, ids.sort()] as const];
    });
    expect(CHILDREN.size).to.be.above(8);
    expect(new Map(found)).to.deep.equal(new Map([...CHILDREN].map(([hash, ids]) => [hash, ids.sort()])));
  });

  it('have the number by which their id follows from that of their creator, and the coins that they were given', () => {
    const amounts = new Set<bigint>();
    for (const [hash, operations] of ALL) {
      const creations = creationsIn(operations);
      for (const { contract, creator, nonce, amount, isCertain } of creations) {
        expect(contractId(creator, BigInt(nonce)), hash).to.equal(contract);
        expect(isCertain, hash).to.equal(true);
        amounts.add(amount);
      }
    }
    // With and without coins; a grandchild gets half of them.
    expect(amounts).to.include(0n);
    expect(amounts.size).to.be.above(2);
  });

  const creator = contractId('ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', 1n);
  const account = (contract: string): string => withPrefix('ak', contract);
  const pay = (from: string, to: string, amount: bigint): NodeOperation[] => [
    { type: 'Spend.amount', account: account(from), amount: -amount },
    { type: 'Spend.amount', account: account(to), amount },
  ];
  const call: NodeOperation[] = [
    { type: 'Contract.amount', account: account(creator), amount: -7n },
    { type: 'Contract.amount', account: account(creator), amount: 0n },
  ];

  it('are not certain where the same coins come back: the creation may have failed in a protected call', () => {
    const child = contractId(creator, 3n);
    const [failed] = creationsIn([...call, ...pay(creator, child, 5n), ...pay(child, creator, 5n)]);
    expect(failed).to.deep.equal({ contract: child, creator, nonce: 3, amount: 5n, isCertain: false });
    const [paid] = creationsIn([...call, ...pay(creator, child, 5n), ...pay(child, creator, 4n)]);
    expect(paid?.isCertain).to.equal(true);
  });

  it('are found up to a nonce that is the higher, the less a payment looks like another', () => {
    const found = (nonce: bigint, amount: bigint): number =>
      creationsIn([...call, ...pay(creator, contractId(creator, nonce), amount)]).length;
    expect([found(1n, 1n), found(2_000n, 1n), found(2_001n, 1n)]).to.deep.equal([1, 1, 0]);
    expect([found(2_001n, 0n), found(20_000n, 0n), found(20_001n, 0n)]).to.deep.equal([1, 1, 0]);
  });

  it('are not payments outside contracts, to others, and to one that is there already', () => {
    const child = contractId(creator, 1n);
    expect(creationsIn(pay(creator, child, 1n))).to.deep.equal([]);
    expect(creationsIn([...call, ...pay(child, creator, 1n), ...pay(creator, creator, 0n)])).to.deep.equal([]);
    expect(creationsIn([...call, ...pay(creator, child, 0n), ...pay(creator, child, 9n)])).to.have.length(1);
  });

  it('are read as they were written, and none in what an earlier version wrote', () => {
    const made = new Map(ALL.map(([hash, operations]) => [hash, creationsIn(operations)] as const));
    for (const [hash, one] of made) if (one.length === 0) made.delete(hash);
    const money = { nextKeyBlock: [], transactions: new Map(), made };
    expect(readNodeMoney(writeNodeMoney(money))).to.deep.equal(money);
    expect(readNodeMoney('{"next":[],"transactions":{}}').made).to.deep.equal(new Map());
  });
});
