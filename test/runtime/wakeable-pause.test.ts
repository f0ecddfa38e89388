import { expect } from 'chai';
import { createWakeablePause } from '../../src/runtime/wakeable-pause.js';

const LONG = 600_000;

describe('a wakeable pause', () => {
  const running = new AbortController();

  it('ends when it is woken', async () => {
    const wakeable = createWakeablePause(running.signal);
    const pausing = wakeable.pause(LONG);
    wakeable.wake();
    await pausing;
  });

  it('ends at once after a wake before it, and only once', async () => {
    const wakeable = createWakeablePause(running.signal);
    wakeable.wake();
    await wakeable.pause(LONG);

    let isOver = false;
    const pausing = wakeable.pause(LONG).then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).to.equal(false);
    wakeable.wake();
    await pausing;
  });

  it('ends after its time, and when the signal aborts', async () => {
    const wakeable = createWakeablePause(running.signal);
    await wakeable.pause(1);
    const pausing = wakeable.pause(LONG);
    running.abort();
    await pausing;
    await wakeable.pause(LONG);
  });
});
