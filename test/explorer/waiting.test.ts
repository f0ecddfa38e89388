import { expect } from 'chai';
import { checksOf } from '../../explorer/waiting.js';

const AE = 10n ** 18n;
const FEE = 17_000_000_000_000n;
const SPEND = { type: 'SpendTx', nonce: 5, ttl: 0, amount: 2n * AE, fee: FEE };
const SENDER = { nonce: 4, balance: 3n * AE };
const plain = (text: string): string => text.replaceAll('\u202f', '');
/** What holds it up, in sentences. */
const holds = (...of: Parameters<typeof checksOf>): string[] =>
  checksOf(...of)
    .filter(({ isTrue }) => !isTrue)
    .map(({ because }) => plain(because));

describe('why a transaction waits', () => {
  it('nothing holds it up', () => {
    expect(holds(SPEND, SENDER, 100)).to.deep.equal([]);
    expect(holds({ ...SPEND, ttl: 100 }, SENDER, 100)).to.deep.equal([]);
    expect(holds({ ...SPEND, amount: 3n * AE - FEE }, SENDER, 100)).to.deep.equal([]);
    expect(checksOf(SPEND, SENDER, 100)).to.have.length(4);
  });

  it('a nonce that is not the next, or used', () => {
    expect(holds({ ...SPEND, nonce: 7 }, SENDER, 100)).to.deep.equal([
      'It has nonce 7, the next of the account is 5: 2 other transactions must come first.',
    ]);
    expect(holds({ ...SPEND, nonce: 6 }, SENDER, 100)[0]).to.contain('1 other transaction must');
    expect(holds({ ...SPEND, nonce: 4 }, SENDER, 100)).to.deep.equal([
      'Another transaction of the account has used its nonce 4, so no block can contain it any more.',
    ]);
    // Of a generalized account.
    const authenticated = { type: 'GAMetaTx', fee: 100n * FEE, gas: 1, gas_price: 1 };
    expect(holds(authenticated, SENDER, 100)).to.deep.equal([]);
  });

  it('a balance that does not cover all that it pays', () => {
    const short = { nonce: 4, balance: 2n * AE };
    expect(holds(SPEND, short, 100)).to.deep.equal(['The account has 2 AE, and it needs 2.000017 AE.']);
    const gas = { gas: 1_000_000n, gas_price: 10n ** 9n };
    const call = { ...SPEND, type: 'ContractCallTx', amount: 0, fee: AE, ...gas };
    expect(holds(call, { nonce: 4, balance: AE }, 100)).to.deep.equal(['The account has 1 AE, and it needs 1.001 AE.']);
    // The fee of queries is what others pay.
    const registration = { ...SPEND, type: 'OracleRegisterTx', query_fee: 100n * AE };
    expect(holds(registration, SENDER, 100)).to.deep.equal([]);
  });

  it('a fee that is too low', () => {
    const cheap = { ...SPEND, fee: 14_999_999_999_999n };
    expect(holds(cheap, SENDER, 100)).to.deep.equal([
      'It is 0.000014999999999999 AE, and a miner asks for at least 0.000015 AE by default.',
    ]);
    expect(holds({ ...SPEND, type: 'ContractCallTx' }, SENDER, 100)[0]).to.contain('at least 0.00018 AE');
  });

  it('a time to live that is over', () => {
    expect(holds({ ...SPEND, ttl: 99 }, SENDER, 100)).to.deep.equal([
      'It was valid until generation 99, so no block can contain it any more.',
    ]);
  });
});
