import { expect } from 'chai';
import { readCurrency } from '../../src/node/currency.js';

const GOOD = { name: 'Hypercoin', symbol: 'HYC', subunit: 'hyctto', subunits_per_unit: 1_000_000 };

describe('the coin of a network', () => {
  it('is read from the answer of a node', () => {
    expect(readCurrency(JSON.stringify(GOOD))).to.deep.equal({
      ...{ name: 'Hypercoin', symbol: 'HYC', subunit: 'hyctto' },
      digits: 6,
    });
    const text = JSON.stringify(GOOD).replace('1000000', '1000000000000000000');
    expect(readCurrency(text)).to.include({ digits: 18 });
    expect(readCurrency(text.replace('1000000000000000000', '1'))).to.include({ digits: 0 });
  });

  for (const [field, value] of [
    ['subunits_per_unit', 0],
    ['subunits_per_unit', 999],
    ['subunits_per_unit', '1000'],
    ['subunits_per_unit', 1e21],
    ['subunits_per_unit', -1000],
    ['subunits_per_unit', null],
    ['symbol', ''],
    ['symbol', 'A\u0000'],
    ['symbol', '\u202e'],
    ['symbol', 'x'.repeat(65)],
    ['name', 7],
    ['name', ' a'],
    ['subunit', { text: 'a' }],
  ] as const)
    it(`is refused with ${field} ${JSON.stringify(value)}`, () => {
      expect(() => readCurrency(JSON.stringify({ ...GOOD, [field]: value }))).to.throw(`currency: ${field} is `);
    });

  it('is refused if it is no object', () => {
    for (const text of ['[]', '1', 'null']) expect(() => readCurrency(text)).to.throw('currency is not an object');
  });
});
