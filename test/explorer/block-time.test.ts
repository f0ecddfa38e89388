import { expect } from 'chai';
import { isOldHead, setBlockTime } from '../../explorer/block-time.js';

describe('the head in the explorer', () => {
  after(() => setBlockTime(null));

  for (const [network, blockMs, oldFrom] of [
    ['the main network', 180_000, 180_000],
    ['a network with 10 minutes a block', 600_000, 600_000],
    ['a hyperchain with 3 s a block', 3_000, 30_000],
    ['a chain on demand whose blocks have one time', 0, 30_000],
  ] as const)
    it(`is old after a time between key blocks, at least half a minute: ${network}`, () => {
      setBlockTime(blockMs);
      expect([oldFrom, oldFrom + 1].map(isOldHead)).to.deep.equal([false, true]);
    });

  it('is old after the time of the main network while the server does not know that of its own', () => {
    setBlockTime(null);
    expect([180_000, 180_001].map(isOldHead)).to.deep.equal([false, true]);
  });
});
