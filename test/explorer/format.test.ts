import { expect } from 'chai';
import fc from 'fast-check';
import { parseRoute, addressOf, correctedId, mistyped, pageOf, target } from '../../explorer/address.js';
import {
  bytes,
  differByOne,
  duration,
  functionHashIn,
  inAe,
  integer,
  isSameName,
  rounded,
  textIn,
  typeInWords,
  words,
} from '../../explorer/format.js';
import { parseExactly } from '../../explorer/json.js';
import { movesOf, paidBySender } from '../../explorer/moves.js';
import { recordedGenerations } from '../support/recording.js';

const plain = (text: string): string => text.replaceAll('\u202f', '');

describe('numbers in the explorer', () => {
  it('keep every digit of any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), (aettos) => {
        const [whole, fraction = ''] = plain(inAe(aettos)).split('.');
        return BigInt(whole! + fraction.padEnd(18, '0')) === aettos && !fraction.endsWith('0');
      }),
    );
    expect(inAe('100000000000340282366920933673792834547678133048119')).to.equal(
      '100\u202f000\u202f000\u202f000\u202f340\u202f282\u202f366\u202f920\u202f933\u202f673\u202f792.834547678133048119',
    );
    expect([inAe(1), inAe(0), inAe(-5n * 10n ** 17n)]).to.deep.equal(['0.000000000000000001', '0', '−0.5']);
    expect([integer(1234567), integer(-1234n)]).to.deep.equal(['1\u202f234\u202f567', '−1\u202f234']);
  });

  it('are rounded to six digits where all of them would be too many, and never to 0', () => {
    const shown = (aettos: bigint): string => Object.values(rounded(aettos)).join('|');
    const AE = 10n ** 18n;
    expect([0n, 5n * AE, 1_811_066n * 10n ** 15n, -AE / 2n].map(shown)).to.deep.equal([
      ...['0|', '5|', '1\u202f811|.066', '−0|.5'],
    ]);
    expect([AE / 3n, AE - 1n, 2n * AE - 1n].map(shown)).to.deep.equal(['0|.333333', '1|', '2|']);
    expect([1n, -1n, 10n ** 12n].map(shown)).to.deep.equal(['<0|.000001', '−<0|.000001', '0|.000001']);
  });

  it('are read from JSON without a change', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        const { n } = parseExactly(`{"n":${value}}`) as { n: number | bigint };
        return BigInt(n) === value && (typeof n === 'bigint') === !Number.isSafeInteger(Number(value));
      }),
    );
    expect(parseExactly('[1.5,"2",null]')).to.deep.equal([1.5, '2', null]);
  });
});

describe('texts in the explorer', () => {
  it('name durations, sizes, members and types', () => {
    expect([0, 1_000, 59_000, 180_000, 7_200_000, 90_000_000].map(duration)).to.deep.equal([
      ...['0 seconds', '1 second', '59 seconds', '3 minutes', '2 hours', '1 day'],
    ]);
    expect([999, 1_500, 12_345_678].map(bytes)).to.deep.equal(['999 bytes', '1.50 kB', '12.3 MB']);
    expect(['recipient_id', 'name_fee', 'delegate_ids'].map(words)).to.deep.equal([
      'Recipient',
      'Name fee',
      'Delegate',
    ]);
    expect(['SpendTx', 'ChannelCloseMutualTx', 'GAMetaTx', 'PayingForTx'].map(typeInWords)).to.deep.equal([
      ...['Spend', 'Channel close mutual', 'GA meta', 'Paying for'],
    ]);
  });

  it('show texts that are encoded with a checksum, and no other bytes', () => {
    expect(textIn('ba_cGF5bWVudCAxMjI5MzQg4oCTIG1lcmNpIMKrYmVhdWNvdXDCu1n3BQ4=')).to.equal(
      'payment 122934 – merci «beaucoup»',
    );
    expect(textIn('ba_Xfbg4g==')).to.equal(undefined);
    expect(
      textIn(
        'ba_EkTxfrvPwHN7jvPYSbBNLYGGswSk5HOy/AKmFnIDKWcuAHeW2wa7x4GIKU+QfG2ANQxjo1IiH5e124elxAiA41C9Irpt84Mi/Q/YgThzB3UFxxxJYw==',
      ),
    ).to.equal(undefined);
    expect(textIn('ba_!')).to.equal(undefined);
  });
});

/** Identifiers of all kinds that have a page. */
const recordedIds = (): string[] => [
  ...new Set(
    recordedGenerations().flatMap(({ generation, microBlocks }) =>
      [generation, ...microBlocks.map(({ transactions }) => transactions)].flatMap(
        (text) => text.match(/(?<=")(ak|kh|mh|th|ct|ok|ch|nm)_[1-9A-HJ-NP-Za-km-z]+(?=")/g) ?? [],
      ),
    ),
  ),
];

describe('addresses of the explorer', () => {
  const ACCOUNT = 'ak_2opTp3vQNTSbkj9ZGpzftzPsdkKpwMx2Hugc4gBG4z9uHnwMHu';

  it('follow from an identifier, a height or a name', () => {
    expect(
      [ACCOUNT, ` ${ACCOUNT} `, '0042', 'aex.chain', 'ÄEX.Chain', 'aex', '', 'cb_AAAC0rsrBKI=', 'a/b?c'].map(target),
    ).to.deep.equal([
      ...[`#/account/${ACCOUNT}`, `#/account/${ACCOUNT}`, '#/generation/42', '#/name/aex.chain'],
      ...['#/name/%C3%84EX.Chain', '#/names/aex'],
      ...[undefined, '#/names/cb_AAAC0rsrBKI%3D', '#/names/a%2Fb%3Fc'],
    ]);
    expect(pageOf('tx_abc')).to.equal(undefined);
  });

  it('follow from the address of a page, here and in other explorers', () => {
    expect(
      [
        `https://one.example/mdw/#/account/${ACCOUNT}?page=2`,
        `https://two.example/accounts/${ACCOUNT}?type=all`,
        'https://two.example/names/aex.chain',
        'http://three.example:8080/v2/generations/height/42',
        'https://four.example/about',
      ].map(target),
    ).to.deep.equal([
      ...[`#/account/${ACCOUNT}?page=2`, `#/account/${ACCOUNT}`, '#/name/aex.chain', '#/generation/42'],
      '#/names/https%3A%2F%2Ffour.example%2Fabout',
    ]);
  });

  it('are refused for an identifier with a mistyped character', () => {
    const wrong = ACCOUNT.replace('Q', 'R');
    expect([ACCOUNT, wrong, `https://two.example/accounts/${wrong}`, 'aex', '42', ''].map(mistyped)).to.deep.equal([
      ...[undefined, wrong, wrong, undefined, undefined, undefined],
    ]);
    for (const id of recordedIds()) expect(mistyped(id), id).to.equal(undefined);
  });

  it('are corrected if one letter differs', () => {
    const at = (i: number, letters: string, cut = 1): string => ACCOUNT.slice(0, i) + letters + ACCOUNT.slice(i + cut);
    for (const wrong of [
      at(10, ACCOUNT[10] === 'x' ? 'y' : 'x'),
      at(ACCOUNT.length - 1, ACCOUNT.endsWith('x') ? 'y' : 'x'),
      at(20, ''),
      at(30, 'x', 0),
      at(ACCOUNT.length, 'x', 0),
      at(15, ACCOUNT[16]! + ACCOUNT[15]!, 2),
    ])
      expect(correctedId(wrong), wrong).to.equal(ACCOUNT);
    expect(correctedId(at(10, 'xyz', 3))).to.equal(undefined);
    expect(correctedId(ACCOUNT.slice(0, 30))).to.equal(undefined);
  });

  it('are read as they are written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (subject, type) => {
        const address = addressOf({ page: 'names', subject, query: new URLSearchParams() }, { type, page: 3 });
        const route = parseRoute(address);
        return route.subject === subject && (route.query.get('type') ?? '') === type && route.query.get('page') === '3';
      }),
    );
    expect(parseRoute('#/names/%').subject).to.equal('%');
    expect(parseRoute('')).to.include({ page: '', subject: '' });
  });
});

describe('a transaction', () => {
  const plainMoves = (...of: Parameters<typeof movesOf>): unknown[] =>
    movesOf(...of).map(({ party, why, change, undone }) => [party, why, change, undone]);

  it('says what it moves: amounts from and to, fee and gas', () => {
    const spend = { type: 'SpendTx', sender_id: 'ak_a', recipient_id: 'ak_b', amount: 5n, fee: 2 };
    expect(plainMoves(spend, 'ak_a', undefined, false)).to.deep.equal([
      ['ak_a', 'Amount', -5n, false],
      ['ak_b', 'Amount', 5n, false],
      ['ak_a', 'Fee', -2n, false],
    ]);
    expect(paidBySender(spend)).to.equal(5n);
    const call = {
      type: 'ContractCallTx',
      caller_id: 'ak_a',
      contract_id: 'ct_c',
      amount: 1,
      fee: 2,
      gas: 100,
      gas_price: 3,
    };
    // Before it ran it may use all of its gas; when it failed, only fee and gas are paid.
    expect(plainMoves(call, 'ak_a', undefined, false).at(-1)).to.deep.equal(['ak_a', 'Gas, at most', -300n, false]);
    expect(plainMoves(call, 'ak_a', 10, true)).to.deep.equal([
      ['ak_a', 'Amount', -1n, true],
      ['ct_c', 'Amount', 1n, true],
      ['ak_a', 'Fee', -2n, false],
      ['ak_a', 'Gas', -30n, false],
    ]);
    expect(paidBySender({ type: 'ChannelWithdrawTx', to_id: 'ak_a', amount: 7 })).to.equal(0n);
  });

  it('names a function by its hash in call data', () => {
    expect(functionHashIn(Uint8Array.from([0x2b, 0x11, 0x44, 0xd6, 0x44, 0x1f, 0x3f]))).to.equal('44d6441f');
    expect(functionHashIn(Uint8Array.from([0x2b, 0x11, 0x44]))).to.equal(undefined);
    expect(functionHashIn(Uint8Array.from([1, 2, 3, 4, 5, 6, 7]))).to.equal(undefined);
  });
});

describe('a name', () => {
  it('differs by one letter from another', () => {
    for (const other of ['nira.chain', 'mra.chain', 'miira.chain', 'imra.chain', 'mira.chai', 'mira.chainx'])
      expect([differByOne('mira.chain', other), differByOne(other, 'mira.chain')], other).to.deep.equal([true, true]);
    for (const other of ['mira.chain', 'nora.chain', 'miraab.chain', 'arim.chain', ''])
      expect(differByOne('mira.chain', other), other).to.equal(false);
  });

  it('is recognised in any spelling', () => {
    for (const spelling of ['STRAßE.chain', 'xn--strae-oqa.chain', 'XN--STRAE-OQA.CHAIN', 'straße。chain'])
      expect(isSameName(spelling, 'straße.chain'), spelling).to.equal(true);
    expect(isSameName('DÉCOMPOSÉE.chain', 'décomposée.chain'.normalize('NFD'))).to.equal(true);
    expect(isSameName('a_b!.chain', 'A_B!.chain')).to.equal(true);
    for (const other of [
      'strasse.chain',
      'straßen.chain',
      'straße.test',
      'straße.chain/x',
      'straße.chain:80',
      'a@straße.chain',
      '',
    ]) {
      expect(isSameName(other, 'straße.chain'), other).to.equal(false);
    }
  });
});
