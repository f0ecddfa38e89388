import { expect } from 'chai';
import { createLimiter } from '../../src/node/limiter.js';

describe('the limiter of requests', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('runs waiting jobs in order, never more than the limit', async () => {
    const limiter = createLimiter({ initial: 2, max: 2 });
    const ends: (() => void)[] = [];
    const started: number[] = [];
    const jobs = [0, 1, 2, 3].map((i) =>
      limiter.run(() => {
        started.push(i);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await settled();
    expect(started).to.deep.equal([0, 1]);

    ends[0]!();
    await settled();
    expect(started).to.deep.equal([0, 1, 2]);

    ends[1]!();
    await settled();
    ends[2]!();
    ends[3]!();
    await Promise.all(jobs);
    expect(started).to.deep.equal([0, 1, 2, 3]);
  });

  it('grows by one per full round, halves once per overload and never falls below one', async () => {
    const limiter = createLimiter({ initial: 4, max: 6 });
    for (let i = 0; i < 8; i += 1) void limiter.run(() => new Promise<void>(() => undefined));
    const sentAt = performance.now();

    for (let i = 0; i < 5; i += 1) limiter.succeeded(sentAt);
    expect(limiter.limit).to.equal(5);

    limiter.overloaded(sentAt);
    limiter.overloaded(sentAt);
    expect(limiter.limit).to.equal(2);

    limiter.succeeded(sentAt);
    expect(limiter.limit).to.equal(2);
    for (let i = 0; i < 5; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      limiter.overloaded(performance.now());
    }
    expect(limiter.limit).to.equal(1);
  });

  it('does not grow while fewer jobs run than the limit allows', () => {
    const limiter = createLimiter({ initial: 4, max: 8 });

    for (let i = 0; i < 100; i += 1) limiter.succeeded(performance.now());

    expect(limiter.limit).to.equal(4);
  });
});
