import { expect } from 'chai';
import { createHeadPoll } from '../../src/populate/head-poll.js';

const LONG = 600_000;

describe('a pause between two rounds', () => {
  const running = new AbortController();
  after(() => running.abort());
  const { signal } = running;
  const until = undefined;

  it('ends when the node has another head', async () => {
    const heads = ['a', 'a', 'b'];
    const poll = createHeadPoll({ signal, headHash: () => Promise.resolve(heads.shift()) });

    expect(await poll.pause({ ms: LONG, maxMs: LONG, everyMs: 1, knownHash: 'a', until })).to.equal('moved');
    expect(heads).to.be.empty;
  });

  it('lasts its time when the node does not answer', async () => {
    let asked = 0;
    const poll = createHeadPoll({ signal, headHash: () => Promise.resolve((asked++, undefined)) });

    expect(await poll.pause({ ms: 30, maxMs: LONG, everyMs: 1, knownHash: 'a', until })).to.equal('quiet');
    expect(asked).to.equal(1);
  });

  it('is extended while the node reports the same head', async () => {
    const ms = 1_000;
    const movesAt = performance.now() + 1.5 * ms;
    const poll = createHeadPoll({ signal, headHash: () => Promise.resolve(performance.now() < movesAt ? 'a' : 'b') });

    expect(await poll.pause({ ms, maxMs: LONG, everyMs: 1, knownHash: 'a', until })).to.equal('moved');
  });

  it('ends at its max length although the node reports the same head', async () => {
    const poll = createHeadPoll({ signal, headHash: () => Promise.resolve('a') });

    expect(await poll.pause({ ms: 30, maxMs: 60, everyMs: 1, knownHash: 'a', until })).to.equal('quiet');
  });

  it('sends no request when no head is known', async () => {
    const poll = createHeadPoll({ signal, headHash: () => Promise.reject(new Error('was asked')) });

    expect(await poll.pause({ ms: 30, maxMs: LONG, everyMs: 1, knownHash: undefined, until })).to.equal('quiet');
  });

  it('sends no second request before the first one is answered', async () => {
    let asked = 0;
    const poll = createHeadPoll({ signal, headHash: () => new Promise(() => void asked++) });

    await poll.pause({ ms: 30, maxMs: LONG, everyMs: 1, knownHash: 'a', until });
    await poll.pause({ ms: 30, maxMs: LONG, everyMs: 1, knownHash: 'a', until });

    expect(asked).to.equal(1);
  });

  it('ends when the given promise resolves, and when the signal aborts', async () => {
    const ending = new AbortController();
    const poll = createHeadPoll({ signal: ending.signal, headHash: () => Promise.resolve('a') });
    expect(
      await poll.pause({ ms: LONG, maxMs: LONG, everyMs: LONG, knownHash: 'a', until: Promise.resolve() }),
    ).to.equal('quiet');

    const waiting = poll.pause({ ms: LONG, maxMs: LONG, everyMs: LONG, knownHash: 'a', until });
    ending.abort();

    expect(await waiting).to.equal('quiet');
  });
});
