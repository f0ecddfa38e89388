import { expect } from 'chai';
import { applyOracle } from '../../src/chain/protocol/oracles.js';

const at = (height: number) => ({ position: BigInt(height), height });
const register = (type: 'delta' | 'block', value: number) =>
  ({ on: 'oracle', op: 'register', id: 'ok_1', ttl: { type, value } }) as const;
const extend = { on: 'oracle', op: 'extend', id: 'ok_1', by: 100 } as const;

describe('an oracle', () => {
  it('lasts for the registered number of generations, and longer by each extension', () => {
    const registered = applyOracle(undefined, register('delta', 50), at(1));
    const extended = applyOracle(registered, extend, at(40));

    expect(registered).to.deep.equal({ id: 'ok_1', position: 1n, expiresAt: 51 });
    expect(extended).to.deep.equal({ id: 'ok_1', position: 1n, expiresAt: 151 });
  });

  it('lasts to the height that was registered', () => {
    expect(applyOracle(undefined, register('block', 77), at(5))).to.include({ expiresAt: 77 });
  });

  it('starts again when it is registered again', () => {
    const first = applyOracle(undefined, register('delta', 50), at(1));
    expect(applyOracle(first, register('delta', 10), at(90))).to.deep.equal({
      id: 'ok_1',
      position: 90n,
      expiresAt: 100,
    });
  });

  it('is not created by an extension', () => {
    expect(applyOracle(undefined, extend, at(1))).to.equal(undefined);
  });
});
