import { expect } from 'chai';
import { difficulty, targetOf, work } from '../../src/chain/work/target.js';

describe('difficulty', () => {
  it('is what the recorded node reports for its target', () => {
    expect(difficulty(540590613)).to.equal(75670243n);
  });

  it('of a target made for a difficulty is at least this difficulty, and hardly more', () => {
    for (const wanted of [1n, 75670243n, 2n ** 40n + 12345n, 10n ** 18n, 10n ** 30n]) {
      const got = difficulty(targetOf(wanted));
      expect(got >= wanted && got <= wanted + wanted / 10000n + 300n, `${wanted} ${got}`).to.equal(true);
    }
  });

  it('of a target that no hash can meet is zero', () => {
    for (const target of [0, 0x21000000, 0x01000001]) expect(difficulty(target)).to.equal(0n);
  });

  it('adds up to the work of a branch', () => {
    expect(work([])).to.equal(0n);
    expect(work([0x2100ffffn, 0x2100ffffn])).to.equal(2n ** 25n);
  });
});
