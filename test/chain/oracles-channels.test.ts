import { expect } from 'chai';
import { applyChannel } from '../../src/chain/channels.js';
import { applyOracle, applyQuery, isOracleActive } from '../../src/chain/oracles.js';

const at = (height: number) => ({ position: BigInt(height), height });
const register = (type: 'delta' | 'block', value: number) =>
  ({ on: 'oracle', op: 'register', id: 'ok_1', ttl: { type, value } }) as const;
const extend = { on: 'oracle', op: 'extend', id: 'ok_1', by: 100 } as const;

describe('an oracle', () => {
  it('lasts as many generations as registered, and longer by each extension', () => {
    const registered = applyOracle(undefined, register('delta', 50), at(1));
    const extended = applyOracle(registered, extend, at(40));

    expect(registered).to.deep.equal({ id: 'ok_1', position: 1n, expiresAt: 51 });
    expect(extended).to.deep.equal({ id: 'ok_1', position: 1n, expiresAt: 151 });
    expect([151, 152].map((height) => isOracleActive(extended!, height))).to.deep.equal([true, false]);
  });

  it('lasts to the height that was registered', () => {
    expect(applyOracle(undefined, register('block', 77), at(5))).to.include({ expiresAt: 77 });
  });

  it('starts anew when it is registered again', () => {
    const first = applyOracle(undefined, register('delta', 50), at(1));
    expect(applyOracle(first, register('delta', 10), at(90))).to.deep.equal({
      id: 'ok_1',
      position: 90n,
      expiresAt: 100,
    });
  });

  it('is not made by an extension', () => {
    expect(applyOracle(undefined, extend, at(1))).to.equal(undefined);
  });
});

describe('a question', () => {
  const ask = { on: 'query', op: 'ask', id: 'oq_1', oracle: 'ok_1' } as const;
  const respond = { ...ask, op: 'respond' } as const;

  it('is open until it is answered, once', () => {
    const asked = applyQuery(undefined, ask, at(1));
    const answered = applyQuery(asked, respond, at(2));

    expect(asked).to.deep.equal({ id: 'oq_1', position: 1n, responsePosition: null });
    expect(answered).to.deep.equal({ id: 'oq_1', position: 1n, responsePosition: 2n });
    expect(applyQuery(answered, respond, at(3))).to.deep.equal(answered);
  });

  it('is not made by an answer', () => {
    expect(applyQuery(undefined, respond, at(1))).to.equal(undefined);
  });
});

describe('a channel', () => {
  const create = { on: 'channel', op: 'create', id: 'ch_1' } as const;
  const close = { ...create, op: 'close' } as const;

  it('is open until the first transaction that closes it', () => {
    const opened = applyChannel(undefined, create, at(1));
    const closed = applyChannel(opened, close, at(2));

    expect(opened).to.deep.equal({ id: 'ch_1', position: 1n, closedPosition: null });
    expect(closed).to.include({ closedPosition: 2n });
    expect(applyChannel(closed, close, at(3))).to.deep.equal(closed);
  });

  it('is not made by closing it', () => {
    expect(applyChannel(undefined, close, at(1))).to.equal(undefined);
  });
});
