import { expect } from 'chai';
import { createBell } from '../../src/populate/bell.js';

const LONG = 600_000;

describe('a bell', () => {
  const running = new AbortController();

  it('ends a rest', async () => {
    const bell = createBell(running.signal);
    const resting = bell.rest(LONG);
    bell.ring();
    await resting;
  });

  it('is heard by who rests after it, once', async () => {
    const bell = createBell(running.signal);
    bell.ring();
    await bell.rest(LONG);

    let isOver = false;
    const resting = bell.rest(LONG).then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).to.equal(false);
    bell.ring();
    await resting;
  });

  it('lets a rest end by its time, and by the signal', async () => {
    const bell = createBell(running.signal);
    await bell.rest(1);
    const resting = bell.rest(LONG);
    running.abort();
    await resting;
    await bell.rest(LONG);
  });
});
