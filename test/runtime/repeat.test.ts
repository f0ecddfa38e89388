import { expect } from 'chai';
import { repeat } from '../../src/runtime/repeat.js';

describe('work that is repeated', () => {
  it('pauses as long as each time says, goes on at once for 0, and ends when the signal aborts', async () => {
    const end = new AbortController();
    const pauses = [5, 0, 7];
    const paused: number[] = [];
    await repeat({
      signal: end.signal,
      runOnce() {
        const ms = pauses.shift();
        if (ms === undefined) end.abort();
        return Promise.resolve(ms ?? 9);
      },
      onFault: () => expect.fail('there is no fault'),
      pause: (ms) => Promise.resolve(void paused.push(ms)),
    });
    expect(paused).to.deep.equal([5, 7]);
  });

  it('goes on after a fault, after a pause of its own', async () => {
    const end = new AbortController();
    const seen: unknown[] = [];
    await repeat({
      signal: end.signal,
      runOnce() {
        if (seen.length > 0) end.abort();
        return Promise.reject(new Error(`fault ${seen.length}`));
      },
      onFault(error) {
        seen.push((error as Error).message);
        return 3;
      },
      pause: (ms) => Promise.resolve(void seen.push(ms)),
    });
    expect(seen, 'what fails because of the end is no fault').to.deep.equal(['fault 0', 3]);
  });

  it('ends with what the handler of faults throws', async () => {
    const ended = repeat({
      signal: new AbortController().signal,
      runOnce: () => Promise.reject(new Error('lost')),
      onFault(error) {
        throw error;
      },
    });
    expect(await ended.catch(String)).to.equal('Error: lost');
  });

  it('ends a pause when the signal aborts', async () => {
    const end = new AbortController();
    let isPausing: () => void = () => undefined;
    const pausing = new Promise<void>((resolve) => (isPausing = resolve));
    const ended = repeat({
      signal: end.signal,
      runOnce() {
        isPausing();
        return Promise.resolve(3_600_000);
      },
      onFault: () => 0,
    });
    await pausing;
    end.abort();
    await ended;
  });
});
