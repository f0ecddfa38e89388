import { expect } from 'chai';
import { bar, formatSeconds, percent, progressLine } from '../../src/observe/bar.js';

describe('the bar', () => {
  const state = { what: 'Loading', done: 450, total: 1000 };
  const pace = { heightsPerSecond: 100, transactionsPerSecond: 6000, secondsLeft: 5.5 };
  const line = (columns: number): string => progressLine({ ...state, pace }, columns);

  it('has share, time left, counts and rates beside it', () => {
    expect(line(120)).to.equal(
      'Loading [#############-----------------] 45 %, 6s left, 450/1000 heights, 100.0 heights/s, 6000 tx/s',
    );
  });

  it('is never wider than the terminal, and leaves out first what matters least', () => {
    for (let columns = 1; columns < 140; columns++) expect(line(columns)).to.have.lengthOf.at.most(columns);
    expect(line(80)).to.equal('Loading [####------] 45 %, 6s left, 450/1000 heights, 100.0 heights/s, 6000 tx/s');
    expect(line(60)).to.equal('Loading 45 %, 6s left, 450/1000 heights, 100.0 heights/s');
    expect(line(44)).to.equal('Loading 45 %, 6s left, 450/1000 heights');
    expect(line(32)).to.equal('Loading [###-----] 45 %, 6s left');
    expect(line(9)).to.equal('Loading 4');
  });

  it('leaves out what is not counted and not known yet', () => {
    const slow = { heightsPerSecond: 0, transactionsPerSecond: undefined, secondsLeft: undefined };
    expect(progressLine({ ...state, done: 0, pace: slow }, 100)).to.match(
      / 0 %, \? left, 0\/1000 heights, 0.0 heights\/s$/,
    );
  });

  it('is full at the end only', () => {
    expect([bar(999, 1000, 10), bar(1000, 1000, 10), bar(3, 2, 10)]).to.deep.equal([
      '[#########-]',
      '[##########]',
      '[##########]',
    ]);
    expect([percent(0, 0), percent(999, 1000), percent(1000, 1000)]).to.deep.equal(['100 %', '99 %', '100 %']);
  });

  it('has times as people read them', () => {
    expect([4.6, 65, 3725].map(formatSeconds)).to.deep.equal(['5s', '1m05s', '1h02m']);
  });
});
