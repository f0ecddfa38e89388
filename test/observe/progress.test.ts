import { expect } from 'chai';
import { pino } from 'pino';
import { createProgress } from '../../src/observe/progress.js';
import { createScreen } from '../../src/observe/screen.js';

function setUp(isTTY: boolean) {
  const written: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => logged.push(JSON.parse(line) as (typeof logged)[0]) },
  );
  const stream = { isTTY, write: (text: string) => written.push(text) };
  const screen = createScreen({ streams: { stdout: stream, stderr: stream }, env: {} });
  const progress = createProgress({ what: 'Loading', logger, screen, now: () => clock.ms });
  const at = (ms: number, done: number) => {
    clock.ms = ms;
    progress.update({ done, total: 1000, height: done, transactions: done * 60 });
  };
  return { progress, at, written, logged };
}

describe('the progress of a load', () => {
  it('is one line on a terminal: heights done, rate and time left', () => {
    const { at, written, logged } = setUp(true);

    at(0, 0);
    at(100, 10);
    at(1000, 100);

    expect(written).to.have.length(2);
    expect(written[1]).to.contain('100/1000 heights').and.contain('100.0 heights/s').and.contain('9s left');
    expect(logged).to.deep.equal([]);
  });

  it('is one log line every ten seconds elsewhere', () => {
    const { at, logged, written } = setUp(false);

    for (let second = 0; second <= 25; second++) at(second * 1000, second * 10);

    expect(logged.map(({ done }) => done)).to.deep.equal([0, 100, 200]);
    expect(logged[2]).to.include({ heights_per_second: 10, transactions_per_second: 600, seconds_left: 80 });
    expect(written).to.deep.equal([]);
  });

  it('ends with a summary instead of the bar, and prints nothing while only the head is followed', () => {
    const { at, progress, written } = setUp(true);
    at(0, 0);
    at(10_000, 1000);
    expect(written.slice(-2)).to.deep.equal(['\r\x1b[K', 'Loading: 1000 heights in 10s, 100.0 heights/s\n']);

    const before = written.length;
    progress.update({ done: 1000, total: 1001, height: 1000, transactions: 1 });
    progress.end();
    expect(written).to.have.length(before);
  });
});
