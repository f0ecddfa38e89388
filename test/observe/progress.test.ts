import { expect } from 'chai';
import { pino } from 'pino';
import { createProgress } from '../../src/observe/progress.js';

function setUp(isTTY: boolean) {
  const written: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => logged.push(JSON.parse(line) as (typeof logged)[0]) },
  );
  const progress = createProgress({
    logger,
    terminal: { isTTY, write: (text: string) => written.push(text) },
    now: () => clock.ms,
  });
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
    expect(written[1]).to.contain('100/1000 heights').and.contain('100.0 heights/s').and.contain('6000 tx/s');
    expect(written[1]).to.contain('9s left');
    expect(logged).to.deep.equal([]);
  });

  it('is one log line every ten seconds elsewhere', () => {
    const { at, logged, written } = setUp(false);

    for (let second = 0; second <= 25; second++) at(second * 1000, second * 10);

    expect(logged.map(({ done }) => done)).to.deep.equal([0, 100, 200]);
    expect(logged[2]).to.include({ heights_per_second: 10, transactions_per_second: 600, seconds_left: 80 });
    expect(written).to.deep.equal([]);
  });

  it('ends with the last height, and says nothing while only the head moves', () => {
    const { at, progress, written } = setUp(true);
    at(0, 0);
    at(10, 1000);
    expect(written.at(-1)).to.equal('\n');

    const before = written.length;
    progress.update({ done: 1000, total: 1001, height: 1000, transactions: 1 });
    expect(written).to.have.length(before);
  });

  it('reports times as people read them', () => {
    const halfOf = (seconds: number): string | undefined => {
      const { at, written } = setUp(true);
      at(0, 0);
      at(seconds * 1000, 500);
      return /, (\w+) left/.exec(written.at(-1)!)?.[1];
    };
    expect([5, 65, 3725].map(halfOf)).to.deep.equal(['5s', '1m05s', '1h02m']);
  });
});
