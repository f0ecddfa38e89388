import { expect } from 'chai';
import { coinbase, reward } from '../../src/chain/protocol/rewards.js';

const AE = 10n ** 18n;

/** The schedule as the protocol computes it, in double precision. */
function* computedCoins(until: number): Generator<number> {
  const start = 960;
  const perYear = 175200;
  let supply = 276450333499323152460728285;
  yield 0;
  for (let height = 1; height <= until; height += 1) {
    const inflation =
      height < start ? (0.3 * height) / start : 0.3 / (1 + ((height - start) / (0.8 * perYear)) ** 1.3) - 0.0003;
    const coins = Math.max(Math.round((supply * inflation) / (perYear * 1e18)), height < start ? 1 : 0);
    supply += coins * 1e18;
    yield coins;
  }
}

describe('coinbase', () => {
  const samples = [
    [0, 0],
    [1, 1],
    [100, 49],
    [957, 472],
    [958, 473],
    [3996, 473],
    [3997, 472],
    [10000, 467],
    [47800, 410],
    [90800, 344],
    [161150, 261],
    [441444, 120],
    [941700, 56],
    [1000000, 52],
    [1200000, 43],
    [20351982, 1],
    [20351983, 0],
    [1e9, 0],
  ] as const;
  for (const [height, coins] of samples) {
    it(`is ${coins} AE at height ${height}`, () => expect(coinbase(height)).to.equal(BigInt(coins) * AE));
  }

  it('is what the protocol computes, at every height up to 1.5 million', () => {
    let height = 0;
    for (const coins of computedCoins(1_500_000)) {
      if (coinbase(height) !== BigInt(coins) * AE)
        expect.fail(`height ${height}: ${coinbase(height)}, not ${coins} AE`);
      height += 1;
    }
  });
});

describe('reward of a key block', () => {
  it('splits fees as the node does: 40 % rounded down to the opener, the rest to the closer', () => {
    // Of 3 aettos, 1 goes to the miner that opened the generation, 2 to the one that closed it.
    expect(reward(6, 3n, 3n)).to.deep.equal({ coinbase: 3n * AE, fees: 2n + 1n, total: 3n * AE + 3n });
  });

  it('does not lose an aetto of any generation', () => {
    for (let fees = 0n; fees < 20n; fees += 1n)
      expect(reward(1, fees, 0n).fees + reward(1, 0n, fees).fees).to.equal(fees);
  });

  it('is zero for the genesis block', () => {
    expect(reward(0, 0n, 100n)).to.deep.equal({ coinbase: 0n, fees: 0n, total: 0n });
  });
});
