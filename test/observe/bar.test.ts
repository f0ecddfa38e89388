import { expect } from 'chai';
import { bar, formatSeconds, percent, progressLine } from '../../src/observe/bar.js';

describe('the progress bar', () => {
  const state = { what: 'Loading', done: 450, total: 1000 };
  const pace = { heightsPerSecond: 100, transactionsPerSecond: 6000, secondsLeft: 5.5 };
  const line = (columns: number): string => progressLine({ ...state, pace }, columns);

  it('is followed by percentage, time left, counts and rates', () => {
    expect(line(120)).to.equal(
      'Loading [#############-----------------] 45 %, 6s left, 450/1000 heights, 100.0 heights/s, 6000 tx/s',
    );
  });

  it('is never wider than the terminal, and drops the least important fields first', () => {
    for (let columns = 1; columns < 140; columns++) expect(line(columns)).to.have.lengthOf.at.most(columns);
    expect(line(80)).to.equal('Loading [####------] 45 %, 6s left, 450/1000 heights, 100.0 heights/s, 6000 tx/s');
    expect(line(60)).to.equal('Loading 45 %, 6s left, 450/1000 heights, 100.0 heights/s');
    expect(line(44)).to.equal('Loading 45 %, 6s left, 450/1000 heights');
    expect(line(32)).to.equal('Loading [###-----] 45 %, 6s left');
    expect(line(9)).to.equal('Loading 4');
  });

  it('omits what is not counted or not known yet', () => {
    const slow = { heightsPerSecond: 0, transactionsPerSecond: undefined, secondsLeft: undefined };
    expect(progressLine({ ...state, done: 0, pace: slow }, 100)).to.match(
      / 0 %, \? left, 0\/1000 heights, 0.0 heights\/s$/,
    );
  });

  it('is full only at the end', () => {
    expect([bar(999, 1000, 10), bar(1000, 1000, 10), bar(3, 2, 10)]).to.deep.equal([
      '[#########-]',
      '[##########]',
      '[##########]',
    ]);
    expect([percent(0, 0), percent(999, 1000), percent(1000, 1000)]).to.deep.equal(['100 %', '99 %', '100 %']);
  });

  it('shows times in hours, minutes and seconds', () => {
    expect([4.6, 65, 3725].map(formatSeconds)).to.deep.equal(['5s', '1m05s', '1h02m']);
  });
});
