import { expect } from 'chai';
import {
  genesisMovements,
  readGenesisAccounts,
  writeGenesisAccounts,
} from '../../../src/chain/money/genesis-accounts.js';
import { MalformedError } from '../../../src/chain/malformed.js';

const A = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
const B = 'ak_1GPPzM3VDKCP5RNEbp2uBNtgGTHRNQmrNkeAKGp7wfPWKYQvM';
const CONTRACT = 'ct_eJhrbPPS4V97VLKEVbSCJFpdA4uyXiZujQyLqMFoYV88TzDe6';

describe('the file with the coins of a genesis block', () => {
  it('is read with all digits, in the form of the node', () => {
    const text = `\uFEFF{\n  "${A}": 10000000000000000000000000000001,\n  "${B}": 0\n}\n`;
    expect([...readGenesisAccounts(text)]).to.deep.equal([
      [A, 10_000_000_000_000_000_000_000_000_000_001n],
      [B, 0n],
    ]);
    expect(readGenesisAccounts('{}').size).to.equal(0);
  });

  it('is read again as it is written', () => {
    const accounts = readGenesisAccounts(`{"${A}": 9007199254740993, "${B}": 5}`);
    expect(writeGenesisAccounts(accounts)).to.equal(`{"${A}":9007199254740993,"${B}":5}`);
    expect(readGenesisAccounts(writeGenesisAccounts(accounts))).to.deep.equal(accounts);
  });

  it('gives movements in an order of its own, none for an account without coins', () => {
    const expected = [
      { account: B, kind: 'preset', amount: 7n, counterparty: null },
      { account: A, kind: 'preset', amount: 5n, counterparty: null },
    ];
    expect(genesisMovements(readGenesisAccounts(`{"${A}": 5, "${B}": 7}`))).to.deep.equal(expected);
    expect(genesisMovements(readGenesisAccounts(`{"${B}": 7, "${A}": 5}`))).to.deep.equal(expected);
    expect(genesisMovements(readGenesisAccounts(`{"${A}": 0}`))).to.deep.equal([]);
  });

  for (const [text, why] of [
    ['', /not JSON/],
    ['{', /not JSON/],
    ['[]', /not an object/],
    ['null', /not an object/],
    [`["${A}", 5]`, /not an object/],
    [`{"${A}": "5"}`, /the amount of ak_2a1j/],
    [`{"${A}": -1}`, /the amount of/],
    [`{"${A}": 1.5}`, /the amount of/],
    // It would be a float, whose digits are not known.
    [`{"${A}": 1e31}`, /the amount of/],
    [`{"${A}": 9007199254740993.0}`, /the amount of/],
    [`{"${A}": null}`, /the amount of/],
    [`{"${A}": {"amount": 5}}`, /the amount of/],
    [`{"${A.slice(0, -1)}j": 5}`, /is not an account/],
    [`{"${CONTRACT}": 5}`, /"ct_.*" is not an account/],
    ['{"__proto__": 5}', /"__proto__" is not an account/],
    ['{"": 5}', /"" is not an account/],
  ] as const)
    it(`is refused if it is ${text || 'empty'}`, () => {
      expect(() => readGenesisAccounts(text)).to.throw(MalformedError, why);
    });
});
