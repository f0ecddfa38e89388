import { expect } from 'chai';
import { createLoadRate } from '../../src/populate/load-rate.js';

describe('the rate of a load', () => {
  /** Resolves with all rates when it is 0. */
  const ratesUntilZero = (begin: (rate: ReturnType<typeof createLoadRate>) => void, windowMs: number) =>
    new Promise<number[]>((resolve) => {
      const rates: number[] = [];
      const set = (perSecond: number): void => {
        rates.push(perSecond);
        if (perSecond === 0) resolve(rates);
      };
      begin(createLoadRate({ set, signal: new AbortController().signal, windowMs }));
    });

  it('is the number of transactions of the last seconds', () => {
    const rates: number[] = [];
    const end = new AbortController();
    const rate = createLoadRate({ set: (perSecond) => rates.push(perSecond), signal: end.signal });
    rate.add(10);
    rate.add(20);
    end.abort();

    expect(rates).to.deep.equal([10, 30]);
  });

  it('falls to 0 by itself when nothing more is written', async () => {
    const rates = await ratesUntilZero((rate) => rate.add(10), 40);

    expect(rates[0]).to.equal(10);
    expect(rates.at(-1)).to.equal(0);
  });

  it('is not reported any more when the work has ended', () => {
    const rates: number[] = [];
    const end = new AbortController();
    const rate = createLoadRate({ set: (perSecond) => rates.push(perSecond), signal: end.signal, windowMs: 1 });
    rate.add(10);
    end.abort();
    rate.add(10);

    expect(rates).to.deep.equal([10]);
  });
});
