import { expect } from 'chai';
import * as fc from 'fast-check';
import { countHeights, formatHeights, parseHeights } from '../../src/config/heights.js';

describe('the list of heights', () => {
  it('accepts single heights and ranges with both ends', () => {
    expect(parseHeights('1,3-4,6,100-200')).to.deep.equal([
      { from: 1, to: 1 },
      { from: 3, to: 4 },
      { from: 6, to: 6 },
      { from: 100, to: 200 },
    ]);
  });

  it('sorts the ranges and joins those that overlap or touch', () => {
    expect(formatHeights(parseHeights(' 9 , 5-7,6-8 ,1,0'))).to.equal('0-1,5-9');
  });

  it('counts every height once', () => {
    expect(countHeights(parseHeights('1,3-4,4-6,100-200'))).to.equal(106);
  });

  for (const text of [
    '',
    ',',
    '1,',
    'x',
    '1-',
    '-3',
    '1--2',
    '1.5',
    '1e3',
    '0x10',
    '1-2-3',
    '９',
    '1 2',
    '4-3',
    '1'.repeat(16),
  ]) {
    it(`refuses ${JSON.stringify(text)} and names the fault`, () => {
      expect(() => parseHeights(text)).to.throw(/^Malformed heights .*expected for example 1,3-4,6,100-200/);
    });
  }

  it('names every malformed part', () => {
    expect(() => parseHeights('1,a,3,9-2')).to.throw(/"a" is neither.*"9-2" runs backwards/);
  });

  it('contains exactly the given heights', () => {
    const ranges = fc.array(fc.tuple(fc.nat(60), fc.nat(9)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ranges, (pairs) => {
        const wanted = new Set(pairs.flatMap(([from, more]) => Array.from({ length: more + 1 }, (_, i) => from + i)));
        const parsed = parseHeights(pairs.map(([from, more]) => `${from}-${from + more}`).join(','));
        const got = parsed.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
        expect(got).to.deep.equal([...wanted].sort((a, b) => a - b));
      }),
    );
  });
});
