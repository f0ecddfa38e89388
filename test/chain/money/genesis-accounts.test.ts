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
    const { genesis, forks } = readGenesisAccounts(text);
    expect([...genesis]).to.deep.equal([
      [A, 10_000_000_000_000_000_000_000_000_000_001n],
      [B, 0n],
    ]);
    expect(forks.size).to.equal(0);
    expect(readGenesisAccounts('{}').genesis.size).to.equal(0);
  });

  it('may have the coins of hard forks, by their protocol version', () => {
    const { genesis, forks } = readGenesisAccounts(
      `{"${A}": 1, "2": {"${A}": 9007199254740993, "${B}": 3}, "12": {}, "4": {"${B}": 0}}`,
    );
    expect([...genesis]).to.deep.equal([[A, 1n]]);
    expect([...forks].sort(([a], [b]) => a - b).map(([version, amounts]) => [version, [...amounts]])).to.deep.equal([
      [
        2,
        [
          [A, 9_007_199_254_740_993n],
          [B, 3n],
        ],
      ],
      [4, [[B, 0n]]],
      [12, []],
    ]);
  });

  it('is read again as it is written', () => {
    const accounts = readGenesisAccounts(`{"${A}": 9007199254740993, "${B}": 5}`);
    expect(writeGenesisAccounts(accounts)).to.deep.equal({
      genesis: `{"${A}":9007199254740993,"${B}":5}`,
      forks: '{}',
    });
    expect(writeGenesisAccounts(readGenesisAccounts(`{"${A}": 1, "2": {"${B}": 9007199254740993}}`))).to.deep.equal({
      ...{ genesis: `{"${A}":1}`, forks: `{"2":{"${B}":9007199254740993}}` },
    });
    expect(readGenesisAccounts(writeGenesisAccounts(accounts).genesis)).to.deep.equal(accounts);
  });

  it('gives movements in an order of its own, none for an account without coins', () => {
    const expected = [
      { account: B, kind: 'preset', amount: 7n, counterparty: null },
      { account: A, kind: 'preset', amount: 5n, counterparty: null },
    ];
    const given = (text: string) => genesisMovements(readGenesisAccounts(text).genesis);
    expect(given(`{"${A}": 5, "${B}": 7}`)).to.deep.equal(expected);
    expect(given(`{"${B}": 7, "${A}": 5}`)).to.deep.equal(expected);
    expect(given(`{"${A}": 0}`)).to.deep.equal([]);
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
    ['{"5": 5}', /version 5 has no object of accounts and amounts/],
    ['{"5": []}', /version 5 has no object/],
    [`{"5": {"${A}": 1.5}}`, /the amount of ak_2a1j/],
    ['{"5": {"6": {}}}', /"6" is not an account/],
    ['{"0": {}}', /"0" is not an account/],
    ['{"05": {}}', /"05" is not an account/],
    ['{"1e1": {}}', /"1e1" is not an account/],
  ] as const)
    it(`is refused if it is ${text || 'empty'}`, () => {
      expect(() => readGenesisAccounts(text)).to.throw(MalformedError, why);
    });
});
