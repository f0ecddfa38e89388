import { expect } from 'chai';
import { createNews } from '../../src/populate/news.js';

const LONG = 600_000;

describe('a pause between two rounds', () => {
  const running = new AbortController();
  after(() => running.abort());
  const { signal } = running;
  const over = undefined;

  it('ends when the head of the node is another one', async () => {
    const heads = ['a', 'a', 'b'];
    const news = createNews({ signal, headHash: () => Promise.resolve(heads.shift()) });

    expect(await news.wait({ ms: LONG, maxMs: LONG, everyMs: 1, known: 'a', over })).to.equal('moved');
    expect(heads).to.be.empty;
  });

  it('lasts its time when the node does not say', async () => {
    let asked = 0;
    const news = createNews({ signal, headHash: () => Promise.resolve((asked++, undefined)) });

    expect(await news.wait({ ms: 30, maxMs: LONG, everyMs: 1, known: 'a', over })).to.equal('quiet');
    expect(asked).to.equal(1);
  });

  it('goes on while the node answers that its head is the same', async () => {
    const ms = 1_000;
    const movesAt = performance.now() + 1.5 * ms;
    const news = createNews({ signal, headHash: () => Promise.resolve(performance.now() < movesAt ? 'a' : 'b') });

    expect(await news.wait({ ms, maxMs: LONG, everyMs: 1, known: 'a', over })).to.equal('moved');
  });

  it('ends some time although the node goes on to answer the same', async () => {
    const news = createNews({ signal, headHash: () => Promise.resolve('a') });

    expect(await news.wait({ ms: 30, maxMs: 60, everyMs: 1, known: 'a', over })).to.equal('quiet');
  });

  it('asks nothing when no head is known', async () => {
    const news = createNews({ signal, headHash: () => Promise.reject(new Error('was asked')) });

    expect(await news.wait({ ms: 30, maxMs: LONG, everyMs: 1, known: undefined, over })).to.equal('quiet');
  });

  it('does not ask a node again that has not answered yet', async () => {
    let asked = 0;
    const news = createNews({ signal, headHash: () => new Promise(() => void asked++) });

    await news.wait({ ms: 30, maxMs: LONG, everyMs: 1, known: 'a', over });
    await news.wait({ ms: 30, maxMs: LONG, everyMs: 1, known: 'a', over });

    expect(asked).to.equal(1);
  });

  it('ends with what is done beside it, and with the signal', async () => {
    const ending = new AbortController();
    const news = createNews({ signal: ending.signal, headHash: () => Promise.resolve('a') });
    expect(await news.wait({ ms: LONG, maxMs: LONG, everyMs: LONG, known: 'a', over: Promise.resolve() })).to.equal(
      'quiet',
    );

    const waiting = news.wait({ ms: LONG, maxMs: LONG, everyMs: LONG, known: 'a', over });
    ending.abort();

    expect(await waiting).to.equal('quiet');
  });
});
